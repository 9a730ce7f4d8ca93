#include "sources/bill/tags.h"

#include <algorithm>
#include <map>
#include <vector>

#include <nlohmann/json.hpp>

namespace tare::sources {
namespace {

using TagsJson = nlohmann::json;

constexpr size_t kDeepest = 64;  // a deeper text is no tag object

std::string json_string(std::string_view text) {
  std::string quoted;
  append_json_string(quoted, text);
  return quoted;
}

// Writes the canonical text while it parses: a number is never made a double.
class TagWriter : public nlohmann::json_sax<TagsJson> {
 public:
  NormalTags take() && { return {std::move(result_), untrimmed_key_}; }

  bool null() override { return value("null"); }
  bool boolean(bool flag) override { return value(flag ? "true" : "false"); }
  bool number_integer(number_integer_t number) override { return value(std::to_string(number)); }
  bool number_unsigned(number_unsigned_t number) override { return value(std::to_string(number)); }
  bool number_float(number_float_t, const string_t& text) override { return value(text); }
  bool string(string_t& text) override { return value(json_string(text)); }
  bool binary(binary_t&) override { return false; }

  bool start_object(size_t) override { return open({true, {}, {}, {}}); }
  bool key(string_t& name) override {
    if (open_.size() == 1 && !name.empty() && (name.front() == ' ' || name.back() == ' ')) {
      untrimmed_key_ = true;
    }
    open_.back().name = std::move(name);
    return true;
  }
  bool end_object() override {
    std::string text = "{";
    for (const auto& [name, member] : open_.back().members) {
      if (text.size() > 1) text += ',';
      text += json_string(name) + ':' + member;
    }
    return close(text + '}');
  }
  bool start_array(size_t) override { return open({false, {}, {}, {}}); }
  bool end_array() override { return close("[" + open_.back().elements + "]"); }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  struct Level {
    bool is_object = true;
    std::string name;                            // of the member that comes next
    std::map<std::string, std::string> members;  // sorted by bytes
    std::string elements;
  };

  bool open(Level level) {
    if (open_.empty() && !level.is_object) return false;
    open_.push_back(std::move(level));
    return open_.size() <= kDeepest;
  }
  bool close(std::string text) {
    open_.pop_back();
    return value(std::move(text));
  }
  bool value(std::string text) {
    if (open_.empty()) {
      result_ = std::move(text);
      return result_.starts_with('{');
    }
    Level& level = open_.back();
    if (level.is_object) {
      level.members[level.name] = std::move(text);
    } else {
      level.elements += (level.elements.empty() ? "" : ",") + text;
    }
    return true;
  }

  std::vector<Level> open_;
  std::string result_;
  bool untrimmed_key_ = false;
};

}  // namespace

std::optional<NormalTags> normalise_tags(std::string_view json) {
  TagWriter writer;
  if (!TagsJson::sax_parse(json.begin(), json.end(), &writer)) return std::nullopt;
  return std::move(writer).take();
}

void append_json_string(std::string& out, std::string_view text) {
  const bool plain = std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte >= 0x80 || c == '"' || c == '\\';
  });
  if (plain) {
    out += '"';
    out += text;
    out += '"';
  } else {
    out += TagsJson(text).dump(-1, ' ', false, TagsJson::error_handler_t::replace);
  }
}

}  // namespace tare::sources

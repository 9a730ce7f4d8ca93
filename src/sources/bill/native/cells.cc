#include "sources/bill/native/cells.h"

#include <algorithm>
#include <cctype>

#include <nlohmann/json.hpp>

#include "base/decimal_text.h"
#include "base/instant.h"
#include "sources/bill/tags.h"
#include "sources/text_table.h"

namespace tare::sources {
namespace {

using CellJson = nlohmann::json;

// Flat records, numbers as they were written and never as doubles.
class RecordReader : public nlohmann::json_sax<CellJson> {
 public:
  std::vector<JsonRecord> records;

  bool null() override { return true; }
  bool boolean(bool flag) override { return value(flag ? "true" : "false"); }
  bool number_integer(number_integer_t number) override { return value(std::to_string(number)); }
  bool number_unsigned(number_unsigned_t number) override { return value(std::to_string(number)); }
  bool number_float(number_float_t, const string_t& text) override { return value(text); }
  bool string(string_t& text) override { return value(std::move(text)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(size_t) override {
    if (++objects_ == 1) records.emplace_back();
    return true;
  }
  bool key(string_t& name) override {
    if (objects_ == 1) name_ = std::move(name);
    return true;
  }
  bool end_object() override {
    --objects_;
    return true;
  }
  bool start_array(size_t) override {
    if (objects_ > 0) ++lists_;
    return true;
  }
  bool end_array() override {
    if (objects_ > 0) --lists_;
    return true;
  }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  bool value(std::string text) {
    if (objects_ == 0) return false;  // a list of texts is no list of records
    if (objects_ == 1 && lists_ == 0)
      records.back().emplace_back(std::move(name_), std::move(text));
    return true;
  }

  int objects_ = 0, lists_ = 0;
  std::string name_;
};

// The Python text whose quote stands at `at`, as JSON's; where it ends.
size_t append_python_text(std::string_view text, size_t at, std::string& json) {
  const char quote = text[at];
  json += '"';
  for (++at; at < text.size() && text[at] != quote; ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) {
      ++at;
      if (text[at] != '\'') json += '\\';
    } else if (text[at] == '"') {
      json += '\\';
    }
    json += text[at];
  }
  json += '"';
  return at + 1;
}

// A Python literal as JSON, as far as lists of dictionaries go.
std::string json_of_python(std::string_view text) {
  std::string json;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '\'' || c == '"') {
      i = append_python_text(text, i, json);
      continue;
    }
    const std::string_view rest = text.substr(i);
    const std::pair<std::string_view, std::string_view> words[] = {
        {"None", "null"}, {"True", "true"}, {"False", "false"}, {"nan", "null"}};
    const auto* word = std::find_if(std::begin(words), std::end(words),
                                    [&](const auto& each) { return rest.starts_with(each.first); });
    if (word != std::end(words)) {
      json += word->second;
      i += word->first.size();
    } else {
      json += c;
      ++i;
    }
  }
  return json;
}

std::optional<std::vector<JsonRecord>> read_records(std::string_view json) {
  RecordReader reader;
  if (!CellJson::sax_parse(json.begin(), json.end(), &reader)) return std::nullopt;
  return std::move(reader.records);
}

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string object_text(const JsonRecord& members, bool bare_numbers) {
  std::string text;
  for (const auto& [name, value] : members) {
    if (bare_numbers && value.empty()) continue;
    text += text.empty() ? '{' : ',';
    append_json_string(text, name);
    text += ':';
    // "08" is no number of JSON, and twenty digits are none of ours.
    const bool number = all_digits(value) && (value.front() != '0' || value.size() == 1);
    if (bare_numbers && number && value.size() <= 18) {
      text += value;
    } else {
      append_json_string(text, value);
    }
  }
  return text.empty() ? text : text + '}';
}

// Without spaces, and without a byte-order mark before it.
std::string_view trim_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  text = trim(text);
  return text.starts_with(kMark) ? trim(text.substr(kMark.size())) : text;
}

std::string two_digits(std::string_view text) {
  return (text.size() == 1 ? "0" : "") + std::string(text);
}

// "9/2/2023", perhaps with a time of day after it.
std::string iso_of_us_date(std::string_view cell) {
  const size_t first = cell.find('/'), second = cell.find('/', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return {};
  const std::string_view month = cell.substr(0, first);
  const std::string_view day = cell.substr(first + 1, second - first - 1);
  std::string_view rest = cell.substr(second + 1);
  const std::string_view year = rest.substr(0, rest.find(' '));
  rest.remove_prefix(std::min(year.size() + 1, rest.size()));
  if (!all_digits(month) || !all_digits(day) || !all_digits(year)) return {};
  if (month.size() > 2 || day.size() > 2 || year.size() != 4) return {};
  std::string iso = std::string(year) + '-' + two_digits(month) + '-' + two_digits(day);
  return rest.empty() ? iso : iso + 'T' + std::string(rest);
}

}  // namespace

Amount amount_of(std::string_view cell) {
  cell = trim(cell);
  if (is_unknown(cell)) return {};
  const DecimalResult decimal = parse_decimal(cell);
  if (!decimal.ok() || !decimal.value.fits_store()) return {false, std::nullopt};
  return {true, decimal.value};
}

std::string with_braces(std::string_view text) {
  text = trim_mark(text);
  if (text.empty() || text.front() == '{') return std::string(text);
  const auto ends_with_any = [&](std::string_view marks) {
    return !text.empty() && marks.find(text.back()) != std::string_view::npos;
  };
  bool no_value = false;
  for (; ends_with_any(",: "); text.remove_suffix(1)) no_value = no_value || text.back() == ':';
  if (no_value && text.size() > 1 && text.back() == '"') {
    const size_t name = text.rfind('"', text.size() - 2);
    text = text.substr(0, name == std::string_view::npos ? 0 : name);
    while (ends_with_any(", ")) text.remove_suffix(1);
  }
  return '{' + std::string(text) + '}';
}

std::optional<std::vector<JsonRecord>> json_records(std::string_view text) {
  text = trim_mark(text);
  const bool nothing = text.empty() || is_word(text, "nan") || is_word(text, "none");
  if (nothing) return std::vector<JsonRecord>();
  const bool enclosed = text.front() == '{' || text.front() == '[';
  const std::string json = enclosed ? std::string(text) : with_braces(text);
  auto records = read_records(json);
  return records ? records : read_records(json_of_python(json));
}

std::string_view member(const JsonRecord& record, std::string_view name) {
  for (const auto& [key, value] : record) {
    if (key == name) return value;
  }
  return {};
}

std::string json_object(const JsonRecord& members) { return object_text(members, false); }

std::string json_details(const JsonRecord& members) { return object_text(members, true); }

std::string utc_text(std::string_view cell) {
  cell = trim(cell);
  const std::string us = iso_of_us_date(cell);
  const InstantResult instant = parse_instant(us.empty() ? cell : std::string_view(us));
  return instant.ok ? to_text(instant.ns) : std::string();
}

std::string next_day_text(std::string_view utc) {
  const InstantResult instant = parse_instant(utc);
  const bool has_next = instant.ok && instant.ns <= INT64_MAX - kNsPerDay;
  return has_next ? to_text(instant.ns + kNsPerDay) : std::string();
}

std::string month_start_text(std::string_view cell) {
  cell = trim(cell);
  if (cell.size() == 6 && all_digits(cell)) {
    const std::string text = std::string(cell.substr(0, 4)) + '-' + std::string(cell.substr(4));
    return parse_month(text) ? text + "-01T00:00:00Z" : std::string();
  }
  if (cell.size() == 7 && parse_month(cell)) return std::string(cell) + "-01T00:00:00Z";
  const std::string day = utc_text(cell);
  if (day.empty()) return {};
  const std::string month = to_text(month_of(parse_instant(day).ns));
  return parse_month(month) ? month + "-01T00:00:00Z" : std::string();  // the last one has no end
}

bool is_word(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a | 0x20 : a) == b; });
}

std::string folded_word(std::string_view text) {
  std::string folded(text);
  std::transform(folded.begin(), folded.end(), folded.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return folded;
}

}  // namespace tare::sources

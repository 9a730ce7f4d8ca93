#include "sources/policy/yaml_tree.h"

#include <algorithm>
#include <limits>
#include <sstream>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "base/printable.h"

namespace tare::sources {
namespace {

// What an event can't be accepted for; the caller knows the file.
struct Refusal {
  std::string code, message, hint;
  int64_t line = 0, column = 0, length = 1;
};

Refusal refusal_at(std::string_view text, size_t offset, std::string message, std::string hint) {
  const std::string_view before = text.substr(0, offset);
  const size_t newline = before.rfind('\n');
  const size_t line_start = newline == std::string_view::npos ? 0 : newline + 1;
  return {"yaml-syntax", std::move(message), std::move(hint),
          1 + std::count(before.begin(), before.end(), '\n'),
          static_cast<int64_t>(offset - line_start) + 1};
}

// yaml-cpp guesses other encodings, replaces what is none, and ends without a word at a byte of 4.
void refuse_what_is_no_text(std::string_view text) {
  for (std::string_view rest = text; !rest.empty();) {
    const CodePoint point = first_code_point(rest);
    const size_t offset = text.size() - rest.size();
    if (!point.valid) {
      throw refusal_at(text, offset, "this is not UTF-8",
                       "write it as UTF-8: iconv -f LATIN1 -t UTF-8 FILE > NEW");
    }
    const bool control = point.value < 0x20 || point.value == 0x7F;
    if (control && rest.front() != '\t' && rest.front() != '\n' && rest.front() != '\r') {
      throw refusal_at(text, offset, "a control character is no part of YAML", "remove it");
    }
    rest.remove_prefix(point.bytes);
  }
}

// Past anchors, tags, comments and line ends, where the scalar itself begins.
size_t skip_properties(std::string_view text, size_t at) {
  const auto find_from = [&](const char* end) {
    return std::min(text.find_first_of(end, at), text.size());
  };
  while (at < text.size()) {
    if (text[at] == '&' || text[at] == '!') {
      at = find_from(" \t\r\n");
    } else if (text[at] == '#') {
      at = find_from("\n");
    } else if (std::string_view(" \t\r\n").find(text[at]) != std::string_view::npos) {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

// yaml-cpp takes the rest of the file for a text whose quote is never closed.
void refuse_unclosed_quote(std::string_view text, size_t mark) {
  const size_t start = skip_properties(text, mark);
  if (start >= text.size()) return;
  const char quote = text[start];
  if (quote != '"' && quote != '\'') return;
  for (size_t at = start + 1; at < text.size(); ++at) {
    const bool escaped = quote == '"' ? text[at] == '\\' : text.substr(at).starts_with("''");
    if (escaped) {
      ++at;
    } else if (text[at] == quote) {
      return;
    }
  }
  throw refusal_at(text, start, "a quote is never closed", "");
}

// Builds the tree from the parser's events. yaml-cpp's own nodes would do for values, but they keep
// neither the place of a key nor the order of its duplicates.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string_view text) : text_(text) {}

  std::shared_ptr<YamlNode> root;

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(node_at(mark, YamlKind::kNull, anchor), mark);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    // Inside the node that it names, an alias would make the tree endless.
    if (found == anchors_.end() || open_.contains(found->second.get())) {
      throw Refusal{"yaml-syntax", "an alias names the value that it stands in", "", mark.line + 1,
                    mark.column + 1};
    }
    add(found->second, mark);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_tag(mark, tag);
    refuse_unclosed_quote(text_, static_cast<size_t>(mark.pos));
    auto node = node_at(mark, YamlKind::kText, anchor);
    node->text = value;
    add(std::move(node), mark);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    refuse_tag(mark, tag);
    open(node_at(mark, YamlKind::kList, anchor), mark);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    refuse_tag(mark, tag);
    open(node_at(mark, YamlKind::kMap, anchor), mark);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Level {
    std::shared_ptr<YamlNode> node;
    bool at_key = true;  // of a map: the next node is a key
    std::unordered_map<std::string, int64_t> key_lines;
  };

  static void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    throw Refusal{"yaml-syntax", "the tag '" + tag + "' is not understood",
                  "leave the tag out; values are read as text", mark.line + 1, mark.column + 1};
  }

  std::shared_ptr<YamlNode> node_at(const YAML::Mark& mark, YamlKind kind, YAML::anchor_t anchor) {
    auto node = std::make_shared<YamlNode>();
    node->kind = kind;
    node->line = mark.line + 1;
    node->column = mark.column + 1;
    if (anchor != 0) anchors_[anchor] = node;
    return node;
  }

  void open(const std::shared_ptr<YamlNode>& node, const YAML::Mark& mark) {
    add(node, mark);
    open_.insert(node.get());
    levels_.push_back({node, true, {}});
  }

  void close() {
    open_.erase(levels_.back().node.get());
    levels_.pop_back();
  }

  void add(std::shared_ptr<YamlNode> node, const YAML::Mark& mark) {
    if (levels_.empty()) {
      root = std::move(node);
      return;
    }
    Level& level = levels_.back();
    if (level.node->kind == YamlKind::kList) {
      level.node->items.push_back(std::move(node));
      return;
    }
    if (level.at_key) {
      add_key(level, *node, mark);
    } else {
      level.node->entries.back().value = std::move(node);
    }
    level.at_key = !level.at_key;
  }

  static void add_key(Level& level, const YamlNode& key, const YAML::Mark& mark) {
    const int64_t line = mark.line + 1, column = mark.column + 1;
    if (key.kind != YamlKind::kText) {
      throw Refusal{"yaml-syntax", "a key must be a text", "", line, column};
    }
    const auto [first, fresh] = level.key_lines.emplace(key.text, line);
    if (!fresh) {
      throw Refusal{
          "yaml-key-twice",
          "the key '" + key.text + "' is given twice",
          "it stands on line " + std::to_string(first->second) + " already; keep one of the two",
          line,
          column,
          static_cast<int64_t>(key.text.size())};
    }
    level.node->entries.push_back({key.text, line, column, nullptr});
  }

  std::string_view text_;
  std::vector<Level> levels_;
  std::unordered_set<const YamlNode*> open_;
  std::unordered_map<YAML::anchor_t, std::shared_ptr<YamlNode>> anchors_;
};

std::string line_text(std::string_view text, int64_t line) {
  for (int64_t at = 1; at < line; ++at) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return "";
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return std::string(text);
}

// The length in the file of a scalar that begins at `column`: its quotes belong to it.
int64_t written_length(std::string_view line, int64_t column, std::string_view value) {
  const auto at = static_cast<size_t>(column - 1);
  if (at >= line.size()) return 1;
  const char quote = line[at];
  if (quote == '"' || quote == '\'') {
    const size_t end = line.find(quote, at + 1);
    return static_cast<int64_t>((end == std::string_view::npos ? line.size() : end + 1) - at);
  }
  return static_cast<int64_t>(std::max<size_t>(1, std::min(value.size(), line.size() - at)));
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  for (const YamlEntry& entry : entries) {
    if (entry.key != key) continue;
    return entry.value && entry.value->kind != YamlKind::kNull ? entry.value.get() : nullptr;
  }
  return nullptr;
}

YamlFile YamlFile::parse(std::string text, std::string shown_path) {
  YamlFile file;
  file.text_ = std::move(text);
  file.shown_path_ = std::move(shown_path);
  if (file.text_.starts_with("\xEF\xBB\xBF")) file.text_.erase(0, 3);
  TreeBuilder builder(file.text_);
  try {
    refuse_what_is_no_text(file.text_);
    // At a line's end, an open quote is told from the end of the file.
    std::istringstream stream(file.text_ + (file.text_.ends_with('\n') ? "" : "\n"));
    YAML::Parser parser(stream);
    if (parser.HandleNextDocument(builder)) {
      TreeBuilder rest(file.text_);
      if (parser.HandleNextDocument(rest)) {
        const int64_t line = rest.root ? rest.root->line : 0;
        throw Refusal{"yaml-syntax", "the file holds several documents",
                      "remove the line '---' between them", line, 1};
      }
    }
  } catch (const YAML::Exception& problem) {
    throw UserError("yaml-syntax", "this is not YAML: " + problem.msg, "",
                    file.place_at(problem.mark.line + 1, problem.mark.column + 1, 1));
  } catch (const Refusal& refusal) {
    throw UserError(refusal.code, refusal.message, refusal.hint,
                    file.place_at(refusal.line, refusal.column, refusal.length));
  }
  if (builder.root == nullptr) {
    builder.root = std::make_shared<YamlNode>();
    builder.root->line = 1;
    builder.root->column = 1;
  }
  file.root_ = std::move(builder.root);
  return file;
}

Place YamlFile::place_at(int64_t line, int64_t column, int64_t length) const {
  Place place;
  place.file = shown_path_;
  if (line < 1) return place;
  // The parser's own errors can stand beyond the end of the text.
  const int64_t last = 1 + std::count(text_.begin(), text_.end(), '\n');
  if (line > last) column = std::numeric_limits<int64_t>::max();
  place.line = std::min(line, last);
  place.source_line = line_text(text_, place.line);
  place.column = std::clamp<int64_t>(column, 1, static_cast<int64_t>(place.source_line.size()) + 1);
  place.caret_length = std::max<int64_t>(1, length);  // of an empty key
  return place;
}

Place YamlFile::place_of(const YamlNode& node) const {
  Place place = place_at(node.line, node.column, 1);
  if (node.kind == YamlKind::kText) {
    place.caret_length = written_length(place.source_line, node.column, node.text);
  }
  return place;
}

Place YamlFile::place_of(const YamlEntry& entry) const {
  Place place = place_at(entry.line, entry.column, 1);
  place.caret_length = written_length(place.source_line, entry.column, entry.key);
  return place;
}

}  // namespace tare::sources

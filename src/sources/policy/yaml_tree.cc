#include "sources/policy/yaml_tree.h"

#include <algorithm>
#include <sstream>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

namespace tare::sources {
namespace {

// What an event can't be accepted for; the caller knows the file.
struct Refusal {
  std::string code, message, hint;
  int64_t line = 0, column = 0, length = 1;
};

// Builds the tree from the parser's events. yaml-cpp's own nodes would do for values, but they keep
// neither the place of a key nor the order of its duplicates.
class TreeBuilder final : public YAML::EventHandler {
 public:
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
  TreeBuilder builder;
  try {
    std::istringstream stream(file.text_);
    YAML::Parser parser(stream);
    if (parser.HandleNextDocument(builder)) {
      TreeBuilder rest;
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
  place.line = line;
  place.column = column;
  place.source_line = line_text(text_, line);
  place.caret_length = length;
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

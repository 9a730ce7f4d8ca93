// docs/project-file.md as far as it is printed from the tables.
#include <algorithm>

#include "sources/bill/format.h"
#include "sources/formats.h"
#include "sources/plain/format.h"
#include "sources/policy/keys.h"

namespace tare::sources {
namespace {

std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string code(const std::string& text) { return text.empty() ? "" : "`" + cell(text) + "`"; }

std::string meaning(const Key& key) {
  std::string text = key.doc;
  if (key.required) text += "; **required**";
  if (key.later) text += "; checked, not used by this version";
  return cell(text);
}

// Keys that hold further keys get a table of their own below.
void add_table(const Key& key, const std::string& path, std::string& out) {
  switch (key.form) {
    case KeyForm::kList:
      return add_table(key.keys[0], path + "[]", out);
    case KeyForm::kEither:
      return add_table(key.keys[1], path, out);
    case KeyForm::kNames: {
      const Key& value = key.keys[0];
      return add_table(value, path + "." + (value.name.empty() ? "<name>" : value.name), out);
    }
    case KeyForm::kMap:
      break;
    default:
      return;
  }
  out += path.empty() ? "## Top level\n\n" : "## `" + path + "`\n\n";
  out += "| key | value | default or example | meaning |\n|---|---|---|---|\n";
  for (const Key& child : key.keys) {
    out += "| " + code(child.name) + " | " + cell(form_text(child)) + " | " + code(child.example) +
           " | " + meaning(child) + " |\n";
  }
  out += "\n";
  for (const Key& child : key.keys) {
    if (path.empty() && child.name == "sources") continue;  // printed by add_sources
    add_table(child, path.empty() ? child.name : path + "." + child.name, out);
  }
}

std::string format_names(SourceKind kind, const std::vector<Format>& table) {
  std::string names;
  for (const Format& format : table) {
    if (format.kind == kind) names += (names.empty() ? "" : ", ") + code(std::string(format.name));
  }
  return names.empty() ? "-" : names;
}

// Sources of all kinds share most keys: one table for them, and one that says where they differ.
void add_sources(const Key& sources, std::string& out) {
  out +=
      "## `sources`\n\nA list under each kind; an entry is a map of the keys below.\n\n"
      "| kind | meaning | formats | known, not read by this version |\n|---|---|---|---|\n";
  for (const KindName& kind : source_kinds()) {
    out += "| " + code(std::string(kind.key)) + " | " + cell(std::string(kind.summary)) + " | " +
           format_names(kind.kind, formats()) + " | " + format_names(kind.kind, later_formats()) +
           " |\n";
  }
  out += "\n| key | value | default | meaning |\n|---|---|---|---|\n";
  std::vector<std::string> shown;
  for (const Key& kind : sources.keys) {
    for (const Key& key : kind.keys[0].keys) {
      if (std::find(shown.begin(), shown.end(), key.name) != shown.end()) continue;
      shown.push_back(key.name);
      const bool is_format = key.name == "format";
      out += "| " + code(key.name) + " | " +
             cell(is_format ? std::string("a name of the table above") : form_text(key)) + " | " +
             code(key.name == "name" ? "<kind>/<format>" : key.example) + " | " + meaning(key) +
             " |\n";
    }
  }
  out += "\n";
}

void add_bill_format(std::string& out) {
  out += "### `bill`: a bill as a plain table of charges\n\n| column | meaning |\n|---|---|\n";
  for (const FormatColumn& column : find_bill_format("bill")->columns) {
    out += "| " + code(std::string(column.name)) + " | " + cell(std::string(column.doc)) + " |\n";
  }
  out +=
      "\nNeeded are `start`, `end`, and one of `cost`, `billed_cost`, or both `hours` and "
      "`rate`.\n\n";
}

void add_plain_formats(std::string& out) {
  out +=
      "## Plain files\n\nCSV (`.gz` too) or Parquet with a header, columns in any order. Spaces "
      "around a cell are not part of it; empty, `NULL` and `null` are unknown. A row without a "
      "readable required cell is left out and counted; any other cell that can't be read is "
      "unknown and counted.\n\n";
  add_bill_format(out);
  for (const PlainFormat* format : plain_formats()) {
    out += "### `" + std::string(format->name) + "`: " + std::string(format->summary) + "\n\n";
    out += "| column | value | meaning |\n|---|---|---|\n";
    for (const PlainColumn& column : format->columns) {
      out += "| " + code(std::string(column.name)) + " | " +
             cell(std::string(cell_text(column.cell))) + " | " + cell(std::string(column.doc));
      if (column.need == Need::kColumn) out += "; **required**, a cell may be empty";
      if (column.need == Need::kCell) out += "; **required**";
      out += " |\n";
    }
    out += "\n";
  }
}

}  // namespace

std::string project_keys_markdown() {
  std::string out;
  add_table(project_keys(), "", out);
  for (const Key& key : project_keys().keys) {
    if (key.name == "sources") add_sources(key, out);
  }
  add_plain_formats(out);
  return out;
}

}  // namespace tare::sources

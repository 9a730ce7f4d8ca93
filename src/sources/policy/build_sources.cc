#include <algorithm>
#include <filesystem>
#include <set>

#include "sources/bill/format.h"
#include "sources/bill/native/native.h"
#include "sources/formats.h"
#include "sources/plain/format.h"
#include "sources/policy/build_project.h"
#include "sources/policy/values.h"

namespace tare::sources {
namespace {

constexpr size_t kLongestName = 100;

std::string readable_formats(SourceKind kind) {
  std::string names;
  for (const Format& format : formats()) {
    if (format.kind == kind) names += (names.empty() ? "" : " or ") + std::string(format.name);
  }
  return names;
}

void refuse_later_format(const YamlFile& file, const YamlNode& entry, SourceKind kind) {
  const YamlNode& format = *entry.find("format");
  if (find_format(format.text) != nullptr) return;
  const std::string others = readable_formats(kind);
  throw UserError("format-not-read", "format '" + format.text + "' is not read by this version",
                  others.empty() ? "remove the entry"
                                 : "remove the entry, or bring the data in as format " + others,
                  file.place_of(format));
}

// A relative path must stay below the project's folder, so that a project someone else wrote can't
// name files elsewhere without showing where.
std::string checked_path(const YamlFile& file, const YamlNode& entry) {
  const YamlNode* path = entry.find("path");
  if (path == nullptr) {
    const YamlNode* address = entry.find("uri") != nullptr ? entry.find("uri") : entry.find("url");
    const std::string format = text_of(entry, "format");
    throw UserError("path-missing", "format '" + format + "' is read from files and needs a 'path'",
                    "add 'path: <file, folder or pattern>'",
                    file.place_of(address != nullptr ? *address : entry));
  }
  const std::filesystem::path normal = std::filesystem::path(path->text).lexically_normal();
  if (!normal.is_absolute() && !normal.empty() && *normal.begin() == "..") {
    throw UserError("path-outside", "'" + path->text + "' lies outside the project's folder",
                    "write it as an absolute path if it is meant", file.place_of(*path));
  }
  return path->text;
}

// The names of a format's columns, for a message.
std::vector<std::string> column_names(const std::string& format) {
  std::vector<std::string> names;
  if (const PlainFormat* plain = find_plain_format(format)) {
    for (const PlainColumn& column : plain->columns) names.emplace_back(column.name);
  } else if (const BillFormat* bill = find_bill_format(format)) {
    for (const FormatColumn& column : bill->columns) names.emplace_back(column.name);
    if (bill->native == nullptr) return names;
    for (const NativeColumn& column : bill->native->columns) {
      names.emplace_back(column.names.substr(0, column.names.find('|')));
    }
  }
  return names;
}

// Whether a column of a format is a time; empty where the format has no such column.
std::optional<bool> column_is_time(const std::string& format, const std::string& name) {
  if (const PlainFormat* plain = find_plain_format(format)) {
    const int at = find_column(*plain, name);
    if (at >= 0) return is_time(plain->columns[static_cast<size_t>(at)].cell);
  } else if (const BillFormat* bill = find_bill_format(format)) {
    if (bill->native != nullptr) {
      if (find_native_column(*bill->native, name)) return false;
      return std::nullopt;
    }
    const FormatColumn* column = find_format_column(*bill, name);
    if (column != nullptr) {
      return column->column >= BillColumn::kBillingPeriodStart &&
             column->column <= BillColumn::kChargePeriodEnd;
    }
  }
  return std::nullopt;
}

[[noreturn]] void unknown_column(const YamlFile& file, const YamlEntry& item,
                                 const std::string& format) {
  const std::vector<std::string> names = column_names(format);
  std::string hint = nearest_word_in(item.key, names);
  if (!hint.empty()) {
    hint = "did you mean '" + hint + "'?";
  } else {
    for (const std::string& name : names) hint += (hint.empty() ? "its columns: " : ", ") + name;
  }
  throw UserError("column-unknown", "format '" + format + "' has no column '" + item.key + "'",
                  hint, file.place_of(item));
}

std::map<std::string, ColumnMapping> build_columns(const YamlFile& file, const YamlNode& entry,
                                                   const std::string& format) {
  std::map<std::string, ColumnMapping> columns;
  const YamlNode* mapping = entry.find("columns");
  if (mapping == nullptr) return columns;
  for (const YamlEntry& item : mapping->entries) {
    const std::optional<bool> time = column_is_time(format, item.key);
    if (!time) unknown_column(file, item, format);
    ColumnMapping& column = columns[item.key];
    column.place = file.place_of(*item.value);
    const bool is_map = item.value->kind == YamlKind::kMap;
    column.column = is_map ? text_of(*item.value, "column") : item.value->text;
    if (is_map) column.time_unit = text_of(*item.value, "unit");
    if (!column.time_unit.empty() && !*time) {
      throw UserError("yaml-value", "column '" + item.key + "' is not a time and has no unit",
                      "write '" + item.key + ": " + column.column + "'", file.place_of(item));
    }
  }
  return columns;
}

// `model:` and `currency:` stand in for a column that the file lacks.
std::string stand_in(const YamlFile& file, const YamlNode& entry, const PlainFormat* format,
                     const char* key) {
  const YamlNode* value = entry.find(key);
  if (value == nullptr) return "";
  if (format != nullptr && find_column(*format, key) < 0) {
    throw UserError("yaml-value",
                    "format '" + std::string(format->name) + "' has no column '" + key +
                        "' that this could stand for",
                    "remove '" + std::string(key) + "'", file.place_of(*value));
  }
  return value->text;
}

Source build_source(const YamlFile& file, const YamlNode& entry, SourceKind kind) {
  refuse_later_format(file, entry, kind);
  Source source;
  source.kind = kind;
  source.format = text_of(entry, "format");
  source.place = file.place_of(entry);
  source.path = checked_path(file, entry);
  source.name = text_of(entry, "name");
  const PlainFormat* format = find_plain_format(source.format);
  source.columns = build_columns(file, entry, source.format);
  source.model = stand_in(file, entry, format, "model");
  source.currency = stand_in(file, entry, format, "currency");
  source.basis = parse_cost_basis(text_of(entry, "basis"));
  const std::string newest = text_of(entry, "newest");
  source.newest = newest == "folder"        ? Newest::kFolder
                  : newest == "file"        ? Newest::kFile
                  : newest == "export-time" ? Newest::kExportTime
                                            : Newest::kNone;
  if (source.newest == Newest::kExportTime && source.format != "gcp-detailed") {
    throw UserError("yaml-value", "only format 'gcp-detailed' says when each row was exported",
                    "write 'newest: folder' or 'newest: file'",
                    file.place_of(*entry.find("newest")));
  }
  source.append = text_of(entry, "scope") == "append";
  if (source.append && source.newest != Newest::kNone) {
    throw UserError("yaml-value", "a source whose files add to each other has no newest one",
                    "leave out 'newest' or 'scope: append'", file.place_of(*entry.find("newest")));
  }
  if (const YamlNode* zone = entry.find("time_zone")) {
    source.time_zone = parse_zone_offset(zone->text).value_or("");
  }
  return source;
}

void check_name(const YamlFile& file, const YamlNode& entry, const std::string& name,
                std::set<std::string>& taken) {
  const bool printable_name = std::none_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
  if (name.size() > kLongestName || !printable_name) {
    throw UserError("yaml-value",
                    "a source's name has at most 100 characters and none that can't be printed", "",
                    file.place_of(*entry.find("name")));
  }
  if (!taken.insert(name).second) {
    throw UserError("source-name-twice", "two sources are named '" + name + "'",
                    "give each a name of its own", file.place_of(*entry.find("name")));
  }
}

}  // namespace

std::vector<Source> build_sources(const YamlFile& file) {
  std::vector<Source> sources;
  const YamlNode* kinds = file.root().find("sources");
  if (kinds == nullptr) return sources;
  std::set<std::string> taken;
  for (const KindName& kind : source_kinds()) {
    const YamlNode* entries = kinds->find(kind.key);
    if (entries == nullptr) continue;
    for (const auto& entry : entries->items) {
      sources.push_back(build_source(file, *entry, kind.kind));
      if (!sources.back().name.empty()) {
        check_name(file, *entry, sources.back().name, taken);
      }
    }
  }
  // After the names that were chosen, so that a default never takes one of them.
  for (Source& source : sources) {
    if (!source.name.empty()) continue;
    const std::string base = std::string(kind_key(source.kind)) + "/" + source.format;
    source.name = base;
    for (int number = 2; !taken.insert(source.name).second; ++number) {
      source.name = base + "-" + std::to_string(number);
    }
  }
  return sources;
}

}  // namespace tare::sources

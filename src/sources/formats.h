// The kinds of sources and the formats that stand under each: those that are read, and those whose
// names are promised but that this version does not read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sources/sources.h"

namespace tare::sources {

struct KindName {
  SourceKind kind;
  std::string_view key;      // under `sources:`, and InputFile::kind
  std::string_view summary;  // one line
};
const std::vector<KindName>& source_kinds();  // in the order of the enum
std::string_view kind_key(SourceKind kind);
std::optional<SourceKind> parse_kind(std::string_view key);

// Promised names of formats that are refused with format-not-read.
const std::vector<Format>& later_formats();

const Format* find_format(std::string_view name);        // null: not read by this version
const Format* find_later_format(std::string_view name);  // null: not a promised name

}  // namespace tare::sources

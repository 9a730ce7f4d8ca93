#include "sources/bill/native/native.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace tare::sources {
namespace {

std::string folded_native_name(std::string_view name) {
  name = trim(name);
  const size_t open = name.rfind('(');
  if (open != std::string_view::npos && open > 0 && name.ends_with(')')) {
    name = name.substr(open + 1, name.size() - open - 2);
  }
  std::string folded;
  for (const char c : name) {
    if (std::string_view("_ /:.").find(c) != std::string_view::npos) continue;
    folded += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return folded;
}

std::vector<std::string_view> alternatives_of(std::string_view names) {
  std::vector<std::string_view> all;
  for (size_t at = 0; at <= names.size();) {
    const size_t end = std::min(names.find('|', at), names.size());
    all.push_back(names.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

std::optional<std::string> tag_key_of(const NativeFormat& format, std::string_view name) {
  for (const NativeFormat::TagColumns& tags : format.tag_columns) {
    if (name.size() > tags.prefix.size() && name.starts_with(tags.prefix)) {
      return tags.key(name.substr(tags.prefix.size()));
    }
  }
  return std::nullopt;
}

// All normal columns as text, each in its place, and `more` after them.
BillColumns normal_columns(size_t more) {
  BillColumns columns;
  columns.as.assign(kBillColumns + more, ColumnAs::kText);
  for (size_t i = 0; i < kBillColumns; ++i) {
    columns.normal[i].stream = static_cast<int>(i);
    const bool text = i < kDimColumns || i == static_cast<size_t>(BillColumn::kServiceProvider);
    if (text) columns.texts.push_back({i, static_cast<int>(i)});
  }
  return columns;
}

class NativeFinder {
 public:
  NativeFinder(const BillFormat& format, const Source& source, const TextTable& table)
      : format_(format), native_(*format.native), source_(source), table_(table) {
    for (const std::string& name : table.header()) folded_.push_back(folded_native_name(name));
  }

  NativeColumns find() {
    columns_.file.assign(native_.columns.size(), -1);
    columns_.stream.assign(native_.columns.size(), -1);
    for (size_t i = 0; i < native_.columns.size(); ++i) {
      columns_.file[i] = find_file_column(i);
      columns_.is_double.push_back(columns_.file[i] >= 0 &&
                                   table_.column_is_double(columns_.file[i]));
      if (columns_.file[i] >= 0) columns_.stream[i] = add_to_stream(columns_.file[i]);
    }
    std::vector<bool> present;
    for (const int at : columns_.file) present.push_back(at >= 0);
    check_needed_columns(format_, source_, present, table_.header_place());
    columns_.currency = source_.currency;
    for (size_t i = 0; i < folded_.size(); ++i) {
      const auto key = tag_key_of(native_, table_.header()[i]);
      if (key) columns_.tags.push_back({*key, add_to_stream(static_cast<int>(i))});
    }
    std::sort(columns_.tags.begin(), columns_.tags.end(),
              [](const auto& a, const auto& b) { return a.key < b.key; });
    return std::move(columns_);
  }

 private:
  int find_file_column(size_t native) const {
    if (const auto mapped = find_mapped(native)) return *mapped;
    for (const std::string_view name : alternatives_of(native_.columns[native].names)) {
      const auto at = std::find(folded_.begin(), folded_.end(), folded_native_name(name));
      if (at != folded_.end()) return static_cast<int>(at - folded_.begin());
    }
    return -1;
  }

  std::optional<int> find_mapped(size_t native) const {
    for (const auto& [ours, mapping] : source_.columns) {
      if (find_native_column(native_, ours) != native) continue;
      const auto& header = table_.header();
      const auto at = std::find(header.begin(), header.end(), mapping.column);
      if (at == header.end()) {
        throw mapped_column_missing(table_, ours, mapping.column,
                                    nearest_word_in(mapping.column, header), mapping.place);
      }
      return static_cast<int>(at - header.begin());
    }
    return std::nullopt;
  }

  int add_to_stream(int file_column) {
    const auto at =
        std::find(columns_.raw.file_columns.begin(), columns_.raw.file_columns.end(), file_column);
    if (at != columns_.raw.file_columns.end()) {
      return static_cast<int>(at - columns_.raw.file_columns.begin());
    }
    columns_.raw.file_columns.push_back(file_column);
    columns_.raw.as.push_back(ColumnAs::kText);
    return static_cast<int>(columns_.raw.file_columns.size()) - 1;
  }

  const BillFormat& format_;
  const NativeFormat& native_;
  const Source& source_;
  const TextTable& table_;
  std::vector<std::string> folded_;
  NativeColumns columns_;
};

}  // namespace

std::string_view NativeRow::cell(int stream) const {
  const auto column = static_cast<size_t>(stream);
  if (stream < 0 || !chunk_.valid(column, row_)) return {};
  const std::string_view text = trim(chunk_.text(column, row_));
  return is_unknown(text) ? std::string_view() : text;
}

Charges::Charges(const NativeFormat& format)
    : format_(format), made_(kBillColumns + format.kept.size()) {}

void Charges::clear() {
  made_.clear();
  made_of_.clear();
  long_texts_.clear();
  block_ = block_used_ = 0;
}

void Charges::add(const NativeRow& row) {
  made_.add_row();
  made_of_.push_back({raw_row_, std::nullopt});
  for (size_t i = 0; i < format_.kept.size(); ++i) {
    if (!format_.kept[i].of_some_rows) set_kept(i, row[format_.kept[i].native]);
  }
}

// Amounts mostly: many short texts, all of them let go at once.
std::string_view Charges::copy_of(std::string_view text) {
  constexpr size_t kBlock = size_t{64} << 10;
  if (text.size() > kBlock) return long_texts_.emplace_back(text);
  if (block_ < blocks_.size() && block_used_ + text.size() > kBlock) {
    ++block_;
    block_used_ = 0;
  }
  if (block_ == blocks_.size()) blocks_.push_back(std::make_unique<char[]>(kBlock));
  char* const at = blocks_[block_].get() + block_used_;
  std::memcpy(at, text.data(), text.size());
  block_used_ += text.size();
  return {at, text.size()};
}

BillColumns Charges::columns(const NativeColumns& native) const {
  BillColumns columns = normal_columns(format_.kept.size());
  for (const NativeFormat::Origin& origin : format_.origins) {
    FileColumn& column = columns.normal[static_cast<size_t>(origin.column)];
    column.file = native.file[origin.native];
    column.stored_as_double = native.is_double[origin.native];
  }
  for (size_t i = 0; i < format_.kept.size(); ++i) {
    columns.further.push_back(
        {std::string(format_.kept[i].name), static_cast<int>(kBillColumns + i), false});
  }
  return columns;
}

Remainders::Remainders(std::vector<std::pair<Netting::Words, Money>> rest)
    : rest_(std::move(rest)), made_(kBillColumns), columns_(normal_columns(0)) {
  for (const auto& [words, amount] : rest_) {
    made_.add_row();
    for (const auto& [column, text] : words) {
      if (!text.empty()) made_.set(static_cast<size_t>(column), text);
    }
    made_.set(static_cast<size_t>(BillColumn::kChargeCategory), "Adjustment");
    amounts_.push_back(to_text(amount));
    for (const BillColumn cost : {BillColumn::kBilledCost, BillColumn::kEffectiveCost}) {
      made_.set(static_cast<size_t>(cost), amounts_.back());
    }
  }
}

std::string_view TagTexts::find(const NativeRow& row) {
  cells_.clear();
  for (size_t i = 0; i < row.tags(); ++i) {
    const std::string_view cell = row.tag(i);
    if (cell.empty()) continue;
    const uint32_t head[] = {static_cast<uint32_t>(i), static_cast<uint32_t>(cell.size())};
    cells_.append(reinterpret_cast<const char*>(head), sizeof(head)).append(cell);
  }
  return texts_.find(cells_, [&](std::string_view) {
    JsonRecord tags;
    for (size_t i = 0; i < row.tags(); ++i) {
      if (!row.tag(i).empty()) tags.emplace_back(row.tag_key(i), row.tag(i));
    }
    return json_object(tags);
  });
}

std::optional<size_t> find_native_column(const NativeFormat& format, std::string_view name) {
  const std::string folded = folded_native_name(name);
  for (size_t i = 0; i < format.columns.size(); ++i) {
    for (const std::string_view alternative : alternatives_of(format.columns[i].names)) {
      if (folded_native_name(alternative) == folded) return i;
    }
  }
  return std::nullopt;
}

void check_needed_columns(const BillFormat& format, const Source& source,
                          const std::vector<bool>& present, const Place& place) {
  const NativeFormat& native = *format.native;
  std::vector<std::string> absent;
  for (const size_t column : native.needed) {
    if (!present[column]) {
      absent.emplace_back(alternatives_of(native.columns[column].names).front());
    }
  }
  const bool no_other = absent.empty();
  if (!present[native.currency] && source.currency.empty()) {
    absent.emplace_back(alternatives_of(native.columns[native.currency].names).front());
  }
  if (absent.empty()) return;
  throw UserError("missing-column",
                  "the header has no column " + quoted_list(absent) + ", which format '" +
                      std::string(format.name) + "' needs",
                  no_other ? "name the currency of the source: 'currency: USD'"
                           : "is it an export of another kind? 'tare init' says what it looks "
                             "like; else map the column with 'columns:', such as {" +
                                 absent.front() + ": your_column}",
                  place);
}

NativeColumns find_native_columns(const BillFormat& format, const Source& source,
                                  const TextTable& table) {
  return NativeFinder(format, source, table).find();
}

}  // namespace tare::sources

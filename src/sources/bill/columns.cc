#include "sources/bill/columns.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace tare::sources {
namespace {

bool is_time(BillColumn column) {
  return column >= BillColumn::kBillingPeriodStart && column <= BillColumn::kChargePeriodEnd;
}

bool is_number(BillColumn column) {
  return column >= BillColumn::kBilledCost && column != BillColumn::kServiceProvider;
}

class ColumnFinder {
 public:
  ColumnFinder(const BillFormat& format, const Source& source, const TextTable& table)
      : format_(format), source_(source), table_(table) {}

  BillColumns find(bool currency_known) {
    take_mapping();
    for (size_t i = 0; i < table_.header().size(); ++i) place(static_cast<int>(i));
    place_stand_ins();
    check_required(currency_known);
    for (size_t i = 0; i < kBillColumns; ++i) {
      const bool text = i < kDimColumns || i == static_cast<size_t>(BillColumn::kServiceProvider);
      if (text && columns_.normal[i].present())
        columns_.texts.push_back({i, columns_.normal[i].stream});
    }
    std::sort(columns_.further.begin(), columns_.further.end(),
              [](const FurtherColumn& a, const FurtherColumn& b) { return a.name < b.name; });
    return std::move(columns_);
  }

 private:
  void take_mapping() {
    for (const auto& [ours, mapping] : source_.columns) {
      const FormatColumn* column = find_format_column(format_, ours);
      if (column == nullptr) throw unknown_column(ours);
      units_[column->column] = parse_time_unit(mapping.time_unit).value_or(TimeUnit::kIso);
      const std::string& wanted = mapping.column.empty() ? ours : mapping.column;
      const auto& header = table_.header();
      auto at = std::find(header.begin(), header.end(), wanted);
      if (at == header.end()) {
        at = std::find_if(header.begin(), header.end(), [&](const std::string& name) {
          return folded_name(format_, name) == folded_name(format_, wanted);
        });
      }
      if (at == header.end()) {
        throw mapped_column_missing(table_, ours, wanted, nearest_header_name(wanted),
                                    mapping.place);
      }
      mapped_[static_cast<int>(at - header.begin())] = column;
      mapped_columns_.insert(column->column);
    }
  }

  // One column of the file: normal or further.
  void place(int file_column) {
    const std::string& name = table_.header()[static_cast<size_t>(file_column)];
    const FormatColumn* column = nullptr;
    if (const auto at = mapped_.find(file_column); at != mapped_.end()) {
      column = at->second;
    } else {
      column = find_format_column(format_, name);
      // The mapping gave this place to another column of the file.
      if (column != nullptr && mapped_columns_.contains(column->column)) column = nullptr;
    }
    if (column == nullptr) {
      add_further(file_column, name);
      return;
    }
    FileColumn& normal = columns_.normal[static_cast<size_t>(column->column)];
    if (normal.file >= 0) throw twice(normal.file, file_column, *column);
    normal.file = file_column;
    choose_kind(normal, column->column);
    normal.stream = add_to_stream(file_column, normal.as);
    // The same text serves both: its value is checked here, its text is kept there.
    if (column->column == BillColumn::kListUnitPrice)
      add_further(file_column, std::string(column->name));
  }

  void place_stand_ins() {
    for (const FormatColumn& column : format_.stand_ins) {
      FileColumn& normal = columns_.normal[static_cast<size_t>(column.column)];
      const auto& header = table_.header();
      const auto at = std::find(header.begin(), header.end(), column.name);
      if (normal.file >= 0 || at == header.end()) continue;
      normal.file = static_cast<int>(at - header.begin());
      choose_kind(normal, column.column);
      normal.stream = add_to_stream(normal.file, normal.as);
    }
  }

  void choose_kind(FileColumn& normal, BillColumn column) const {
    const ColumnKind kind = table_.column_kind(normal.file);
    normal.stored_as_double = table_.column_is_double(normal.file);
    if (const auto at = units_.find(column); at != units_.end()) normal.unit = at->second;
    if (is_time(column) && kind == ColumnKind::kInstant) {
      normal.as = ColumnAs::kInstantNs;
      normal.stated_utc = table_.column_is_utc(normal.file);
    } else if (is_number(column) && kind == ColumnKind::kDouble) {
      normal.as = ColumnAs::kDouble;
    } else if (is_number(column) && kind == ColumnKind::kDecimal) {
      normal.as = ColumnAs::kDecimal;
      normal.scale = table_.column_scale(normal.file);
    }
  }

  int add_to_stream(int file_column, ColumnAs as) {
    columns_.file_columns.push_back(file_column);
    columns_.as.push_back(as);
    return static_cast<int>(columns_.file_columns.size()) - 1;
  }

  void add_further(int file_column, const std::string& name) {
    FurtherColumn further{name, add_to_stream(file_column, ColumnAs::kText), false};
    const std::string folded = folded_name(format_, name);
    bool known = find_format_column(format_, name) != nullptr;
    for (const std::string_view candidate : format_.further) {
      if (folded_name(format_, candidate) != folded) continue;
      further.name = candidate;
      known = true;
    }
    const bool prefixed = name.starts_with("x_") || name.starts_with("X_");
    further.unprefixed = format_.further_need_prefix && !known && !prefixed;
    columns_.further.push_back(std::move(further));
  }

  bool has(std::string_view name) const {
    return columns_[find_format_column(format_, name)->column].present();
  }

  void check_required(bool currency_known) const {
    std::vector<std::string> absent;
    for (const auto& alternatives : format_.required) {
      const bool met = std::any_of(alternatives.begin(), alternatives.end(), [&](const auto& all) {
        return std::all_of(all.begin(), all.end(),
                           [&](std::string_view name) { return has(name); });
      });
      const auto column = find_format_column(format_, alternatives.front().front())->column;
      const bool currency = column == BillColumn::kBillingCurrency;
      if (!met && !(currency && currency_known)) {
        absent.emplace_back(alternatives.front().front());
      }
    }
    if (!absent.empty()) throw missing(absent);
  }

  UserError missing(const std::vector<std::string>& absent) const {
    std::string hint;
    for (const std::string& name : absent) {
      const std::string nearest = nearest_header_name(name);
      if (nearest.empty()) continue;
      hint += (hint.empty() ? "the nearest names of the header: '" : ", '") + nearest + "'";
    }
    const bool only_currency = absent.size() == 1 && absent.front() == "BillingCurrency";
    if (!hint.empty()) hint += "; ";
    hint += only_currency ? "name the currency of the source: 'currency: USD'"
                          : "map the file's own names with 'columns:', such as {" + absent.front() +
                                ": your_column}";
    return {"missing-column",
            "the header has no column " + quoted_list(absent) + ", which format '" +
                std::string(format_.name) + "' needs",
            hint, table_.header_place()};
  }

  std::string nearest_header_name(const std::string& name) const {
    std::map<std::string, std::string> by_folded;
    std::vector<std::string> folded;
    for (const std::string& candidate : table_.header()) {
      folded.push_back(folded_name(format_, candidate));
      by_folded.emplace(folded.back(), candidate);
    }
    const std::string nearest = nearest_word_in(folded_name(format_, name), folded);
    return nearest.empty() ? "" : by_folded[nearest];
  }

  UserError unknown_column(const std::string& ours) const {
    std::vector<std::string> names;
    std::string all;
    for (const FormatColumn& column : format_.columns) {
      names.emplace_back(column.name);
      all += (all.empty() ? "" : ", ") + std::string(column.name);
    }
    const std::string nearest = nearest_word_in(ours, names);
    return {
        "column-unknown", "format '" + std::string(format_.name) + "' has no column '" + ours + "'",
        nearest.empty() ? "its columns: " + all : "did you mean '" + nearest + "'?", source_.place};
  }

  UserError twice(int first, int second, const FormatColumn& column) const {
    const auto& header = table_.header();
    return {"column-twice",
            "two columns stand for " + std::string(column.name) + ": '" +
                header[static_cast<size_t>(first)] + "' and '" +
                header[static_cast<size_t>(second)] + "'",
            "say which one with 'columns:', such as {" + std::string(column.name) + ": " +
                header[static_cast<size_t>(first)] + "}",
            table_.header_place()};
  }

  const BillFormat& format_;
  const Source& source_;
  const TextTable& table_;
  BillColumns columns_;
  std::map<int, const FormatColumn*> mapped_;
  std::set<BillColumn> mapped_columns_;
  std::map<BillColumn, TimeUnit> units_;
};

}  // namespace

std::string folded_name(const BillFormat& format, std::string_view name) {
  if (!format.loose_names) return std::string(name);
  std::string folded;
  const bool custom = name.starts_with("x_") || name.starts_with("X_");
  for (const char c : name) {
    if (!custom && (c == '_' || c == ' ')) continue;
    folded += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return folded;
}

BillColumns find_bill_columns(const BillFormat& format, const Source& source, bool currency_known,
                              const TextTable& table) {
  return ColumnFinder(format, source, table).find(currency_known);
}

}  // namespace tare::sources

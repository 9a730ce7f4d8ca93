#include "sources/plain/problems.h"

#include <algorithm>
#include <span>

namespace tare::sources {
namespace {

// Rows whose places are looked up in one pass: their texts are in memory together.
constexpr size_t kRowsPerPass = 65'536;

std::vector<Place> places_of(const TextTable& table, const std::vector<int64_t>& rows,
                             int file_column) {
  return table.places(rows, std::max(file_column, 0));
}

}  // namespace

void Problems::count(int64_t row, CellProblem problem) {
  Group& group = groups_[{{problem.code, problem.subject}, problem.file_column}];
  ++group.count;
  if (group.examples.size() < Findings::kMaxExamples) {
    group.examples.emplace_back(row, std::move(problem.text));
  }
}

void Problems::add_cell(int64_t row, CellProblem problem) { count(row, std::move(problem)); }

void Problems::add_row(int64_t row, CellProblem problem) {
  unused_[problem.file_column].push_back({row, problem.code});
  ++rows_not_used_;
  count(row, std::move(problem));
}

void Problems::settle(const TextTable& table, std::string_view source, Findings* findings,
                      store::TableWriter* quarantine) const {
  for (const auto& [key, group] : groups_) {
    const auto& [name, file_column] = key;
    std::vector<int64_t> rows;
    rows.reserve(group.examples.size());
    for (const auto& [row, text] : group.examples) rows.push_back(row);
    const std::vector<Place> places = places_of(table, rows, file_column);
    for (size_t i = 0; i < places.size(); ++i) {
      // An empty cell says nothing; its row does.
      const std::string& cell = group.examples[i].second;
      const std::string place = to_text(places[i]);
      findings->add({.code = name.first,
                     .source = source,
                     .subject = name.second,
                     .cost = {},
                     .currency = "",
                     .place = place,
                     .text = cell.empty() ? std::string_view(places[i].source_line) : cell});
    }
    const auto shown = static_cast<int64_t>(places.size());
    if (group.count > shown) {
      findings->add({.code = name.first,
                     .source = source,
                     .subject = name.second,
                     .cost = {},
                     .currency = "",
                     .place = "",
                     .text = "",
                     .rows = group.count - shown});
    }
  }
  for (const auto& [file_column, unused] : unused_) {
    for (size_t first = 0; first < unused.size(); first += kRowsPerPass) {
      const std::span<const UnusedRow> part =
          std::span(unused).subspan(first, std::min(kRowsPerPass, unused.size() - first));
      std::vector<int64_t> rows;
      rows.reserve(part.size());
      for (const UnusedRow& row : part) rows.push_back(row.row);
      const std::vector<Place> places = places_of(table, rows, file_column);
      for (size_t i = 0; i < places.size(); ++i) {
        add_quarantined(quarantine, to_text(places[i]), part[i].code, places[i].source_line);
      }
    }
  }
}

void add_quarantined(store::TableWriter* quarantine, std::string_view place, std::string_view code,
                     std::string_view text) {
  quarantine->set_text(0, place);
  quarantine->set_text(1, code);
  quarantine->set_text(2, text);
  quarantine->set_null(3);
  quarantine->set_null(4);
  quarantine->end_row();
}

}  // namespace tare::sources

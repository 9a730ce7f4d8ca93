#include "sources/bill/read_file.h"

#include "sources/bill/row_reader.h"

namespace tare::sources {
namespace {

constexpr int64_t kRowsPerProgress = 100'000;
constexpr size_t kMostHomeless = 200'000;

class FileReader {
 public:
  FileReader(const ReadScope& scope, const FoundFile& file,
             const std::optional<std::set<Month>>& only)
      : scope_(scope),
        only_(only),
        table_(TextTable::open(file.path, file.shown)),
        columns_(find_bill_columns(scope.format, scope.source,
                                   scope.format.is_plain || !scope.source.currency.empty(),
                                   table_)),
        unusable_(table_) {}

  void read(store::InputFile* input) {
    const int64_t rows = stream();
    table_.check_rows_read(rows);
    add_ragged();
    flush_unusable();
    const auto ragged = static_cast<int64_t>(table_.ragged_rows().size());
    const int64_t quarantined = unusable_.count() + ragged;
    if (!only_ && used_ == 0 && rows + ragged > 0) unusable_.refuse();
    note_second_bom(rows);
    if (only_) return;
    input->sha256 = table_.sha256();
    input->rows_in = rows + ragged;
    input->rows_used = used_;
    input->rows_quarantined = quarantined;
    input->lines_out = used_;
    CostSums in, out;
    for (const auto& [period, file] : touched_) file->merge_file_sums(in, out);
    in.merge(unusable_.sums());
    input->sums_in = in.texts();
    input->sums_out = out.texts();
    input->periods.clear();
    for (const auto& [period, file] : touched_) input->periods.push_back(to_text(period));
  }

 private:
  int64_t stream() {
    store::Database database({.threads = scope_.threads});
    store::Connection connection = database.connect();
    BillRowReader reader(scope_.format, columns_, scope_.defaults, scope_.source.time_zone);
    int64_t row = 0;
    try {
      store::Stream stream = connection.stream(table_.select(columns_.file_columns, columns_.as));
      while (const store::Chunk* chunk = stream.next()) {
        for (size_t at = 0; at < chunk->rows(); ++at, ++row) {
          take({*chunk, at, columns_}, reader, row);
          if (row % kRowsPerProgress == 0) tell(row);
        }
        for (const auto& [period, file] : touched_) file->finish_rows();
      }
    } catch (const store::QueryError& error) {
      throw table_.unreadable(error);
    }
    tell(row);
    return row;
  }

  void tell(int64_t row) const {
    if (scope_.progress) {
      scope_.progress({"reading " + table_.shown_path(), row, table_.rows()});
    }
  }

  void take(const Cells& cells, BillRowReader& reader, int64_t file_row) {
    const BillRow& row = reader.read(cells, file_row);
    if (row.period && !wanted(*row.period)) return;
    if (row.reject != Reject::kNone) {
      unusable_.add(cells, row, scope_.defaults);
      if (unusable_.is_full()) flush_unusable();
      return;
    }
    TARE_ASSERT(row.period.has_value(), "a row that can be used has a billing period");
    period_file(*row.period).add(cells, row, further_);
    ++used_;
  }

  bool wanted(Month period) const { return !only_ || only_->contains(period); }

  PeriodFile& period_file(Month period) {
    if (last_ != nullptr && last_->period() == period) return *last_;
    PeriodFile*& file = touched_[period];
    if (file == nullptr) {
      file = &scope_.periods.at(period);
      file->begin_file(table_.shown_path(), scope_.compare);
    }
    last_ = file;
    return *file;
  }

  void flush_unusable() {
    unusable_.flush([&](std::optional<Month> period, const UnusableRow& row) {
      if (period) {
        period_file(*period).add_unusable(row);
      } else {
        add_homeless(row);
      }
    });
  }

  void add_homeless(const UnusableRow& row) {
    if (scope_.homeless.size() == kMostHomeless) {
      throw UserError("rows-unusable",
                      "'" + table_.shown_path() + "' and its source have more than " +
                          std::to_string(kMostHomeless) + " rows without a readable charge period",
                      "correct the export", place_at(table_.shown_path()));
    }
    scope_.homeless.push_back(row);
  }

  void add_ragged() {
    for (const RaggedRow& ragged : table_.ragged_rows()) {
      UnusableRow row;
      row.place = to_text(place_at(table_.shown_path(), ragged.line, 1));
      row.text = ragged.text;
      row.code = "ragged-row";
      add_homeless(row);
    }
  }

  // Counted in the period of the file's first line: the mark is no row, and has none of its own.
  void note_second_bom(int64_t rows) {
    if (!table_.second_bom() || touched_.empty()) return;
    const std::string place =
        rows > 0 ? to_text(table_.place(0, 0)) : to_text(place_at(table_.shown_path()));
    touched_.begin()->second->add_finding({.code = "second-bom",
                                           .source = scope_.source.name,
                                           .subject = "",
                                           .cost = std::nullopt,
                                           .currency = "",
                                           .place = place,
                                           .text = "",
                                           .rows = 1});
  }

  const ReadScope& scope_;
  const std::optional<std::set<Month>>& only_;
  TextTable table_;
  BillColumns columns_;
  UnusableRows unusable_;
  FurtherColumns further_;
  std::map<Month, PeriodFile*> touched_;
  PeriodFile* last_ = nullptr;
  int64_t used_ = 0;
};

}  // namespace

PeriodFile& PeriodFiles::at(Month period) {
  std::unique_ptr<PeriodFile>& file = files_[period];
  if (file == nullptr) {
    file = std::make_unique<PeriodFile>(directory_, source_, defaults_, period);
  }
  return *file;
}

void read_bill_file(const ReadScope& scope, const FoundFile& file,
                    const std::optional<std::set<Month>>& only, store::InputFile* input) {
  FileReader(scope, file, only).read(input);
}

}  // namespace tare::sources

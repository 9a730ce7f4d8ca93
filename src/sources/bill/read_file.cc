#include "sources/bill/read_file.h"

#include <filesystem>
#include <memory>

#include "sources/bill/currencies.h"
#include "sources/bill/native/json_lines.h"
#include "sources/bill/native/native.h"
#include "sources/bill/row_reader.h"

namespace tare::sources {
namespace {

constexpr int64_t kRowsPerProgress = 100'000;
constexpr size_t kMostHomeless = 200'000;

// The rows of a file as charges with FOCUS's columns: as they are, or made of a provider's.
class ChargeStream {
 public:
  ChargeStream(const ReadScope& scope, const TextTable& table) : table_(table) {
    const bool currency_known = scope.format.is_plain || !scope.source.currency.empty();
    if (scope.format.native == nullptr) {
      columns_ = find_bill_columns(scope.format, scope.source, currency_known, table);
      return;
    }
    native_ = find_native_columns(scope.format, scope.source, table);
    charges_ = std::make_unique<Charges>(*scope.format.native);
    columns_ = charges_->columns(native_);
    mapper_ = scope.format.native->make(native_, scope.shared);
  }

  const BillColumns& columns() const { return columns_; }
  std::string select() const {
    const BillColumns& raw = charges_ ? native_.raw : columns_;
    return table_.select(raw.file_columns, raw.as);
  }
  // The charges of a chunk of the file; valid until the next call.
  const store::Chunk& charges_of(const store::Chunk* chunk) {
    raw_ = chunk;
    if (!charges_) return *chunk;
    charges_->clear();
    mapper_->begin_chunk();
    for (size_t row = 0; row < chunk->rows(); ++row) {
      charges_->begin_row(row);
      mapper_->map({*chunk, row, native_}, *charges_);
    }
    return charges_->chunk();
  }
  // Of the chunk given last: which of its rows a charge was made of, and that row as it stands
  // there.
  size_t raw_row(size_t charge) const { return charges_ ? charges_->raw_row(charge) : charge; }
  // With the column of the file in which a cost stands that can't be read.
  BillRow placed(const BillRow& row, size_t charge) const {
    BillRow placed = row;
    const bool cost = row.reject == Reject::kCostMissing || row.reject == Reject::kCostNotDecimal;
    if (charges_ && cost) {
      if (const auto native = charges_->cost_column(charge)) {
        placed.reject_column = native_.file[*native];
      }
    }
    return placed;
  }
  Cells raw_cells(size_t charge) const {
    return {*raw_, raw_row(charge), charges_ ? native_.raw : columns_};
  }

 private:
  const TextTable& table_;
  BillColumns columns_;
  NativeColumns native_;
  std::unique_ptr<Charges> charges_;
  std::unique_ptr<NativeMapper> mapper_;
  const store::Chunk* raw_ = nullptr;
};

class FileReader {
 public:
  FileReader(const ReadScope& scope, const FoundFile& file, const WantedPeriods& wanted)
      : scope_(scope),
        wanted_(wanted),
        lines_(scope.format.native != nullptr && scope.format.native->is_nested
                   ? flatten_json_lines(file.path, file.shown, scope.format, scope.source,
                                        scope.periods.directory())
                   : nullptr),
        table_(TextTable::open(lines_ ? lines_->path() : file.path, file.shown, options())),
        charges_(scope, table_),
        unusable_(table_) {}

  void read(store::InputFile* input) {
    scope_.shared.netting.begin_file(wanted_.replaced);
    const int64_t rows = stream();
    note_netted();
    table_.check_rows_read(rows);
    add_ragged();
    flush_unusable();
    const auto ragged = static_cast<int64_t>(table_.ragged_rows().size());
    const int64_t quarantined = unusable_.count() + ragged;
    // Rows that net are of use too, though no line is made of them, and so are rows of months that
    // a newer delivery has.
    const bool none_of_use = used_ == 0 && replaced_.empty() && unusable_.count() == rows;
    if (!wanted_.only && none_of_use && quarantined > 0) unusable_.refuse();
    note_second_bom(rows);
    if (wanted_.only) return;
    input->sha256 = lines_ ? lines_->sha256() : table_.sha256();
    input->rows_in = rows + ragged;
    input->rows_used = used_;
    input->rows_netted = rows - used_ - unusable_.count();
    input->rows_quarantined = quarantined;
    input->lines_out = lines_out_;
    CostSums in, out;
    for (const auto& [period, file] : touched_) file->merge_file_sums(in, out);
    in.merge(unusable_.sums());
    for (const Netting::FileSum& netted : scope_.shared.netting.file_sums()) {
      in.add(currency_code(netted.currency), {netted.amount, {}, {}, {}});
    }
    input->sums_in = in.texts();
    input->sums_out = out.texts();
    input->periods.clear();
    for (const auto& [period, file] : touched_) input->periods.push_back(to_text(period));
    input->replaced_periods.clear();
    for (const Month period : replaced_) input->replaced_periods.push_back(to_text(period));
  }

 private:
  TableOptions options() const {
    const bool nested = scope_.format.native != nullptr && scope_.format.native->is_nested;
    return {.open_structs = nested, .of_json_lines = lines_ != nullptr};
  }

  int64_t stream() {
    store::Database database({.threads = scope_.threads});
    store::Connection connection = database.connect();
    BillRowReader reader(scope_.format, charges_.columns(), scope_.defaults,
                         scope_.source.time_zone);
    int64_t row = 0, told = 0;
    try {
      store::Stream stream = connection.stream(charges_.select());
      while (const store::Chunk* chunk = stream.next()) {
        const store::Chunk& made = charges_.charges_of(chunk);
        for (size_t at = 0; at < made.rows(); ++at) take(made, at, reader, row);
        for (const auto& [period, file] : touched_) file->finish_rows();
        row += static_cast<int64_t>(chunk->rows());
        if (row < told + kRowsPerProgress) continue;
        tell(row);
        told = row;
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

  // A charge of a chunk whose first row is the file's row `first`.
  void take(const store::Chunk& made, size_t at, BillRowReader& reader, int64_t first) {
    const Cells cells{made, at, charges_.columns()};
    const int64_t file_row = first + static_cast<int64_t>(charges_.raw_row(at));
    const BillRow& row = reader.read(cells, file_row);
    if (row.period && !wanted(*row.period)) return;
    if (row.reject != Reject::kNone) {
      unusable_.add(cells, charges_.raw_cells(at), charges_.placed(row, at), scope_.defaults);
      if (unusable_.is_full()) flush_unusable();
      return;
    }
    TARE_ASSERT(row.period.has_value(), "a row that can be used has a billing period");
    period_file(*row.period).add(cells, row, further_);
    ++lines_out_;
    if (file_row != last_used_) ++used_;
    last_used_ = file_row;
  }

  // A period of rows that net is one of the file's, and may get a line of what is left over.
  void note_netted() {
    for (const Netting::FileSum& netted : scope_.shared.netting.file_sums()) {
      if (wanted(netted.period)) period_file(netted.period);
    }
  }

  bool wanted(Month period) {
    if (last_ != nullptr && last_->period() == period) return true;
    if (wanted_.replaced.contains(period)) {
      replaced_.insert(period);
      return false;
    }
    return !wanted_.only || wanted_.only->contains(period);
  }

  PeriodFile& period_file(Month period) {
    if (last_ != nullptr && last_->period() == period) return *last_;
    PeriodFile*& file = touched_[period];
    if (file == nullptr) {
      file = &scope_.periods.at(period);
      file->begin_file(scope_.part_of.empty() ? table_.shown_path() : scope_.part_of,
                       scope_.compare);
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
  const WantedPeriods& wanted_;
  std::unique_ptr<FlatLines> lines_;  // of JSON lines
  TextTable table_;
  ChargeStream charges_;
  UnusableRows unusable_;
  FurtherColumns further_;
  std::map<Month, PeriodFile*> touched_;
  std::set<Month> replaced_;
  PeriodFile* last_ = nullptr;
  int64_t used_ = 0, lines_out_ = 0, last_used_ = -1;
};

}  // namespace

PeriodFile& PeriodFiles::at(Month period) {
  std::unique_ptr<PeriodFile>& file = files_[period];
  if (file == nullptr) {
    file = std::make_unique<PeriodFile>(directory_, source_, defaults_, period);
  }
  return *file;
}

void add_remainders(const ReadScope& scope, PeriodFile& file) {
  if (scope.format.native == nullptr) return;
  Remainders remainders(scope.shared.netting.remainders(file.period()));
  const BillColumns& columns = remainders.columns();
  const store::Chunk& chunk = remainders.chunk();
  BillRowReader reader(scope.format, columns, scope.defaults, "");
  FurtherColumns further;
  file.begin_file("", false);
  for (size_t at = 0; at < chunk.rows(); ++at) {
    const Cells cells{chunk, at, columns};
    const BillRow& row = reader.read(cells, 0);
    TARE_ASSERT(row.reject == Reject::kNone, "what netted rows have in common makes a line");
    file.add(cells, row, further);
    file.add_finding(
        {.code = "netting-remainder",
         .source = scope.source.name,
         .subject = "",
         .cost = row.costs[0],
         .currency = currency_of(cells, scope.defaults),
         .place = "",
         .text = std::string(cells.raw(static_cast<int>(BillColumn::kSkuId)).value_or("")),
         .rows = 1});
  }
  file.finish_rows();
}

void read_bill_file(const ReadScope& scope, const FoundFile& file, const WantedPeriods& wanted,
                    store::InputFile* input) {
  FileReader(scope, file, wanted).read(input);
}

}  // namespace tare::sources

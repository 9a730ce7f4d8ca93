// A provider's export on its way to FOCUS: a format names its columns and makes charges of each
// row. What comes out has the columns of the normal form as text, and goes the way of any FOCUS
// file.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/money.h"
#include "sources/bill/columns.h"
#include "sources/bill/format.h"
#include "sources/bill/native/cells.h"
#include "sources/bill/native/netting.h"
#include "sources/bill/native/pairing.h"
#include "sources/text_table.h"

namespace tare::sources {

// A column of an export. Names are compared without regard to case, '_', ' ', '/', ':' and '.', and
// of a localised name ("Menge (Quantity)") the part in brackets counts.
struct NativeColumn {
  std::string_view names;  // "ResourceId|InstanceId": the first that the file has
  std::string_view doc;    // one line
};

// Where native columns are in a file and in its stream.
struct NativeColumns {
  struct Tag {
    std::string key;  // of the tags, as delivered
    int stream = -1;
  };
  std::vector<int> file;        // by NativeColumn; -1 absent
  std::vector<int> stream;      // by NativeColumn; -1 absent
  std::vector<bool> is_double;  // by NativeColumn: Parquet keeps it as a double
  std::vector<Tag> tags;        // columns that each hold one tag, sorted by key
  BillColumns raw;              // of the stream: what TextTable::select takes
  std::string currency;         // of rows without one; "" none
};

// What the rows of a source's files tell each other.
struct NativeShared {
  Netting netting;
  Pairing pairing;
};

// A row of the file.
class NativeRow {
 public:
  NativeRow(const store::Chunk& chunk, size_t row, const NativeColumns& columns)
      : chunk_(chunk), row_(row), columns_(columns) {}

  // Without spaces around; "" where it is unknown or absent. Valid while the chunk is.
  std::string_view operator[](size_t column) const { return cell(columns_.stream[column]); }
  bool has(size_t column) const { return columns_.stream[column] >= 0; }
  size_t tags() const { return columns_.tags.size(); }
  const std::string& tag_key(size_t tag) const { return columns_.tags[tag].key; }
  std::string_view tag(size_t tag) const { return cell(columns_.tags[tag].stream); }

 private:
  std::string_view cell(int stream) const;

  const store::Chunk& chunk_;
  size_t row_;
  const NativeColumns& columns_;
};

struct NativeFormat;

// The charges made of the rows of a chunk.
class Charges {
 public:
  explicit Charges(const NativeFormat& format);

  void clear();
  void begin_row(size_t raw_row) { raw_row_ = raw_row; }
  // Another charge of the row, all of it unknown but for what the format keeps under x.
  void add(const NativeRow& row);
  // Of the charge added last. Texts that are set outlive the chunk; kept ones are copied.
  void set(BillColumn column, std::string_view text) {
    if (!text.empty()) made_.set(static_cast<size_t>(column), text);
  }
  void keep(BillColumn column, std::string_view text) {
    if (!text.empty()) set(column, copy_of(text));
  }
  void keep(BillColumn column, Money amount) { keep(column, to_text(amount)); }
  // Of the charge added last: a further column of the format that only some rows have.
  void set_kept(size_t kept, std::string_view text) {
    if (!text.empty()) made_.set(kBillColumns + kept, text);
  }
  // Of the charge added last: the native column that its billed cost stands in, where that is not
  // the one that origins name.
  void set_cost_column(size_t native) { made_of_.back().cost_column = native; }

  const store::Chunk& chunk() { return made_.chunk(); }
  size_t raw_row(size_t charge) const { return made_of_[charge].raw_row; }
  std::optional<size_t> cost_column(size_t charge) const { return made_of_[charge].cost_column; }
  // Of chunk(), with the columns of the file that they are made of.
  BillColumns columns(const NativeColumns& native) const;

 private:
  struct MadeOf {
    size_t raw_row = 0;
    std::optional<size_t> cost_column;
  };
  std::string_view copy_of(std::string_view text);

  const NativeFormat& format_;
  store::TextChunk made_;
  std::vector<std::unique_ptr<char[]>> blocks_;  // of copied texts; kept over clear()
  size_t block_ = 0, block_used_ = 0;
  std::deque<std::string> long_texts_;
  std::vector<MadeOf> made_of_;
  size_t raw_row_ = 0;
};

// The tags of rows whose columns hold one tag each, as one object, made once for rows that are
// alike.
class TagTexts {
 public:
  // Valid until trim_to_size().
  std::string_view find(const NativeRow& row);
  void trim_to_size() { texts_.trim_to_size(); }

 private:
  MadeTexts texts_;
  std::string cells_;
};

// Makes charges of the rows of one file, and may remember what it has seen.
class NativeMapper {
 public:
  NativeMapper() = default;
  NativeMapper(const NativeMapper&) = delete;
  NativeMapper& operator=(const NativeMapper&) = delete;
  virtual ~NativeMapper() = default;
  // Before the rows of another chunk: nobody looks at the charges of the last one any more.
  virtual void begin_chunk() {}
  // None where the row is no charge of its own. A cost that can't be read is set as it stands, so
  // that the row is quarantined.
  virtual void map(const NativeRow& row, Charges& out) = 0;
};

// What is left over of rows that net, as charges: Adjustments.
class Remainders {
 public:
  explicit Remainders(std::vector<std::pair<Netting::Words, Money>> rest);
  const BillColumns& columns() const { return columns_; }
  const store::Chunk& chunk() { return made_.chunk(); }

 private:
  std::vector<std::pair<Netting::Words, Money>> rest_;
  std::deque<std::string> amounts_;
  store::TextChunk made_;
  BillColumns columns_;
};

struct NativeFormat {
  std::span<const NativeColumn> columns;
  std::span<const size_t> needed;  // of columns
  size_t currency = 0;             // needed too, unless the source names one
  // Columns that each hold one tag: how their names begin, and the tag's key by the rest of it.
  struct TagColumns {
    std::string_view prefix;
    std::string (*key)(std::string_view rest);
  };
  std::span<const TagColumns> tag_columns = {};
  // Which column of the file a normal one is made of, for messages.
  struct Origin {
    BillColumn column;
    size_t native;
  };
  std::span<const Origin> origins;
  // What is kept under x beside the normal columns; sorted by name.
  struct Kept {
    std::string_view name;
    size_t native;
    bool of_some_rows = false;  // set by the mapper alone
  };
  std::span<const Kept> kept;
  bool is_nested = false;  // of JSON lines too, and of Parquet with structs
  // `shared` outlives the mapper: it is of all files of a source.
  std::unique_ptr<NativeMapper> (*make)(const NativeColumns& columns,
                                        NativeShared& shared) = nullptr;
};

// Throws UserError missing-column, at `place`, where none of `present` (by column) is needed.
void check_needed_columns(const BillFormat& format, const Source& source,
                          const std::vector<bool>& present, const Place& place);
// Throws UserError missing-column.
NativeColumns find_native_columns(const BillFormat& format, const Source& source,
                                  const TextTable& table);
// The place of a needed or optional column by any of its names; empty: the format has none such.
std::optional<size_t> find_native_column(const NativeFormat& format, std::string_view name);

}  // namespace tare::sources

#include <filesystem>
#include <system_error>

#include "sources/plain/plain.h"
#include "sources/plain/problems.h"
#include "sources/plain/row.h"
#include "sources/text_table.h"

namespace tare::sources {
namespace {

// A change of what a reader makes of the same bytes changes this.
constexpr std::string_view kPlainReaderVersion = "plain-2";
constexpr size_t kLongestNameSlug = 40;

std::string reader_hash_of(const Source& source) {
  HashBuilder hash;
  hash.add(kPlainReaderVersion).add(source.format).add(source.model).add(source.currency);
  hash.add(source.time_zone);
  for (const auto& [name, column] : source.columns) {
    hash.add(name).add(column.column).add(column.time_unit);
  }
  return to_text(hash.finish());
}

// What of a name may stand in a file's name everywhere.
std::string slug_of(std::string_view name) {
  std::string slug;
  for (const char c : name.substr(0, kLongestNameSlug)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    slug += plain ? c : '-';
  }
  return slug;
}

// Stands for the bytes of all files and for how they are read: the name of the store file.
std::string content_hash(const Source& source, const std::vector<store::InputFile>& inputs) {
  HashBuilder hash;
  hash.add("facts").add(int64_t{store::kSchemaVersion}).add(source.name);
  for (const store::InputFile& input : inputs) {
    hash.add(input.reader_hash).add(input.file).add(input.sha256);
  }
  return to_text(hash.finish());
}

// Reads all files of a source into one store file.
class Loader {
 public:
  Loader(const Project& project, const Source& source, const LoadOptions& options,
         const Progress& progress)
      : source_(source),
        format_(*find_plain_format(source.format)),
        progress_(progress),
        directory_(store::store_directory(project.directory)),
        database_({.threads = options.threads}),
        connection_(database_.connect()) {}

  // The inputs with sizes, times and hashes filled in; their counts are set here.
  store::StoreFile write(const std::vector<FoundFile>& files,
                         std::vector<store::InputFile>* inputs) {
    std::vector<TextTable> tables;
    for (size_t i = 0; i < files.size(); ++i) {
      tables.push_back(TextTable::open(files[i].path, files[i].shown));
      (*inputs)[i].sha256 = tables.back().sha256();
    }
    std::filesystem::create_directories(directory_);
    store::StoreFile file;
    file.kind = "facts";
    file.source = source_.name;
    file.table = format_.table;
    file.derived_from = content_hash(source_, *inputs);
    store::FileWriter writer(directory_,
                             "facts-" + slug_of(source_.name) + "-" + file.derived_from);
    store::TableWriter rows = writer.table(format_.table, format_.table_columns());
    store::TableWriter quarantine = writer.table("quarantine", store::quarantine_columns());
    Findings findings;
    for (size_t i = 0; i < tables.size(); ++i) {
      read(tables[i], &(*inputs)[i], {&rows, &quarantine, &findings});
    }
    file.rows = rows.rows();
    rows.close();
    quarantine.close();
    store::write_findings(writer, findings);
    file.name = writer.seal();
    return file;
  }

 private:
  struct Targets {
    store::TableWriter* rows;
    store::TableWriter* quarantine;
    Findings* findings;
  };

  void read(const TextTable& table, store::InputFile* input, const Targets& targets) {
    Problems problems;
    RowReader in(format_, source_, table, &problems);
    RowWriter out(targets.rows, source_.name);
    const int64_t rows = stream(table, in, out);
    table.check_rows_read(rows);
    const int64_t ragged = quarantine_ragged(table, targets);
    problems.settle(table, source_.name, targets.findings, targets.quarantine);
    if (table.second_bom()) {
      const std::string place = rows > 0 ? to_text(table.place(0, 0)) : table.shown_path();
      add_finding("second-bom", place, "", targets);
    }
    input->rows_in = rows + ragged;
    input->rows_quarantined = problems.rows_not_used() + ragged;
    input->rows_used = input->rows_in - input->rows_quarantined;
    input->lines_out = input->rows_used;
  }

  int64_t stream(const TextTable& table, RowReader& in, RowWriter& out) {
    int64_t row = 0;
    try {
      store::Stream stream = table.stream(connection_, in.file_columns());
      while (const store::Chunk* chunk = stream.next()) {
        take(*chunk, row, in, out);
        row += static_cast<int64_t>(chunk->rows());
        if (progress_) progress_({"reading " + table.shown_path(), row, table.rows()});
      }
    } catch (const store::QueryError& error) {
      throw table.unreadable(error);
    }
    return row;
  }

  void take(const store::Chunk& chunk, int64_t first_row, RowReader& in, RowWriter& out) const {
    for (size_t at = 0; at < chunk.rows(); ++at) {
      in.begin(chunk, at, first_row + static_cast<int64_t>(at));
      format_.make_row(in, out);
      in.finish();
    }
  }

  int64_t quarantine_ragged(const TextTable& table, const Targets& targets) const {
    for (const RaggedRow& row : table.ragged_rows()) {
      const std::string place = to_text(place_at(table.shown_path(), row.line));
      add_finding("ragged-row", place, row.text, targets);
      add_quarantined(targets.quarantine, place, "ragged-row", row.text);
    }
    return static_cast<int64_t>(table.ragged_rows().size());
  }

  void add_finding(std::string_view code, std::string_view place, std::string_view text,
                   const Targets& targets) const {
    targets.findings->add({.code = code,
                           .source = source_.name,
                           .subject = "",
                           .cost = {},
                           .currency = "",
                           .place = place,
                           .text = text});
  }

  const Source& source_;
  const PlainFormat& format_;
  const Progress& progress_;
  std::string directory_;
  store::Database database_;
  store::Connection connection_;
};

// Whether a file's bytes and reader are those of an input before; `input` takes over its hash and
// counts then. Times alone may differ: a copied or touched file is not read again.
bool take_over(const FoundFile& file, const store::InputFile* known, bool verify,
               store::InputFile* input) {
  if (known == nullptr || known->reader_hash != input->reader_hash || known->size != file.size) {
    return false;
  }
  const bool same = is_unchanged(file, *known, input->reader_hash, verify) ||
                    (!verify && file_sha256(file) == known->sha256);
  if (!same) return false;
  const store::InputFile described = *input;
  *input = *known;
  input->mtime_ns = described.mtime_ns;
  input->ctime_ns = described.ctime_ns;
  return true;
}

// The store file that the catalog has for exactly these inputs, if it is still on the disk.
const store::StoreFile* kept_file(const Project& project, const Source& source,
                                  const store::Catalog& before,
                                  const std::vector<store::InputFile>& inputs) {
  const std::string wanted = content_hash(source, inputs);
  for (const store::StoreFile& file : before.files) {
    if (file.kind != "facts" || file.source != source.name || file.derived_from != wanted) continue;
    std::error_code error;
    const std::filesystem::path path =
        std::filesystem::path(store::store_directory(project.directory)) / file.name;
    if (std::filesystem::exists(path, error)) return &file;
  }
  return nullptr;
}

}  // namespace

SourceResult load_plain_source(const Project& project, const Source& source,
                               const std::vector<FoundFile>& files, const store::Catalog& before,
                               const LoadOptions& options, const Progress& progress) {
  TARE_ASSERT(find_plain_format(source.format) != nullptr, "a plain format");
  SourceResult result;
  const std::string reader_hash = reader_hash_of(source);
  bool changed = options.full_refresh;
  for (const FoundFile& file : files) {
    store::InputFile& input = result.inputs.emplace_back(input_of(source, file, reader_hash));
    const store::InputFile* known =
        options.full_refresh ? nullptr : known_input(before, source, file);
    changed = !take_over(file, known, options.verify, &input) || changed;
  }
  const store::StoreFile* kept =
      changed ? nullptr : kept_file(project, source, before, result.inputs);
  if (kept != nullptr) {
    result.files.push_back(*kept);
    return result;
  }
  // All of them make one store file: one that changed, or went away, has the others read again.
  for (const FoundFile& file : files) result.will_read.push_back(file.shown);
  if (options.dry_run) return result;
  result.files.push_back(Loader(project, source, options, progress).write(files, &result.inputs));
  return result;
}

}  // namespace tare::sources

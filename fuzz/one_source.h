// A project of one source whose only file is given as text: what its load makes of it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/errors.h"
#include "plain_reader.h"
#include "sources/sources.h"
#include "temporary_folder.h"

namespace tare::fuzz {

// One error of the user's, with a code, is an answer too.
struct Loaded {
  std::string error_code;  // "" where the file was loaded
  sources::SourceResult result;
  std::string store;  // the folder of the store's files, until the next load

  const store::InputFile& input() const { return result.inputs.front(); }
};

inline Loaded load_one(const Source& shape, const std::string& text) {
  static const TemporaryFolder folder;
  folder.write("rows.csv", text);
  Project project;
  project.directory = folder.path();
  project.name = "fuzz";
  project.currency = "USD";
  Source source = shape;
  source.name = "fuzz/" + source.format;
  source.path = "rows.csv";
  project.sources.push_back(source);
  Loaded loaded;
  loaded.store = store::store_directory(folder.path());
  std::filesystem::remove_all(loaded.store);
  try {
    loaded.result = sources::load_source(project, source, {}, {.threads = 1}, {});
  } catch (const UserError& error) {
    TARE_ASSERT(!error.code().empty(), "an error has a code");
    loaded.error_code = error.code();
    return loaded;
  }
  TARE_ASSERT(loaded.result.inputs.size() == 1, "one file is one input");
  const store::InputFile& input = loaded.input();
  TARE_ASSERT(input.rows_in == input.rows_used + input.rows_netted + input.rows_quarantined,
              "no row is lost");
  return loaded;
}

// The rows of a table in the store's files, and the sum of a column of money in it ("": of none).
struct StoredRows {
  int64_t count = 0;
  PlainSum sum;
};
inline StoredRows stored_rows(const Loaded& loaded, const std::string& table,
                              const std::string& money) {
  const std::string sums = money.empty() ? ""
                                         : ", coalesce(sum(" + money +
                                               "_units), 0), coalesce(sum(" + money + "_atto), 0)";
  StoredRows rows;
  // Never destroyed: what it needs may be gone at the end of the process.
  static auto& database = *new store::Database({.threads = 1});
  store::Connection connection = database.connect();
  for (const store::StoreFile& file : loaded.result.files) {
    if (table == "line" && file.period.empty()) continue;  // rows without a period, and no lines
    store::attach_file(connection, loaded.store + "/" + file.name, "file");
    const store::Result result = connection.query("SELECT count(*)" + sums + " FROM file." + table);
    rows.count += result.i64(0, 0);
    if (!money.empty()) rows.sum.add_stored(result.i128(0, 1), result.i128(0, 2));
    connection.query("DETACH file");
  }
  return rows;
}

// A file is refused for a reason that the plain reader sees too: for rows that can't be told apart
// there must be a byte in them that makes it hard.
inline void check_reason(const std::string& code, const std::string& rows, const PlainTable& plain,
                         int64_t used) {
  TARE_ASSERT(code != "quote-unclosed" || plain.unclosed, "a quote without an end");
  TARE_ASSERT(code != "no-usable-rows" || used == 0, "no row can be used");
  TARE_ASSERT(code != "csv-unreadable" || rows.find_first_of("\r\xEF") != std::string::npos,
              "rows can be told apart");
}

}  // namespace tare::fuzz

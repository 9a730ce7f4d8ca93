// The inside of a materialised answer: DuckDB's chunks are kept as they come and read in place.
#pragma once

#include <string>
#include <vector>

#include "store/handles.h"

namespace tare::store {

struct OwnedResult {
  duckdb_result result = {};
  OwnedResult() = default;
  ~OwnedResult() { duckdb_destroy_result(&result); }
  OwnedResult(const OwnedResult&) = delete;
  OwnedResult& operator=(const OwnedResult&) = delete;
};

struct Result::Impl {
  struct Part {
    duckdb_data_chunk chunk = nullptr;
    size_t first_row = 0;
    std::vector<const void*> values;
    std::vector<const uint64_t*> validity;
  };
  struct Cell {
    const Part* part = nullptr;
    size_t row = 0;  // within the part
  };

  OwnedResult owned;
  std::vector<Part> parts;
  std::vector<std::string> names;
  std::vector<duckdb_type> types;
  std::vector<duckdb_type> physical;  // of a decimal: the integer inside
  std::vector<int> scales;            // of decimals, else 0
  size_t rows = 0;

  // Types whose values can be read and printed here; others are cast to text by DuckDB.
  static bool readable(duckdb_type type);

  Impl() = default;
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  // Takes the chunks of `owned`. `names_instead` replaces the column names where it is not empty.
  void load(std::vector<std::string> names_instead);
  Cell cell(size_t row, size_t column) const;       // asserts that both exist
  int128 integer(size_t row, size_t column) const;  // the integer inside, of decimals too
};

Hash128 uuid_of(duckdb_hugeint value);
duckdb_hugeint uuid_value(Hash128 hash);
int128 int128_of(duckdb_hugeint value);
duckdb_hugeint hugeint_of(int128 value);

}  // namespace tare::store

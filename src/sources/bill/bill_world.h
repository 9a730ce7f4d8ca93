// A project with one bill source, for tests: write files, load, look at the store.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sources/sources.h"
#include "sources/test_support.h"

namespace tare::sources {

class BillWorld {
 public:
  explicit BillWorld(const std::string& format, const std::string& path = "bill") {
    project_.directory = folder_.path();
    project_.name = "world";
    project_.currency = "USD";
    add_source(format, path);
  }

  Project& project() { return project_; }
  Source& source() { return project_.sources.front(); }
  const store::Catalog& catalog() const { return catalog_; }
  void add_source(const std::string& format, const std::string& path) {
    Source source;
    source.kind = SourceKind::kBill;
    source.format = format;
    source.name = "bill/" + format + (project_.sources.empty() ? "" : "-2");
    source.path = path;
    source.place.file = "tare.yaml";
    source.place.line = 3 + static_cast<int64_t>(project_.sources.size());
    project_.sources.push_back(source);
  }

  BillWorld& write(const std::string& name, const std::string& text) {
    folder_.write("bill/" + name, text);
    return *this;
  }
  void remove(const std::string& name) { std::filesystem::remove(folder_.file("bill/" + name)); }
  std::string store_path(const std::string& name) const { return folder_.file(".tare/" + name); }

  // Loads all sources and makes the answer the store, as `tare load` does.
  SourceResult load(const LoadOptions& options = {}) {
    store::Catalog next;
    next.generation = catalog_.generation + 1;
    next.project = project_.name;
    SourceResult all;
    for (const Source& source : project_.sources) {
      SourceResult result = load_source(project_, source, catalog_, options, {});
      next.inputs.insert(next.inputs.end(), result.inputs.begin(), result.inputs.end());
      next.files.insert(next.files.end(), result.files.begin(), result.files.end());
      all.will_read.insert(all.will_read.end(), result.will_read.begin(), result.will_read.end());
    }
    all.inputs = next.inputs;
    all.files = next.files;
    if (options.dry_run) return all;
    std::sort(next.files.begin(), next.files.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    const std::string directory = store::store_directory(project_.directory);
    store::write_catalog(directory, next);
    store::remove_unreferenced(directory, next);
    catalog_ = next;
    return all;
  }
  std::string refusal(const LoadOptions& options = {}) {
    return refusal_of([&] { load(options); });
  }

  // The rows of an answer, cells joined by '|', in the order of their bytes.
  std::vector<std::string> sql(const std::string& query) const {
    store::Store open = store::Store::open(project_.directory);
    const store::Result answer = open.connection().query(query);
    std::vector<std::string> rows;
    for (size_t row = 0; row < answer.rows(); ++row) {
      std::string text;
      for (size_t column = 0; column < answer.columns(); ++column) {
        text += (column > 0 ? "|" : "") + answer.text_or_empty(row, column);
      }
      rows.push_back(text);
    }
    std::sort(rows.begin(), rows.end());
    return rows;
  }
  // "code rows", with the subject where there is one.
  std::vector<std::string> findings() const {
    return sql(
        "SELECT code || CASE WHEN subject = '' THEN '' ELSE ' ' || subject END || ' ' || "
        "CAST(sum(rows) AS VARCHAR) FROM store_finding GROUP BY code, subject");
  }
  std::vector<std::string> lines() const { return sql("SELECT * FROM bill_line"); }

 private:
  TestFolder folder_;
  Project project_;
  store::Catalog catalog_;
};

}  // namespace tare::sources

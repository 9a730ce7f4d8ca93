// What the tests of plain files share: one source loaded from a text, and its store file read back.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sources/discover.h"
#include "sources/plain/plain.h"
#include "sources/policy/test_project.h"
#include "store/store.h"

namespace tare::sources {

// A project with one source, which is loaded as often as a test asks for it.
class TestSource {
 public:
  // `entry`: further keys of the source's entry, such as "time_zone: UTC".
  TestSource(const std::string& kind, const std::string& format, const std::string& entry = "")
      : body_("sources: {" + kind + ": [{format: " + format + ", path: in/" +
              (entry.empty() ? "" : ", " + entry) + "}]}\n") {}

  const TestProject& folder() const { return folder_; }
  const store::Catalog& catalog() const { return catalog_; }

  TestSource& file(const std::string& name, const std::string& text) {
    folder_.write("in/" + name, text);
    return *this;
  }

  SourceResult load(const LoadOptions& options = {}) {
    const Project project = folder_.read_body(body_);
    const Source& source = project.sources[0];
    SourceResult result =
        load_plain_source(project, source, find_files(project, source), catalog_, options, {});
    if (!options.dry_run) {
      catalog_.inputs = result.inputs;
      catalog_.files = result.files;
    }
    return result;
  }

  std::string load_error() {
    return folder_.error_of([&] { load(); });
  }

  // Rows of the last load, one text a row, cells with '|' between them, null as "-".
  std::vector<std::string> query(const std::string& sql) const {
    store::Database database;
    store::Connection connection = database.connect();
    store::attach_file(connection,
                       store::store_directory(folder_.path()) + "/" + catalog_.files.at(0).name,
                       "facts");
    connection.query("USE facts");
    const store::Result result = connection.query(sql);
    std::vector<std::string> rows;
    for (size_t row = 0; row < result.rows(); ++row) {
      std::string& text = rows.emplace_back();
      for (size_t column = 0; column < result.columns(); ++column) {
        if (column > 0) text += '|';
        text += result.is_null(row, column) ? "-" : result.text(row, column);
      }
    }
    return rows;
  }
  std::vector<std::string> rows() const {
    return query("SELECT * FROM " + catalog_.files.at(0).table);
  }
  // "code subject rows: place text; place text", one a finding.
  std::vector<std::string> findings() const {
    return query(
        "SELECT f.code || ' ' || coalesce(nullif(f.subject, '') || ' ', '') || f.rows || ': ' || "
        "string_agg(e.place || ' ' || e.text, '; ' ORDER BY e.place, e.text) FROM finding f "
        "LEFT JOIN finding_example e USING (code, source, subject) "
        "GROUP BY f.code, f.subject, f.rows ORDER BY f.code, f.subject");
  }
  std::vector<std::string> quarantine() const {
    return query("SELECT place, code, text FROM quarantine ORDER BY ALL");
  }

 private:
  TestProject folder_;
  std::string body_;
  store::Catalog catalog_;
};

using Texts = std::vector<std::string>;

}  // namespace tare::sources

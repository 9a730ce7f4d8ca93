#include "store/store.h"

#include <filesystem>
#include <unistd.h>
#include <utility>

#include "base/errors.h"
#include "store/handles.h"
#include "store/views.h"

namespace tare::store {

namespace {

constexpr int kOpenAttempts = 200;

DatabaseOptions database_options(const OpenOptions& options) {
  std::error_code error;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
  DatabaseOptions database{.threads = options.threads};
  // Made only when a query spills. Not in the store, which readers never write to.
  if (!error)
    database.temp_directory = (temporary / ("tare-spill-" + std::to_string(::getpid()))).string();
  return database;
}

Catalog read_existing_catalog(const std::string& project_directory) {
  const std::string directory = store_directory(project_directory);
  Catalog catalog = read_catalog(directory);
  if (catalog.generation > 0) return catalog;
  std::error_code error;
  const bool exists =
      std::filesystem::exists(std::filesystem::path(directory) / "catalog.json", error);
  throw UserError("store-missing",
                  exists ? "the store '" + directory + "' was written by an older tare"
                         : "nothing is loaded: there is no store '" + directory + "'",
                  "tare load");
}

}  // namespace

std::string store_directory(const std::string& project_directory) {
  return (std::filesystem::path(project_directory) / ".tare").string();
}

struct Store::Impl {
  Catalog catalog;
  std::unique_ptr<Database> database;
  std::unique_ptr<Connection> connection;

  void open(const std::string& directory, const OpenOptions& options);
};

void Store::Impl::open(const std::string& directory, const OpenOptions& options) {
  database = std::make_unique<Database>(database_options(options));
  connection = std::make_unique<Connection>(database->connect());
  const std::vector<AttachedFile> attached = number_files(catalog);
  for (const AttachedFile& at : attached) {
    attach_file(*connection, (std::filesystem::path(directory) / at.file.name).string(), at.alias);
  }
  create_views(*connection, catalog, attached);
  if (!options.for_user_sql) return;
  // Attached files stay readable; nothing else of the machine can be opened from now on, and the
  // lock keeps SQL from saying otherwise.
  connection->query("SET enable_external_access = false; SET lock_configuration = true");
  allow_questions_only(*connection);
}

Store Store::open(const std::string& project_directory, const OpenOptions& options) {
  const std::string directory = store_directory(project_directory);
  for (int attempt = 1;; ++attempt) {
    auto impl = std::make_unique<Impl>();
    impl->catalog = read_existing_catalog(project_directory);
    try {
      impl->open(directory, options);
      return Store(std::move(impl));
    } catch (const UserError&) {
      // A loader may have replaced the catalog and removed the old files since it was read.
      const bool replaced = read_catalog(directory).generation != impl->catalog.generation;
      if (!replaced || attempt == kOpenAttempts) throw;
    }
  }
}

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store::~Store() = default;
Connection& Store::connection() { return *impl_->connection; }
const Catalog& Store::catalog() const { return impl_->catalog; }

void write_findings(FileWriter& file, const Findings& findings) {
  const std::vector<Finding> sorted = findings.sorted();
  TableWriter rows = file.table("finding", finding_columns());
  TableWriter examples = file.table("finding_example", finding_example_columns());
  for (const Finding& finding : sorted) {
    const auto add = [&](int64_t count, const std::string* currency,
                         const std::optional<Money>& cost) {
      rows.set_text(0, finding.code);
      rows.set_text(1, finding.source);
      rows.set_text(2, finding.subject);
      rows.set_i64(3, count);
      if (currency != nullptr) {
        rows.set_text(4, *currency);
      } else {
        rows.set_null(4);
      }
      rows.set_money(5, cost);
      rows.end_row();
    };
    if (finding.cost.empty()) add(finding.rows, nullptr, std::nullopt);
    bool first = true;
    for (const auto& [currency, cost] : finding.cost) {
      add(first ? finding.rows : 0, &currency, cost);
      first = false;
    }
    for (const FindingExample& example : finding.examples) {
      examples.set_text(0, finding.code);
      examples.set_text(1, finding.source);
      examples.set_text(2, finding.subject);
      examples.set_text(3, example.place);
      examples.set_text(4, example.text);
      examples.set_text(5, example.cost);
      examples.end_row();
    }
  }
  rows.close();
  examples.close();
}

}  // namespace tare::store

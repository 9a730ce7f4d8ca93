// Brings derived files up to date: one task a billing period, so that periods are posted side by
// side; within a period the shared charges wait for all else.
#include "ledger/ledger.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "ledger/audit.h"
#include "ledger/post_file.h"

namespace tare::ledger {
namespace {

// Changes whenever the same inputs would give other postings or other tables.
constexpr std::string_view kDerivation = "ledger-4";

std::string derivation_hash(const Project& project, const store::Catalog& catalog) {
  HashBuilder builder;
  builder.add(kDerivation).add(to_text(project.policy_hash)).add(project.currency);
  for (const store::StoreFile& file : catalog.files) {
    if (file.kind == "bill" || file.kind == "facts") builder.add(file.name);
  }
  return to_text(builder.finish());
}

bool is_up_to_date(const std::string& hash, const store::Catalog& catalog,
                   const store::Catalog& before, PostResult* result) {
  size_t wanted = 1, found = 0;  // a timeline, and a ledger file a bill file
  for (const store::StoreFile& file : catalog.files) wanted += file.kind == "bill" ? 1U : 0U;
  for (const store::StoreFile& file : before.files) {
    bool derived = file.kind == "timeline" || file.kind == "ledger";
    if (!derived || file.derived_from != hash) continue;
    result->files.push_back(file);
    ++found;
  }
  if (found == wanted) return true;
  result->files.clear();
  return false;
}

struct PeriodTask {
  std::vector<const timeline::BillFile*> bills;
  std::vector<store::StoreFile> written;
};

class PeriodPoster {
 public:
  PeriodPoster(const Project& project, const std::string& store_directory,
               timeline::Timeline& timeline, std::string hash)
      : project_(project),
        store_directory_(store_directory),
        timeline_(timeline),
        hash_(std::move(hash)) {}

  void post_period(PeriodTask* task, const Progress& progress) {
    store::Connection connection = timeline_.connect();
    ModelCosts model_costs;
    std::vector<std::unique_ptr<FilePoster>> posters;
    for (const timeline::BillFile* bill : task->bills) {
      posters.push_back(
          std::make_unique<FilePoster>(project_, timeline_, *bill, store_directory_, hash_));
      posters.back()->post_lines(connection, &model_costs, progress);
    }
    for (auto& poster : posters) poster->post_shared(connection, model_costs);
    for (size_t i = 0; i < posters.size(); ++i) {
      task->written.push_back(posters[i]->finish());
      audit_written(connection, *task->bills[i], task->written.back());
    }
  }

 private:
  void audit_written(store::Connection& connection, const timeline::BillFile& bill,
                     const store::StoreFile& file) {
    std::string alias = "audit_" + bill.alias;
    store::attach_file(connection, store_directory_ + "/" + file.name, alias);
    const std::vector<Conservation> audited = audit_file(connection, bill.alias, alias);
    TARE_ASSERT(audited == audit_summaries(connection, bill.alias, alias),
                "the summaries sum to the lines and the postings");
    for (const Conservation& row : audited) {
      TARE_ASSERT(row.conserved(),
                  fmt::format("{} of invoice '{}': lines {} and postings {} agree", row.cost_column,
                              row.invoice_id, to_text(row.lines), to_text(row.postings)));
    }
    connection.query("DETACH " + alias);
  }

  const Project& project_;
  const std::string& store_directory_;
  timeline::Timeline& timeline_;
  std::string hash_;
};

void run_tasks(std::vector<PeriodTask>* tasks, int threads,
               const std::function<void(PeriodTask*)>& work) {
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  auto worker = [&] {
    for (size_t i = next++; i < tasks->size(); i = next++) {
      try {
        work(&(*tasks)[i]);
      } catch (...) {
        std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        return;
      }
    }
  };
  std::vector<std::thread> workers;
  for (int i = 1; i < threads && i < static_cast<int>(tasks->size()); ++i)
    workers.emplace_back(worker);
  worker();
  for (std::thread& thread : workers) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

PostResult post(const Project& project, const std::string& store_directory,
                const store::Catalog& catalog, const store::Catalog& before,
                const PostOptions& options, const Progress& progress) {
  PostResult result;
  std::string hash = derivation_hash(project, catalog);
  if (!options.full_refresh && is_up_to_date(hash, catalog, before, &result)) {
    result.horizon_ns = before.horizon_ns;
    return result;
  }
  result.rebuilt = true;
  if (progress) progress({"laying out who held what", 0, 0});
  Findings findings;
  timeline::Timeline timeline =
      timeline::Timeline::build(project, store_directory, catalog, &findings);
  result.horizon_ns = std::max<int64_t>(timeline.horizon_ns(), 0);
  std::map<std::string, PeriodTask> by_period;
  for (const timeline::BillFile& bill : timeline.bills())
    by_period[bill.period].bills.push_back(&bill);
  std::vector<PeriodTask> tasks;
  for (auto& [period, task] : by_period) tasks.push_back(std::move(task));
  std::mutex talk;
  Progress one_at_a_time = [&](const ProgressEvent& event) {
    std::lock_guard lock(talk);
    if (progress) progress(event);
  };
  PeriodPoster poster(project, store_directory, timeline, hash);
  run_tasks(&tasks, options.threads,
            [&](PeriodTask* task) { poster.post_period(task, one_at_a_time); });
  result.files.push_back(timeline.write(store_directory, hash, findings));
  for (PeriodTask& task : tasks) {
    for (store::StoreFile& file : task.written) result.files.push_back(std::move(file));
  }
  return result;
}

}  // namespace tare::ledger

// Brings derived files up to date: one task a billing period, so that periods are posted side by
// side; within a period the shared charges wait for all else.
#include "ledger/ledger.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "ledger/audit.h"
#include "ledger/post_file.h"
#include "ledger/rates.h"

namespace tare::ledger {
namespace {

// Changes whenever the same inputs would give other postings or other tables.
constexpr std::string_view kDerivation = "ledger-6";

// What each derived file is derived from, as the hash that stands in its name (R52). Rates decide
// nothing but the periods with a line in another currency.
class Derivation {
 public:
  Derivation(const Project& project, const store::Catalog& catalog) {
    HashBuilder all;
    HashBuilder rates;
    bool any_rates = false;
    all.add(kDerivation).add(to_text(project.policy_hash)).add(project.currency);
    rates.add(kDerivation);
    for (const store::StoreFile& file : catalog.files) {
      if (is_rates_file(file)) {
        rates.add(file.name);
        any_rates = true;
      } else if (file.kind == "bill" || file.kind == "facts") {
        all.add(file.name);
      }
      if (file.kind == "bill") ++bills_;
    }
    timeline_ = to_text(all.finish());
    if (!any_rates) return;
    rates_ = to_text(rates.finish());
    converting_ = to_text(HashBuilder().add(timeline_).add(rates_).finish());
    find_converting_periods(project, catalog);
  }

  const std::string& timeline() const { return timeline_; }
  const std::string& rates() const { return rates_; }  // "": the project has none
  const std::string& of_period(const std::string& period) const {
    return converting_periods_.contains(period) ? converting_ : timeline_;
  }
  // Whether the file is as it would be made again.
  bool is_current(const store::StoreFile& file) const {
    if (file.kind == "timeline") return file.derived_from == timeline_;
    if (file.kind == "rates") return file.derived_from == rates_;
    return file.kind == "ledger" && file.derived_from == of_period(file.period);
  }
  size_t files() const { return bills_ + (rates_.empty() ? 1U : 2U); }

 private:
  // By the sums that sources keep of each input file, "billed_cost EUR" and the like.
  void find_converting_periods(const Project& project, const store::Catalog& catalog) {
    for (const store::InputFile& input : catalog.inputs) {
      const bool foreign =
          std::any_of(input.sums_out.begin(), input.sums_out.end(), [&](const auto& sum) {
            return sum.first.substr(sum.first.find(' ') + 1) != project.currency;
          });
      if (foreign) converting_periods_.insert(input.periods.begin(), input.periods.end());
    }
    // Of lines by a rate card nobody keeps such sums.
    for (const store::StoreFile& file : catalog.files) {
      const bool priced =
          std::any_of(project.sources.begin(), project.sources.end(), [&](const Source& source) {
            return source.kind == SourceKind::kRateCards && source.name == file.source;
          });
      if (priced && file.kind == "bill") converting_periods_.insert(file.period);
    }
  }

  std::string timeline_, rates_, converting_;
  std::set<std::string> converting_periods_;
  size_t bills_ = 0;
};

struct PeriodTask {
  std::vector<const timeline::BillFile*> bills;
  std::vector<store::StoreFile> written;
};

class PeriodPoster {
 public:
  PeriodPoster(const Project& project, const std::string& store_directory,
               timeline::Timeline& timeline, const Rates& rates, const Derivation& derivation)
      : project_(project),
        store_directory_(store_directory),
        timeline_(timeline),
        rates_(rates),
        derivation_(derivation) {}

  void post_period(PeriodTask* task, const Progress& progress) {
    store::Connection connection = timeline_.connect();
    ModelCosts model_costs;
    std::vector<std::unique_ptr<FilePoster>> posters;
    for (const timeline::BillFile* bill : task->bills) {
      posters.push_back(std::make_unique<FilePoster>(project_, timeline_, rates_, *bill,
                                                     store_directory_,
                                                     derivation_.of_period(bill->period)));
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
    TARE_ASSERT(count_false_conversions(connection, bill.alias, alias) == 0,
                "each converted cost is the line's at its rate");
    connection.query("DETACH " + alias);
  }

  const Project& project_;
  const std::string& store_directory_;
  timeline::Timeline& timeline_;
  const Rates& rates_;
  const Derivation& derivation_;
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

namespace {

// Every period of which some ledger file is not current, with its bills.
std::vector<PeriodTask> tasks_of(const timeline::Timeline& timeline,
                                 const std::vector<store::StoreFile>& kept) {
  std::set<std::string> posted;
  for (const store::StoreFile& file : kept) {
    if (file.kind == "ledger") posted.insert(file.period);
  }
  std::map<std::string, PeriodTask> by_period;
  for (const timeline::BillFile& bill : timeline.bills()) {
    if (!posted.contains(bill.period)) by_period[bill.period].bills.push_back(&bill);
  }
  std::vector<PeriodTask> tasks;
  for (auto& [period, task] : by_period) tasks.push_back(std::move(task));
  return tasks;
}

bool has_kind(const std::vector<store::StoreFile>& files, std::string_view kind) {
  return std::any_of(files.begin(), files.end(),
                     [&](const store::StoreFile& file) { return file.kind == kind; });
}

}  // namespace

PostResult post(const Project& project, const std::string& store_directory,
                const store::Catalog& catalog, const store::Catalog& before,
                const PostOptions& options, const Progress& progress) {
  PostResult result;
  const Derivation derivation(project, catalog);
  if (!options.full_refresh) {
    std::copy_if(before.files.begin(), before.files.end(), std::back_inserter(result.files),
                 [&](const store::StoreFile& file) { return derivation.is_current(file); });
  }
  if (result.files.size() == derivation.files()) {
    result.horizon_ns = before.horizon_ns;
    return result;
  }
  result.rebuilt = true;
  if (progress) progress({"laying out who held what", 0, 0});
  Findings findings, rate_findings;
  timeline::Timeline timeline =
      timeline::Timeline::build(project, store_directory, catalog, &findings);
  result.horizon_ns = std::max<int64_t>(timeline.horizon_ns(), 0);
  const Rates rates = Rates::read(store_directory, catalog, &rate_findings);
  std::vector<PeriodTask> tasks = tasks_of(timeline, result.files);
  std::mutex talk;
  Progress one_at_a_time = [&](const ProgressEvent& event) {
    std::lock_guard lock(talk);
    if (progress) progress(event);
  };
  PeriodPoster poster(project, store_directory, timeline, rates, derivation);
  run_tasks(&tasks, options.threads,
            [&](PeriodTask* task) { poster.post_period(task, one_at_a_time); });
  if (!has_kind(result.files, "timeline"))
    result.files.push_back(timeline.write(store_directory, derivation.timeline(), findings));
  if (!derivation.rates().empty() && !has_kind(result.files, "rates"))
    result.files.push_back(rates.write(store_directory, derivation.rates(), rate_findings));
  for (PeriodTask& task : tasks) {
    for (store::StoreFile& file : task.written) result.files.push_back(std::move(file));
  }
  return result;
}

}  // namespace tare::ledger

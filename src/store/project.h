// What tare.yaml says, checked. Parsed by src/sources/policy; kept here because every stage reads
// it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "base/hash128.h"

namespace tare {

enum class SourceKind : uint8_t {
  kBill,
  kRuns,
  kHolds,
  kResources,
  kAliases,
  kTelemetry,
  kOutcomes,
  kRequests,
  kInvoices,
  kRates,
  kRateCards
};

enum class CostBasis : uint8_t { kBilled, kEffective, kList, kContracted };
std::string_view to_text(CostBasis basis);
std::optional<CostBasis> parse_cost_basis(std::string_view text);

struct ColumnMapping {
  std::string column;     // the file's own column name
  std::string time_unit;  // "", "iso", "s", "ms", "us", "ns"
  Place place{};          // of the entry in tare.yaml
};

// By what a source's deliveries are told apart and put in order.
enum class Newest : uint8_t { kNone, kFolder, kFile, kExportTime };

struct Source {
  SourceKind kind = SourceKind::kBill;
  std::string
      name;  // unique in the project: `name:` of the entry, else "<kind>/<format>" (+ "-2", ...)
  std::string format;    // "focus", "bill", "runs", ...
  std::string path;      // as written: a file, a folder or a glob, relative to the project's folder
  std::string model;     // requests: the model of a file without that column
  std::string currency;  // of a bill without a currency column
  std::optional<CostBasis> basis;
  std::map<std::string, ColumnMapping> columns;  // our column -> the file's column
  std::string
      time_zone;  // of times without a zone: "" is UTC with a finding, else "UTC" or "+02:00"
  Newest newest = Newest::kNone;  // of a bill
  bool append = false;            // of a bill: each file adds to the others, none replaces another
  Place place;                    // of the entry in tare.yaml
};

struct ModelPolicy {
  std::string name;
  std::string outcome;  // the outcome that unit costs divide by; "" none
  std::map<std::string, std::pair<std::string, std::string>>
      stage_tags;  // stage -> (tag key, value glob)
  std::string team;
  int64_t deploy_window_ns = 0;
  bool interrupt_tolerant = false;
};

// identity: a tag pattern that names a model, stage and team. Values may hold ${key}: the tag's
// value.
struct IdentityRule {
  std::vector<std::pair<std::string, std::string>> match;  // tag key -> value glob; all must match
  std::string model, stage, team;
  Place place;
};

enum class SharedRule : uint8_t { kKeep, kProportional, kByRequest, kEqual, kDeclared };
struct SharedPolicy {
  std::string what;               // the account's last part
  std::string service, category;  // globs, no regard to case; "" matches all
  SharedRule rule = SharedRule::kKeep;
  std::map<std::string, std::string> declared;  // model -> fraction text, for kDeclared
  Place place;
};

// shares: divides a run or endpoint that serves several models.
struct ShareRule {
  std::string run;                              // glob of run ids
  std::map<std::string, std::string> declared;  // model -> fraction; empty: by requests
};

struct Policy {
  std::string split = "device-time";
  bool idle_proportional = false;
  bool credits_follow = false;
  std::vector<SharedPolicy> shared;  // first match wins, in the file's order
  std::string pool_tag;
  std::vector<std::string> run_id_tags = {
      "run_id",           "job_id",        "tare.run_id",        "mlflow.run_id",
      "slurm_job_id",     "ray_job_id",    "sagemaker:job-name", "sagemaker:endpoint-name",
      "vertex-ai-job-id", "azureml.job_id"};
  std::string flat_ratio = "0.05";
  std::string min_coverage = "0.8";
  std::string efficient_sm_active =
      "0.5";  // busy time with less SM activity while busy is inefficient
  int64_t idle_after_ns = 15LL * 60 * 1'000'000'000;
  int64_t silence_ns = 0;  // 0: the rule's default
  int64_t maturity_days = 0;
};

struct InstanceType {  // overrides of the built-in table (R25): `shapes:` in tare.yaml
  std::string name;
  int64_t devices = 0;
  int64_t cpus = 0;
  std::string device_model;
};

struct Project {
  std::string directory;  // of tare.yaml
  std::string name;
  std::string currency;
  std::string time_zone = "UTC";
  std::optional<CostBasis> basis;  // default effective
  std::vector<Source> sources;
  std::vector<ModelPolicy> models;     // sorted by name
  std::vector<IdentityRule> identity;  // in the file's order
  std::vector<ShareRule> shares;
  std::map<std::string, std::string> pool_teams;
  std::vector<InstanceType> shapes;
  Policy policy;
  Hash128
      policy_hash;  // of all that decides numbers: models, identity, shares, pools, shapes, policy
};

}  // namespace tare

// The tables inside store files, one column list a table, in the order in which writers set
// columns.
//
// Money inside is two BIGINTs: <name>_units and <name>_atto (money.h). Instants are BIGINT ns.
// Small enumerations are UTINYINT, their texts below. Views for people are made in views.cc.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "store/files.h"

namespace tare::store {

// Texts are VARCHAR, ids of a file's own rows (dim, account, attempt, month) INTEGER, instants,
// counts and durations BIGINT. A file has those of its tables that have rows or were asked for; a
// missing table reads as an empty one.

// --- kind "bill": bill-<source>-<period>-<hash>, one (source, billing period)
// ----------------------
const std::vector<ColumnSpec>& dim_columns();  // "dim": id, then kDimColumnNames
// "line": id UUID, dim, charge_start, charge_end, {billed, effective, list, contracted}_{units,
// atto}, consumed_{units, atto}, pricing_{units, atto}, x VARCHAR (JSON of further columns, or
// null)
const std::vector<ColumnSpec>& line_columns();
// "line_sum": month (of the charge's start, from 1970-01), billing_currency, invoice_issuer_name,
// invoice_id, charge_category, commitment_discount_id, commitment_discount_status, summed costs,
// lines, and how many of them have no effective, list or contracted cost. Rows sum to the lines.
const std::vector<ColumnSpec>& line_sum_columns();
// "quarantine" (of facts files too): place, code, text (the row as it stood), cost DECIMAL(38,18)
// (readable money, or null), currency
const std::vector<ColumnSpec>& quarantine_columns();

// --- kind "facts": facts-<source>-<hash>, the rows of one source of plain files
// -------------------- In the order of rows.h's members; optional numbers are null; money (and
// counts and watts, which are decimals too) is two columns; fractions are VARCHAR "n/d".
const std::vector<ColumnSpec>& run_columns();           // "run"
const std::vector<ColumnSpec>& hold_columns();          // "hold"
const std::vector<ColumnSpec>& resource_columns();      // "resource"
const std::vector<ColumnSpec>& alias_columns();         // "alias"
const std::vector<ColumnSpec>& device_usage_columns();  // "device_usage"
const std::vector<ColumnSpec>& outcome_columns();       // "outcome"
const std::vector<ColumnSpec>& invoice_columns();       // "invoice"
const std::vector<ColumnSpec>& rate_columns();          // "rate"
const std::vector<ColumnSpec>& rate_card_columns();     // "rate_card"
const std::vector<ColumnSpec>& request_columns();       // "request"
const std::vector<ColumnSpec>& retrain_data_columns();  // "retrain_data"

// --- kind "timeline": timeline-<hash>
// -------------------------------------------------------------- "run": run_id, attempt,
// parent_run_id, model, stage, team, state, start_ns, end_ns, end_known_by, source, exit_reason,
// last_checkpoint_ns, name, experiment, cost_center
const std::vector<ColumnSpec>& timeline_run_columns();
// "hold": run_id, attempt, resource_id (canonical), device, start_ns, end_ns, weight VARCHAR
const std::vector<ColumnSpec>& timeline_hold_columns();
// "resource": resource_id, pool, team, devices, device_class UTINYINT, device_model, cpus VARCHAR,
// tracked_from_ns
const std::vector<ColumnSpec>& timeline_resource_columns();
// "device_state": resource_id, device, start_ns, end_ns, run_id, attempt, state UTINYINT, state_ns,
// source UTINYINT
const std::vector<ColumnSpec>& device_state_columns();
// "retrain": model, month, run_id, runs. Finished training runs that are no child of another
// training run, by the month of their last instant: run_id is null and `runs` how many, but a run
// that finished in several of these (by several attempts) has a row of its own in each.
const std::vector<ColumnSpec>& retrain_columns();

// --- kind "rates": rates-<hash>, the usable rates of all sources, one a day
// -------------------------------------------------------------- "rate": from_currency,
// to_currency, day_ns, rate_units, rate_atto
const std::vector<ColumnSpec>& usable_rate_columns();

// --- kind "ledger": ledger-<source>-<period>-<hash>, postings of one bill file and its summaries
// ---- "account": id, account, kind, model, stage, team, pool, run_id, attempt
const std::vector<ColumnSpec>& account_columns();
// "posting_dim": id, currency, invoice_id, issuer, service_name, service_category, region_id,
// resource_id, billing_account_id, device_class UTINYINT. The ids are the bill file's, and beyond
// them those of its dims whose lines were converted, once more in the project's currency.
const std::vector<ColumnSpec>& posting_dim_columns();
// "posting": line (row of the bill file's "line", from 0), dim, account, rule UTINYINT, four costs
// (8 BIGINT), held_ns, billed_ns
const std::vector<ColumnSpec>& posting_columns();
// "day_cost": dim, account, rule, state UTINYINT, busy_known BOOLEAN, month (from 1970-01), day (ns
// of midnight), summed costs, postings, held_ns, billed_ns. Rows sum to the postings: money without
// device-time has state kOtherCharges; a posting of several states counts and holds in one of them.
const std::vector<ColumnSpec>& day_cost_columns();
// "month_cost": month, currency, issuer, invoice_id, kind, model, stage, pool, device_class
// UTINYINT, state UTINYINT, busy_known BOOLEAN, summed costs, billed_ns. Rows sum to those of
// "day_cost"; a sum of device-time beyond 64 bits takes several rows.
const std::vector<ColumnSpec>& month_cost_columns();

// "used_rate": id, from_currency, to_currency, day_ns (the rate's own), rate as the file gives it,
// inverse BOOLEAN (the file gives the rate from to_currency to from_currency). Absent, as the two
// below, where nothing was converted.
const std::vector<ColumnSpec>& used_rate_columns();
// "converted": line (row of the bill file's "line"), dim (of "posting_dim"), rate (of "used_rate"),
// the line's four costs in the project's currency: what its postings sum to
const std::vector<ColumnSpec>& converted_columns();
// "conversion": month (of the charge's start), rate (of "used_rate"), issuer, invoice_id, lines,
// how many of them have no effective, list or contracted cost, summed costs in their own currency
// ("own_..."), summed costs as converted. Rows sum to "converted" and to the lines that it names.
const std::vector<ColumnSpec>& conversion_columns();

// --- every kind: written by write_findings
// --------------------------------------------------------- "finding": code, source, subject, rows,
// currency, cost_units, cost_atto. One row a currency, of which only the first (by currency)
// carries the rows, so that sums of rows and of costs both hold; currency and cost are null where
// no money is known.
const std::vector<ColumnSpec>& finding_columns();
// "finding_example": code, source, subject, place, text, cost VARCHAR
const std::vector<ColumnSpec>& finding_example_columns();

// Every table above, by the kind of file it stands in ("" is any), and the view of an open store
// that shows its rows of all files: `file` (the number of a source and period, the same for its
// bill and its ledger, so that (file, id) is a key), in bill and ledger files and quarantine also
// `source`, `period` ("2026-08") and `billing_period_start_ns`, then the table's own columns.
struct TableSpec {
  std::string_view file_kind;
  std::string_view name;
  std::string_view view;
  const std::vector<ColumnSpec>& (*columns)();
  bool has_row = false;  // the view has the row's number in its file, from 0, as `row`
};
std::span<const TableSpec> store_tables();

enum class Evidence : uint8_t { kExact, kOverlap, kTag, kPolicy, kCategory, kNone };
inline constexpr std::array<std::string_view, 6> kEvidenceTexts = {"exact",  "overlap",  "tag",
                                                                   "policy", "category", "none"};

// Why a line was posted where it was; `tare explain` prints the sentence.
enum class Rule : uint8_t {
  kTax,
  kCommitmentUnused,
  kReservationUnused,
  kCommitmentFee,
  kCredit,
  kAdjustment,
  kManagedResource,
  kLineRunId,
  kRunIdTag,
  kDeviceTime,
  kFollows,
  kInstant,
  kTagRule,
  kSharedPolicy,
  kUnassigned,
  kCount
};
std::string_view rule_name(Rule rule);      // "device-time"
std::string_view rule_sentence(Rule rule);  // one sentence for people
Evidence evidence_of(Rule rule);            // how strong it is

// The states of billed device-time, in their order of precedence (R40).
enum class State : uint8_t {
  kNoRun,
  kLost,
  kUnknown,
  kCheckpoint,
  kSync,
  kData,
  kHost,
  kStartup,
  kIdleHeld,
  kInefficient,
  kUseful,
  kBusy,
  kNotBusy,
  kOtherCharges,
  kCount
};
inline constexpr size_t kStates = static_cast<size_t>(State::kCount);
std::string_view state_name(State state);      // "no-run", "idle-held", "busy", "other-charges"
std::string_view state_sentence(State state);  // one line for people
// Busy by a trustworthy sign: useful, busy, inefficient, sync, and lost (where busy_known says so).
bool is_busy(State state);

// What a resource's device-time is counted in.
enum class DeviceClass : uint8_t { kNone, kAccelerator, kNode };
inline constexpr std::array<std::string_view, 3> kDeviceClassTexts = {"none", "accelerator",
                                                                      "node"};

// Where a state's sign came from.
enum class SignSource : uint8_t { kNone, kDeviceUsage, kTimeline };
inline constexpr std::array<std::string_view, 3> kSignSourceTexts = {"none", "device-usage",
                                                                     "timeline"};

}  // namespace tare::store

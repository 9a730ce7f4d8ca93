#include "measures/meanings.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/instant.h"
#include "measures/exact.h"

namespace tare::measures {
namespace {

constexpr auto kMeanings = std::to_array<Meaning>({
    {"bill", "lines", "bill lines", "count of lines of the bill", Lineage::kMoney},
    {"bill", "billed", "what is invoiced", "sum of billed cost", Lineage::kBilled},
    {"bill", "effective", "billed cost with commitments spread onto what they covered",
     "sum of effective cost, else billed where it is unknown", Lineage::kEffective},
    {"bill", "list", "what the same use costs at list prices",
     "sum of list cost, else billed where it is unknown", Lineage::kList},
    {"bill", "contracted", "what the same use costs at negotiated prices",
     "sum of contracted cost, else billed where it is unknown", Lineage::kContracted},

    {"rates", "lines", "bill lines that were converted", "count of lines", Lineage::kMoney},
    {"rates", "own_billed", "what is invoiced, in the bill's own currency",
     "sum of billed cost of the lines", Lineage::kOwnBilled},
    {"rates", "billed", "the same as it was posted, in the project's currency",
     "sum of each line's billed cost × its rate, half even at 18 decimals", Lineage::kBilled},

    {"accounts", "cost", "what was posted to these accounts", "sum of postings on the basis",
     Lineage::kMoney},
    {"accounts", "share", "part of the bill", "cost ÷ the bill", Lineage::kMoney},
    {"accounts", "before", "the same accounts in the period before", "sum of postings on the basis",
     Lineage::kMoneyBefore},
    {"accounts", "change", "change since the period before", "(cost - before) ÷ before",
     Lineage::kMoney},

    {"models", "cost", "allocation cost: what the model or stage was posted",
     "sum of postings on the basis", Lineage::kMoney},
    {"models", "share", "part of the bill", "cost ÷ the bill", Lineage::kMoney},
    {"models", "idle",
     "the share of idle money of the pools that the model used; taken from the row of idle itself",
     "exact split of each pool's idle by allocation cost within pool and month", Lineage::kIdle},
    {"models", "with_idle", "allocation cost and the share of idle", "cost + idle",
     Lineage::kMoneyAndIdle},
    {"models", "usage_cost",
     "the money of the device time in which a trustworthy sign saw work; a range up to the money "
     "of "
     "time with no sign",
     "sum of each posting's exact split over the states of its time: busy, to busy + unknown",
     Lineage::kTime},
    {"models", "before", "allocation cost in the period before", "sum of postings on the basis",
     Lineage::kMoneyBefore},
    {"models", "change", "change of the allocation cost since the period before",
     "(cost - before) ÷ before", Lineage::kMoney},

    {"unit-costs", "units", "how many units the cost is divided by",
     "finished top-level training runs that ended in the period, or the outcomes of its days",
     Lineage::kOutcomes},
    {"unit-costs", "per_unit", "cost of one unit, without idle",
     "stage training ÷ retrains, stage serving ÷ predictions, all stages ÷ outcomes; with none "
     "counted, more than cost ÷ the most that there may have been",
     Lineage::kOutcomes},
    {"unit-costs", "range", "95 % range of the cost of one unit",
     "cost ÷ the count's limits: the source's, else Garwood's for a Poisson count",
     Lineage::kOutcomes},
    {"unit-costs", "per_unit_with_idle", "cost of one unit with the share of idle",
     "(cost + idle share) ÷ units", Lineage::kMoneyAndIdle},
    {"unit-costs", "change", "change of the cost of one unit since the period before",
     "(per unit - per unit before) ÷ per unit before", Lineage::kOutcomes},

    {"outcomes", "count", "outcomes of the period", "sum of the days' counts", Lineage::kOutcomes},
    {"outcomes", "count_low", "lower 95 % limit of the count",
     "sum of the source's limits, else Garwood's for a Poisson count", Lineage::kOutcomes},
    {"outcomes", "count_high", "upper 95 % limit of the count",
     "sum of the source's limits, else Garwood's for a Poisson count", Lineage::kOutcomes},
    {"outcomes", "before", "outcomes of the period before", "sum of the days' counts",
     Lineage::kOutcomes},
    {"outcomes", "cost", "allocation cost of the model", "sum of postings on the basis",
     Lineage::kMoney},
    {"outcomes", "cost_before", "allocation cost of the model in the period before",
     "sum of postings on the basis", Lineage::kMoneyBefore},
    {"outcomes", "bill_change", "change of the model's allocation cost",
     "(cost - cost before) ÷ cost before", Lineage::kMoney},
    {"outcomes", "unit_cost_change", "change of the cost per outcome",
     "(cost per outcome - before) ÷ before", Lineage::kMoney},

    {"utilisation", "billed_hours", "billed device time", "sum of the devices' billed time",
     Lineage::kTime},
    {"utilisation", "busy_hours", "billed device time in which a trustworthy sign saw work",
     "sum of busy time", Lineage::kTime},
    {"utilisation", "utilisation",
     "part of the billed time that was busy; a range where coverage is "
     "under min_coverage",
     "busy ÷ billed, to (busy + unknown) ÷ billed", Lineage::kTime},
    {"utilisation", "coverage", "part of the billed time with a trustworthy sign",
     "1 - unknown ÷ billed", Lineage::kTime},
    {"utilisation", "cost", "cost of the device time, without other charges",
     "sum of postings with device time on the basis", Lineage::kTime},
    {"utilisation", "per_hour", "price of a billed device-hour", "cost ÷ billed hours",
     Lineage::kTime},
    {"utilisation", "per_busy_hour",
     "price of a busy device-hour; a range where coverage is under min_coverage",
     "cost ÷ busy hours", Lineage::kTime},
    {"utilisation", "per_useful_hour",
     "price of a device-hour that was busy and efficient (or its efficiency not known); a range "
     "where "
     "coverage is under min_coverage",
     "cost ÷ (useful + busy hours)", Lineage::kTime},

    {"states", "device_hours", "billed accelerator time in this state", "sum of billed time",
     Lineage::kTime},
    {"states", "device_share", "part of the billed accelerator time", "hours ÷ all hours",
     Lineage::kTime},
    {"states", "node_hours", "billed time of machines without accelerators in this state",
     "sum of billed time", Lineage::kTime},
    {"states", "cost", "money of the time in this state",
     "exact split of each posting over the states of its time", Lineage::kTime},
    {"states", "share", "part of the bill", "cost ÷ the bill", Lineage::kTime},

    {"identities", "runs", "finished top-level training runs that ended in the period",
     "count of runs", Lineage::kRetrains},
    {"identities", "per_run", "cost of one retrain", "stage training ÷ runs", Lineage::kRetrains},
    {"identities", "predictions", "predictions of the period", "sum of the outcome 'predictions'",
     Lineage::kOutcomes},
    {"identities", "per_prediction", "cost of one prediction", "stage serving ÷ predictions",
     Lineage::kOutcomes},
    {"identities", "rest", "what neither runs nor predictions explain",
     "cost - runs × per run - predictions × per prediction", Lineage::kMoney},
    {"identities", "cost", "allocation cost of the model", "sum of postings on the basis",
     Lineage::kMoney},

    {"run-identities", "cost", "what the run was posted in the period",
     "sum of postings on the basis", Lineage::kMoney},
    {"run-identities", "per_hour", "price of the run's device-hour",
     "cost of device time ÷ its hours", Lineage::kTime},
    {"run-identities", "wall_hours", "how long its attempts lasted within the period",
     "sum of the attempts' time", Lineage::kTime},
    {"run-identities", "devices", "devices held on average", "device time ÷ wall time",
     Lineage::kTime},
    {"run-identities", "utilisation", "part of its device time that was busy", "busy ÷ billed",
     Lineage::kTime},
    {"run-identities", "coverage", "part of its device time with a trustworthy sign",
     "1 - unknown ÷ billed", Lineage::kTime},
    {"run-identities", "other_charges", "its postings without device time",
     "cost - price per device-hour × wall hours × devices", Lineage::kMoney},
    {"run-identities", "useful_cost", "its device time's cost, as far as it was busy",
     "price per device-hour × wall hours × devices × busy ÷ billed", Lineage::kTime},

    {"findings", "rows", "rows that the finding counts", "count of rows", Lineage::kNone},
    {"findings", "cost", "money on those rows", "sum of their billed cost", Lineage::kNone},

    {"cost", "cost", "allocation cost: what was posted", "sum of postings on the basis",
     Lineage::kMoney},
    {"cost", "share", "part of the bill", "cost ÷ the bill", Lineage::kMoney},
    {"cost", "idle", "the share of idle money; taken from the row of idle itself",
     "exact split of each pool's idle by allocation cost within pool and month", Lineage::kIdle},
    {"cost", "with_idle", "allocation cost and the share of idle", "cost + idle",
     Lineage::kMoneyAndIdle},
    {"cost", "device_hours", "billed accelerator time", "sum of billed time", Lineage::kTime},
    {"cost", "node_hours", "billed time of machines without accelerators", "sum of billed time",
     Lineage::kTime},
    {"cost", "usage_cost",
     "the money of the device time in which a trustworthy sign saw work; a range up to the money "
     "of "
     "time with no sign",
     "sum of each posting's exact split over the states of its time: busy, to busy + unknown",
     Lineage::kTime},

    {"waste", "device_hours", "billed accelerator time", "sum of billed time", Lineage::kTime},
    {"waste", "device_share", "part of all billed accelerator time", "hours ÷ all hours",
     Lineage::kTime},
    {"waste", "busy_hours", "billed accelerator time in which a trustworthy sign saw work",
     "sum of busy time", Lineage::kTime},
    {"waste", "useful_hours", "busy, and the device efficient or its efficiency not known",
     "sum of useful and busy time", Lineage::kTime},
    {"waste", "unknown_hours", "billed accelerator time with no trustworthy sign",
     "sum of unknown time", Lineage::kTime},
    {"waste", "utilisation",
     "part of the billed accelerator time that was busy; a range where coverage "
     "is under min_coverage",
     "busy ÷ billed, to (busy + unknown) ÷ billed", Lineage::kTime},
    {"waste", "node_hours", "billed time of machines without accelerators", "sum of billed time",
     Lineage::kTime},
    {"waste", "cost", "money of this time, and of other charges in a row of their own",
     "exact split of each posting over the states of its time", Lineage::kTime},
    {"waste", "share", "part of the bill", "cost ÷ the bill", Lineage::kTime},
    {"waste", "usage_cost", "the money of busy time; a range up to the money of unknown time",
     "sum of each posting's exact split over the states of its time: busy, to busy + unknown",
     Lineage::kTime},
});

std::string percent_text(const Ratio& ratio) {
  const Rational percent = Rational(integer(ratio.numerator), integer(ratio.denominator)) * 100;
  return fmt::format("{} / {} ({} %)", Integer(integer(ratio.numerator)).str(),
                     Integer(integer(ratio.denominator)).str(),
                     to_text_rounded(to_money(percent), 4));
}

std::string price_text(const Price& price) {
  if (price.count == 1) return to_text(price.amount);
  return fmt::format("{} / {} ({})", to_text(price.amount), Integer(integer(price.count)).str(),
                     to_text(divide(price.amount, price.count)));
}

}  // namespace

std::span<const Meaning> meanings() { return kMeanings; }

const Meaning* find_meaning(std::string_view table, std::string_view column) {
  const auto* found = std::find_if(kMeanings.begin(), kMeanings.end(), [&](const Meaning& meaning) {
    return meaning.table == table && meaning.column == column;
  });
  return found == kMeanings.end() ? nullptr : found;
}

std::string exact_text(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* count = std::get_if<int64_t>(&value)) return std::to_string(*count);
  if (const auto* money = std::get_if<Money>(&value)) return to_text(*money);
  if (const auto* price = std::get_if<Price>(&value)) return price_text(*price);
  if (const auto* ratio = std::get_if<Ratio>(&value)) return percent_text(*ratio);
  if (const auto* bound = std::get_if<LowerBound>(&value))
    return "more than " + to_text(bound->amount);
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "yes" : "no";
  if (const auto* range = std::get_if<MoneyRange>(&value)) {
    return fmt::format("from {} to {}", to_text(range->low), to_text(range->high));
  }
  if (const auto* range = std::get_if<RatioRange>(&value)) {
    return fmt::format("from {} to {}", percent_text(range->low), percent_text(range->high));
  }
  if (const auto* time = std::get_if<DeviceTime>(&value)) {
    const Rational hours(integer(time->ns), Integer(kNsPerHour));
    return fmt::format("{} ns ({} h)", Integer(integer(time->ns)).str(),
                       to_text_rounded(to_money(hours), 4));
  }
  return "unknown";
}

}  // namespace tare::measures

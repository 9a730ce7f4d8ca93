// The plain bill: a table that anyone can write by hand (model.md, "Plain files").
#include <array>

#include "sources/bill/formats.h"

namespace tare::sources {
namespace {

constexpr auto kPlainBillColumns = std::to_array<FormatColumn>({
    {"start", BillColumn::kChargePeriodStart, "its month is the billing period"},
    {"end", BillColumn::kChargePeriodEnd, "exclusive"},
    {"cost", BillColumn::kCost,
     "the billed cost, or the effective one where billed_cost is given too"},
    {"billed_cost", BillColumn::kBilledCost, "what is invoiced, where it is not the cost"},
    {"effective_cost", BillColumn::kEffectiveCost, ""},
    {"list_cost", BillColumn::kListCost, ""},
    {"hours", BillColumn::kHours, "the consumed quantity; times rate the cost of rows without one"},
    {"rate", BillColumn::kRate, "a price an hour"},
    {"devices", BillColumn::kDevices, "GPUs of the resource"},
    {"run_id", BillColumn::kRunId, "the run that the whole line belongs to"},
    {"resource_id", BillColumn::kResourceId, ""},
    {"service", BillColumn::kServiceName, ""},
    {"sku", BillColumn::kSkuId, ""},
    {"currency", BillColumn::kBillingCurrency, "else the source's, else the project's"},
    {"invoice_id", BillColumn::kInvoiceId, ""},
    {"category", BillColumn::kChargeCategory, "as in FOCUS; Usage where it is empty"},
    {"tags", BillColumn::kTags, "a JSON object"},
});

const std::vector<std::vector<std::string_view>> kPlainBillRequired[] = {
    {{"start"}}, {{"end"}}, {{"cost"}, {"hours", "rate"}, {"billed_cost"}}};

}  // namespace

const BillFormat kPlainBillFormat = {.name = "bill",
                                     .columns = kPlainBillColumns,
                                     .further = {},
                                     .required = kPlainBillRequired,
                                     .loose_names = false,
                                     .is_plain = true,
                                     .further_need_prefix = false};

}  // namespace tare::sources

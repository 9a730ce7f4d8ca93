#include "store/schema.h"

#include <set>

#include <gtest/gtest.h>

#include "store/rows.h"
#include "store/store.h"

namespace tare::store {
namespace {

TEST(Schema, ColumnsOfATableAreDistinct) {
  std::set<std::string_view> views;
  for (const TableSpec& table : store_tables()) {
    EXPECT_TRUE(views.insert(table.view).second) << table.view;
    std::set<std::string> names;
    for (const ColumnSpec& column : table.columns()) {
      EXPECT_TRUE(names.insert(column.name).second) << table.name << "." << column.name;
    }
  }
}

TEST(Schema, MoneyIsAlwaysAPair) {
  for (const TableSpec& table : store_tables()) {
    const std::vector<ColumnSpec>& columns = table.columns();
    for (size_t at = 0; at < columns.size(); ++at) {
      if (!columns[at].name.ends_with("_units")) continue;
      const std::string name = columns[at].name.substr(0, columns[at].name.size() - 6);
      ASSERT_LT(at + 1, columns.size());
      EXPECT_EQ(columns[at + 1].name, name + "_atto");
      EXPECT_EQ(columns[at].type, Type::kBigint);
      EXPECT_EQ(columns[at + 1].type, Type::kBigint);
    }
  }
}

TEST(Schema, DimensionColumnsFollowTheEnum) {
  ASSERT_EQ(dim_columns().size(), kDimColumns + 1);
  const auto name = [](DimColumn column) {
    return std::string_view(kDimColumnNames[static_cast<size_t>(column)]);
  };
  EXPECT_EQ(name(DimColumn::kBillingCurrency), "billing_currency");
  EXPECT_EQ(name(DimColumn::kInvoiceIssuerName), "invoice_issuer_name");
  EXPECT_EQ(name(DimColumn::kResourceId), "resource_id");
  EXPECT_EQ(name(DimColumn::kSkuPriceDetails), "sku_price_details");
  EXPECT_EQ(name(DimColumn::kCommitmentDiscountStatus), "commitment_discount_status");
  EXPECT_EQ(name(DimColumn::kCapacityReservationStatus), "capacity_reservation_status");
  EXPECT_EQ(name(DimColumn::kChargeFrequency), "charge_frequency");
  EXPECT_EQ(name(DimColumn::kTags), "tags");
  EXPECT_EQ(name(DimColumn::kRunId), "run_id");
}

TEST(Schema, EveryRuleAndStateHasItsOwnName) {
  std::set<std::string_view> names;
  for (uint8_t rule = 0; rule < static_cast<uint8_t>(Rule::kCount); ++rule) {
    EXPECT_TRUE(names.insert(rule_name(static_cast<Rule>(rule))).second);
    EXPECT_TRUE(rule_sentence(static_cast<Rule>(rule)).ends_with('.'));
  }
  EXPECT_EQ(rule_name(Rule::kDeviceTime), "device-time");
  EXPECT_EQ(rule_name(Rule::kUnassigned), "unassigned");
  names.clear();
  for (uint8_t state = 0; state < kStates; ++state) {
    EXPECT_TRUE(names.insert(state_name(static_cast<State>(state))).second);
    EXPECT_NE(state_sentence(static_cast<State>(state)), "");
  }
  EXPECT_EQ(state_name(State::kNoRun), "no-run");
  EXPECT_EQ(state_name(State::kIdleHeld), "idle-held");
  EXPECT_EQ(state_name(State::kNotBusy), "not-busy");
  EXPECT_EQ(state_name(State::kOtherCharges), "other-charges");
}

TEST(Schema, BusyStates) {
  const std::set<State> busy = {State::kUseful, State::kBusy, State::kInefficient, State::kSync,
                                State::kLost};
  for (uint8_t state = 0; state < kStates; ++state) {
    EXPECT_EQ(is_busy(static_cast<State>(state)), busy.contains(static_cast<State>(state)));
  }
}

TEST(Schema, CostBasisTexts) {
  for (CostBasis basis :
       {CostBasis::kBilled, CostBasis::kEffective, CostBasis::kList, CostBasis::kContracted}) {
    EXPECT_EQ(parse_cost_basis(to_text(basis)), basis);
  }
  EXPECT_EQ(to_text(CostBasis::kEffective), "effective");
  EXPECT_FALSE(parse_cost_basis("amortized"));
  EXPECT_FALSE(parse_cost_basis(""));
}

}  // namespace
}  // namespace tare::store

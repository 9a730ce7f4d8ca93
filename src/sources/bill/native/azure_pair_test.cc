// Azure's actual and amortised exports of one month (R09), made from the documented columns.
#include <gtest/gtest.h>

#include "sources/bill/bill_world.h"

namespace tare::sources {
namespace {

using Texts = std::vector<std::string>;

const std::string kPairHeader =
    "SubscriptionId,Date,MeterId,MeterCategory,Quantity,UnitOfMeasure,EffectivePrice,Cost,"
    "BillingCurrency,"
    "BillingPeriodStartDate,ResourceId,ChargeType,PricingModel,ReservationId\n";

std::string pair_row(const std::string& cost, const std::string& resource,
                     const std::string& type = "Usage", const std::string& model = "OnDemand",
                     const std::string& reservation = "") {
  return "s,08/02/2026,m,Virtual Machines,24,1 Hour,0.1," + cost + ",USD,08/01/2026," + resource +
         "," + type + "," + model + "," + reservation + "\n";
}

struct PairWorld : BillWorld {
  PairWorld(const std::string& actual, const std::string& amortized)
      : BillWorld("azure-actual", "bill/actual.csv") {
    add_source("azure-amortized", "bill/amortized.csv");
    write("actual.csv", kPairHeader + actual);
    write("amortized.csv", kPairHeader + amortized);
  }
};

const std::string kLines =
    "SELECT resource_id, charge_category, billed_cost::DOUBLE, effective_cost::DOUBLE, "
    "consumed_quantity::DOUBLE, commitment_discount_status FROM bill_line";

// Use at 5 in both; use that a reservation covers, 0 and 2; its purchase, 100 and absent; what of
// it nothing used, absent and 3. Billed 5 + 0 + 100 + 0 = 105, effective 5 + 2 + 0 + 3 = 10, 24
// hours of each use once.
const std::string kActual = pair_row("5", "/vm/a") +
                            pair_row("0", "/vm/b", "Usage", "Reservation", "r") +
                            pair_row("100", "/r", "Purchase", "Reservation", "r");
const std::string kAmortized = pair_row("2", "/VM/B", "Usage", "Reservation", "r") +
                               pair_row("3", "/r", "UnusedReservation", "Reservation", "r") +
                               pair_row("5", "/vm/a");
const Texts kAnswer = {"/r|Purchase|100.0|0.0||", "/r|Usage|0.0|3.0||Unused",
                       "/vm/a|Usage|5.0|5.0|24.0|", "/vm/b|Usage|0.0|2.0|24.0|Used"};

TEST(AzurePair, BilledIsOfTheOneAndEffectiveOfTheOther) {
  PairWorld world(kActual, kAmortized);
  const SourceResult result = world.load();
  EXPECT_EQ(world.sql(kLines), kAnswer);
  ASSERT_EQ(result.inputs.size(), 2U);
  EXPECT_EQ(result.inputs[0].rows_used, 3);
  EXPECT_EQ(result.inputs[1].rows_in, 3);
  EXPECT_EQ(result.inputs[1].rows_used, 1);
  EXPECT_EQ(result.inputs[1].rows_netted, 2);
  EXPECT_TRUE(world.load().will_read.empty());
}

TEST(AzurePair, NeitherOrderNorTheOrderOfSourcesCounts) {
  BillWorld world("azure-amortized", "bill/amortized.csv");
  world.add_source("azure-actual", "bill/actual.csv");
  world.write("actual.csv", kPairHeader + pair_row("100", "/r", "Purchase", "Reservation", "r") +
                                pair_row("0", "/vm/b", "Usage", "Reservation", "r") +
                                pair_row("5", "/vm/a"));
  world.write("amortized.csv", kPairHeader + kAmortized);
  world.load();
  EXPECT_EQ(world.sql(kLines), kAnswer);
}

// Rows that are alike but for what they cost keep all the money of both exports.
TEST(AzurePair, RowsThatAreAlikeArePairedOneByOne) {
  PairWorld world(pair_row("0", "/vm/a") + pair_row("4", "/vm/a") + pair_row("0", "/vm/a"),
                  pair_row("1", "/vm/a") + pair_row("2", "/vm/a") + pair_row("4", "/vm/a") +
                      pair_row("7", "/vm/a"));
  world.load();
  EXPECT_EQ(world.sql("SELECT billed_cost::DOUBLE, effective_cost::DOUBLE FROM bill_line"),
            (Texts{"0.0|1.0", "0.0|2.0", "0.0|7.0", "4.0|4.0"}));
}

// As they are where no benefit was used.
TEST(AzurePair, BothMayBeTheSameBytes) {
  PairWorld world(pair_row("5", "/vm/a"), pair_row("5", "/vm/a"));
  world.load();
  EXPECT_EQ(world.sql(kLines), Texts{"/vm/a|Usage|5.0|5.0|24.0|"});
}

// A day that one export has not reached is unknown there, and not free.
TEST(AzurePair, ADayThatOnlyOneHasIsUnknownInTheOther) {
  const auto later = [](std::string row) { return row.replace(row.find("08/02"), 5, "08/03"); };
  PairWorld actual(kActual + later(pair_row("8", "/vm/a")), kAmortized);
  PairWorld amortized(kActual, kAmortized + later(pair_row("8", "/vm/a")) +
                                   later(pair_row("2", "/vm/b", "Usage", "Reservation", "r")));
  const std::string later_lines =
      "SELECT resource_id, billed_cost::DOUBLE, effective_cost::DOUBLE FROM bill_line "
      "WHERE charge_period_start = TIMESTAMP '2026-08-03'";
  actual.load();
  amortized.load();
  EXPECT_EQ(actual.sql(later_lines), Texts{"/vm/a|8.0|"});
  EXPECT_EQ(amortized.sql(later_lines), (Texts{"/vm/a|8.0|8.0", "/vm/b|0.0|2.0"}));
}

TEST(AzurePair, CurrenciesStayApart) {
  std::string euros = pair_row("3", "/vm/a");
  euros.replace(euros.find("USD"), 3, "EUR");
  PairWorld world(euros, pair_row("3.5", "/vm/a"));
  world.load();
  EXPECT_EQ(
      world.sql(
          "SELECT billing_currency, billed_cost::DOUBLE, effective_cost::DOUBLE FROM bill_line"),
      (Texts{"EUR|3.0|0.0", "USD|0.0|3.5"}));
}

// Without its source, what the amortised export said is unknown again.
TEST(AzurePair, ASourceThatIsTakenOutLeavesNothingBehind) {
  PairWorld world(pair_row("7", "/vm/a"), pair_row("7", "/vm/a"));
  world.load();
  const Source amortized = world.project().sources.back();
  world.project().sources.pop_back();
  world.load();
  EXPECT_EQ(world.sql("SELECT effective_cost IS NULL FROM bill_line"), Texts{"true"});
  world.project().sources.push_back(amortized);
  world.load();
  EXPECT_EQ(world.sql("SELECT effective_cost::DOUBLE FROM bill_line"), Texts{"7.0"});
}

TEST(AzurePair, AChangeOfOneIsReadWithTheOther) {
  PairWorld world(kActual, kAmortized);
  world.load();
  world.write("amortized.csv", kPairHeader + kAmortized + pair_row("9", "/vm/late"));
  world.load();
  Texts answer = kAnswer;
  answer.emplace_back("/vm/late|Usage|0.0|9.0|24.0|");
  EXPECT_EQ(world.sql(kLines), answer);
}

TEST(AzurePair, ACostThatCanNotBeReadIsQuarantinedOnce) {
  PairWorld world(kActual, kAmortized + pair_row("?", "/vm/x"));
  const SourceResult result = world.load();
  EXPECT_EQ(world.sql(kLines), kAnswer);
  EXPECT_EQ(result.inputs[1].rows_quarantined, 1);
  EXPECT_EQ(world.sql("SELECT count(*) FROM store_quarantine"), Texts{"1"});
}

}  // namespace
}  // namespace tare::sources

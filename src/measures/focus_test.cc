// The rows of the FOCUS export: what is split sums to the line's, and nothing is made up.
#include <filesystem>
#include <unistd.h>

#include <gtest/gtest.h>

#include "measures/focus_shares.h"
#include "measures/test_world.h"

namespace tare::measures {
namespace {

using store::State;

PostedPart part(const std::optional<std::string>& list, const std::string& billed,
                int64_t billed_ns = 0) {
  PostedPart made;
  made.costs[static_cast<size_t>(CostColumn::kBilled)] = usd(billed);
  if (list) made.costs[static_cast<size_t>(CostColumn::kList)] = usd(*list);
  made.billed_ns = billed_ns;
  return made;
}

std::string weights_text(const std::vector<PostedPart>& parts, bool effective_first = false) {
  std::string text;
  for (const Money weight : share_weights(parts, effective_first)) {
    text += (text.empty() ? "" : " ") + to_text(weight);
  }
  return text;
}

TEST(FocusShares, GoByTheListCostWhichIsPriceTimesQuantity) {
  EXPECT_EQ(weights_text({part("6", "1"), part("2", "1")}), "6 2");
  EXPECT_EQ(weights_text({part("-6", "1"), part("-2", "1")}), "6 2") << "of a refund alike";
  EXPECT_EQ(weights_text({part("6", "1"), part("2", "1")}, true), "1 1") << "billed before list";
}

TEST(FocusShares, GoByWhatIsLeftWhereTheListCostSaysNothing) {
  EXPECT_EQ(weights_text({part(std::nullopt, "1"), part(std::nullopt, "3")}), "1 3");
  EXPECT_EQ(weights_text({part("0", "1"), part("0", "3")}), "1 3");
  EXPECT_EQ(weights_text({part("0", "0", 7), part("0", "0", 5)}),
            "0.000000000000000007 0.000000000000000005");
  EXPECT_EQ(weights_text({part("0", "0"), part("0", "0")}),
            "0.000000000000000001 0.000000000000000001");
}

TestPosting posted(const std::string& run, const std::string& billed,
                   const std::optional<std::string>& effective) {
  TestState state;
  state.billed = billed;
  state.effective = effective;
  return {.account = "model/m/training/" + run,
          .model = "m",
          .stage = "training",
          .team = "t",
          .run_id = run,
          .states = {state}};
}

class FocusRows : public ::testing::Test {
 protected:
  FocusRows()
      : scratch_(std::filesystem::temp_directory_path() /
                 ("tare-focus-test-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(scratch_);
  }
  ~FocusRows() override { std::filesystem::remove_all(scratch_); }

  std::string answer(store::Store& store, const std::string& sql) {
    std::string text;
    const store::Result result = store.connection().query(sql);
    for (size_t row = 0; row < result.rows(); ++row) {
      for (size_t column = 0; column < result.columns(); ++column) {
        text += result.is_null(row, column) ? "-" : result.text(row, column);
        text += column + 1 == result.columns() ? "\n" : " ";
      }
    }
    return text;
  }

  std::filesystem::path scratch_;
};

TEST_F(FocusRows, SumToTheLinesInEachCostAndQuantity) {
  TestWorld world;
  world.lines = {
      {.postings = {posted("a", "0.333333333333333334", "null"),
                    posted("b", "0.333333333333333333", "null"),
                    posted("c", "0.333333333333333333", "null")},
       .pricing = "10",
       .further = R"({"CommitmentDiscountQuantity":"-1e-18","PricingCurrencyEffectiveCost":"1"})"},
      {.postings = {posted("a", "-2", "-1"), posted("b", "-1", "-0.5")},
       .currency = "EUR",
       .invoice = "inv-e"},
      {.postings = {posted("a", "-0.000000000000000007", "0")}, .pricing = "3"}};
  store::Store store = world.open();
  make_focus_rows(store, std::nullopt, scratch_.string());
  EXPECT_EQ(answer(store,
                   "SELECT \"InvoiceId\", \"BillingCurrency\", sum(\"BilledCost\"), "
                   "sum(\"EffectiveCost\"), sum(\"PricingQuantity\"), "
                   "sum(\"CommitmentDiscountQuantity\"), "
                   "sum(\"PricingCurrencyEffectiveCost\"), count(*) "
                   "FROM focus_row GROUP BY ALL ORDER BY ALL"),
            "inv-8 USD 0.999999999999999993 0.000000000000000000 13.000000000000000000 "
            "-0.000000000000000001 1.000000000000000000 4\n"
            "inv-e EUR -3.000000000000000000 -1.500000000000000000 1.000000000000000000 - - 2\n");
  EXPECT_EQ(answer(store, "SELECT count(*) FROM focus_row WHERE \"EffectiveCost\" IS NULL"), "3\n");
}

TEST_F(FocusRows, SayWhatIsNotKnown) {
  TestWorld world;
  world.lines = {{.postings = {posted("a", "1", "1"), posted("b", "3", "3")}},
                 {.postings = {posted("a", "1", "1")}, .category = "Tax", .service = "tax"}};
  store::Store store = world.open();
  make_focus_rows(store, std::nullopt, scratch_.string());
  EXPECT_EQ(answer(store,
                   "SELECT x_run, \"PricingQuantity\", \"PricingUnit\", \"ServiceCategory\", "
                   "\"ListUnitPrice\", \"BillingAccountName\" FROM focus_row ORDER BY ALL"),
            "a 0.250000000000000000 Charges Other - -\n"
            "a - - Other - -\n"
            "b 0.750000000000000000 Charges Other - -\n");
}

TEST_F(FocusRows, AreOfTheBillingPeriodsAskedFor) {
  TestWorld world;
  world.lines = {{.postings = {posted("a", "1", "1")}},
                 {.postings = {posted("a", "2", "2"), posted("b", "4", "4")}, .period = "2026-09"}};
  store::Store store = world.open();
  make_focus_rows(store, Span{at("2026-09-01"), at("2026-10-01")}, scratch_.string());
  EXPECT_EQ(answer(store, "SELECT sum(\"BilledCost\"), sum(\"PricingQuantity\") FROM focus_row"),
            "6.000000000000000000 1.000000000000000000\n");
}

}  // namespace
}  // namespace tare::measures

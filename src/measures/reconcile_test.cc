// The three reconciliations, each verdict, and the tolerance at its edge.
#include <gtest/gtest.h>

#include "measures/currency_digits.h"
#include "measures/test_world.h"
#include "measures/tolerance.h"

namespace tare::measures {
namespace {

using store::Rule;
using store::State;

TestLine charge(const std::string& billed, const std::string& effective = "") {
  TestPosting posting{.account = "unassigned/compute",
                      .states = {{State::kOtherCharges, 0, billed}}};
  posting.rule = Rule::kUnassigned;
  if (!effective.empty()) posting.states[0].effective = effective;
  return {.postings = {posting}};
}

Question all_periods() { return {}; }

std::string verdict(const Reconciliation& answer) { return answer.document.notes.back(); }

TEST(Reconcile, EqualToTheInvoiceIsReconciled) {
  TestWorld world;
  world.lines = {charge("60.25"), charge("39.75")};
  world.invoices = {{.id = "inv-8", .total = "100"}};
  store::Store store = world.open();
  const Reconciliation answer = reconcile(store, world.project, all_periods());
  EXPECT_TRUE(answer.reconciled);
  EXPECT_EQ(verdict(answer), "reconciled");
  EXPECT_EQ(cell(answer.document, "reconcile/invoices", "inv-8/cloud/2026-08/USD", "difference"),
            "0");
  EXPECT_EQ(
      cell(answer.document, "reconcile/conservation", "2026-08/inv-8/cloud/bill/USD", "verdict"),
      "conserved");
  EXPECT_EQ(cell(answer.document, "reconcile/files", "bill/bill-2026-08.csv", "verdict"),
            "accounted");
}

TEST(Reconcile, AHundredCentsAreWithinToleranceAndOneMoreIsNot) {
  TestWorld world;
  world.lines = {charge("101")};
  world.invoices = {{.id = "inv-8", .total = "100"}};
  store::Store edge = world.open();
  EXPECT_TRUE(reconcile(edge, world.project, all_periods()).reconciled);
  world.lines = {charge("101.000000000000000001")};
  store::Store beyond = world.open();
  const Reconciliation answer = reconcile(beyond, world.project, all_periods());
  EXPECT_FALSE(answer.reconciled);
  EXPECT_EQ(verdict(answer), "NOT reconciled: an invoice is out of tolerance");
  EXPECT_EQ(cell(answer.document, "invoices", "inv-8/cloud/2026-08/USD", "verdict"),
            "OUT OF TOLERANCE");
  EXPECT_EQ(cell(answer.document, "invoices", "inv-8/cloud/2026-08/USD", "tolerance"), "1");
}

TEST(Tolerance, GrowsWithTheRootOfTheRows) {
  // 0.5 × √40,000 = 100 sub-units: from there on the root is the larger.
  EXPECT_EQ(to_text(tolerance_of(40'000, "USD").shown()), "1");
  EXPECT_FALSE(tolerance_of(40'000, "USD").allows(usd("1.01")));
  EXPECT_TRUE(tolerance_of(1'000'000, "USD").allows(usd("5")));
  EXPECT_TRUE(tolerance_of(1'000'000, "USD").allows(usd("-5")));
  EXPECT_FALSE(tolerance_of(1'000'000, "USD").allows(usd("5.000000000000000001")));
  // 0.5 × √40,001 cents = 100.00124999...
  EXPECT_TRUE(tolerance_of(40'001, "USD").allows(usd("1.000012499921875")));
  EXPECT_FALSE(tolerance_of(40'001, "USD").allows(usd("1.00001249992187599")));
  EXPECT_EQ(to_text(tolerance_of(40'001, "USD").shown()), "1.000012499921875976");
}

TEST(Tolerance, SubUnitsAreTheCurrencys) {
  EXPECT_EQ(minor_digits("USD"), 2);
  EXPECT_EQ(minor_digits("JPY"), 0);
  EXPECT_EQ(minor_digits("KWD"), 3);
  EXPECT_EQ(minor_digits("CLF"), 4);
  EXPECT_TRUE(tolerance_of(1, "JPY").allows(usd("100")));
  EXPECT_FALSE(tolerance_of(1, "JPY").allows(usd("101")));
  EXPECT_TRUE(tolerance_of(1, "KWD").allows(usd("0.1")));
  EXPECT_FALSE(tolerance_of(1, "KWD").allows(usd("0.101")));
}

TEST(Reconcile, QuarantinedRowsFailAndTheirMoneyStandsApart) {
  TestWorld world;
  world.lines = {charge("100")};
  world.invoices = {{.id = "inv-8", .total = "100"}};
  world.quarantined = 2;
  store::Store store = world.open();
  const Reconciliation answer = reconcile(store, world.project, all_periods());
  EXPECT_FALSE(answer.reconciled);
  EXPECT_EQ(verdict(answer), "NOT reconciled: 2 rows of the bill are quarantined");
  EXPECT_EQ(cell(answer.document, "reconcile/quarantined", "1", "place"), "bill.csv:2");
  EXPECT_EQ(table(answer.document, "reconcile/quarantined").notes.at(0),
            "readable money in quarantine: 2.5 USD");
}

TEST(Reconcile, RowsThatNothingAccountsForFail) {
  TestWorld world;
  world.lines = {charge("100")};
  world.missing_rows = 1;
  store::Store store = world.open();
  const Reconciliation answer = reconcile(store, world.project, all_periods());
  EXPECT_FALSE(answer.reconciled);
  EXPECT_EQ(verdict(answer), "NOT reconciled: rows of a file are unaccounted for");
}

TEST(Reconcile, LinesThatPostingsDoNotSumToAreNamed) {
  TestWorld world;
  world.lines = {charge("100"), charge("7")};
  world.lines[1].billed_instead = "7.5";
  store::Store store = world.open();
  const Reconciliation answer = reconcile(store, world.project, all_periods());
  EXPECT_FALSE(answer.reconciled);
  EXPECT_EQ(verdict(answer), "NOT reconciled: postings differ from the bill");
  EXPECT_EQ(row_keys(table(answer.document, "reconcile/lines")),
            std::vector<std::string>{world.line_id(1)});
  EXPECT_EQ(cell(answer.document, "reconcile/lines", world.line_id(1), "billed_difference"),
            "-0.5");
  EXPECT_EQ(cell(answer.document, "reconcile/lines", world.line_id(1), "effective_difference"),
            "0");
  EXPECT_EQ(cell(answer.document, "conservation", "2026-08/inv-8/cloud/bill/USD", "verdict"),
            "NOT conserved: billed_cost, list_cost, contracted_cost");
}

TEST(Reconcile, InvoicesWithoutATotalAndTotalsWithoutLines) {
  TestWorld world;
  world.lines = {charge("100"), charge("5")};
  world.lines[1].invoice = "";
  world.invoices = {{.id = "other", .total = "9"}};
  store::Store store = world.open();
  const Reconciliation answer = reconcile(store, world.project, all_periods());
  EXPECT_FALSE(answer.reconciled);
  EXPECT_EQ(cell(answer.document, "invoices", "other/cloud/2026-08/USD", "verdict"),
            "NOT IN THE BILL");
  EXPECT_EQ(cell(answer.document, "invoices", "inv-8/cloud/2026-08/USD", "verdict"),
            "not judged: no issued total");
  EXPECT_EQ(cell(answer.document, "invoices", "not-invoiced/cloud/2026-08/USD", "verdict"),
            "not judged: not invoiced yet");
}

TEST(Reconcile, WithoutIssuedTotalsNothingIsJudged) {
  TestWorld world;
  world.lines = {charge("100")};
  store::Store store = world.open();
  const Reconciliation answer = reconcile(store, world.project, all_periods());
  EXPECT_TRUE(answer.reconciled);
  EXPECT_EQ(table(answer.document, "reconcile/invoices").notes.at(0),
            "no issued totals: name a file of them under sources: invoices");
}

TEST(Reconcile, ATotalMayCoverAllPeriodsAndIssuers) {
  TestWorld world;
  world.lines = {charge("100"), charge("11")};
  world.lines[1].period = "2026-09";
  world.lines[1].issuer = "second";
  world.invoices = {{.id = "inv-8", .total = "111", .issuer = "", .period = ""}};
  store::Store store = world.open();
  const Reconciliation answer = reconcile(store, world.project, all_periods());
  EXPECT_TRUE(answer.reconciled);
  EXPECT_EQ(cell(answer.document, "invoices", "inv-8//-/USD", "lines"), "2");
}

TEST(Reconcile, APeriodIsOneOfBilling) {
  TestWorld world;
  world.lines = {charge("100"), charge("11")};
  world.lines[1].period = "2026-09";
  world.lines[1].invoice = "inv-9";
  world.invoices = {{.id = "inv-8", .total = "100"},
                    {.id = "inv-9", .total = "50", .issuer = "cloud", .period = "2026-09"}};
  store::Store store = world.open();
  EXPECT_FALSE(reconcile(store, world.project, all_periods()).reconciled);
  const Reconciliation august = reconcile(store, world.project, question("2026-08"));
  EXPECT_TRUE(august.reconciled);
  EXPECT_EQ(table(august.document, "reconcile/invoices").id, "2026-08/reconcile/invoices");
}

TEST(Reconcile, CommitmentsAreShownWithWhatTheyCovered) {
  TestWorld world;
  TestLine fee = charge("50", "0");
  fee.category = "Purchase";
  fee.commitment = "sp";
  TestLine used = charge("0", "30");
  used.commitment = "sp";
  used.commitment_status = "Used";
  TestLine unused = charge("0", "15");
  unused.commitment = "sp";
  unused.commitment_status = "Unused";
  world.lines = {fee, used, unused};
  store::Store within = world.open();
  Reconciliation answer = reconcile(within, world.project, all_periods());
  EXPECT_EQ(cell(answer.document, "commitments", "sp/USD", "fees"), "50");
  EXPECT_EQ(cell(answer.document, "commitments", "sp/USD", "covered"), "30");
  EXPECT_EQ(cell(answer.document, "commitments", "sp/USD", "unused"), "15");
  EXPECT_EQ(cell(answer.document, "commitments", "sp/USD", "difference"), "-5");
  EXPECT_EQ(cell(answer.document, "commitments", "sp/USD", "verdict"), "not judged");
  EXPECT_TRUE(answer.reconciled);
  world.lines[2].postings[0].states[0].effective = "20";
  store::Store whole = world.open();
  answer = reconcile(whole, world.project, all_periods());
  EXPECT_EQ(cell(answer.document, "commitments", "sp/USD", "verdict"), "equal");
}

}  // namespace
}  // namespace tare::measures

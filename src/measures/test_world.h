// A tiny store written by hand: bill lines with the postings and states that a test says they have.
// Nothing is derived here but sums, so that answers are worked out in the tests alone.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "measures/measures.h"

namespace tare::measures {

Money usd(const std::string& text);   // "12.50"
int64_t at(const std::string& text);  // "2026-08-01" or an instant
inline int64_t hours(int64_t count) { return count * kNsPerHour; }
Question question(const std::string& month = "2026-08");  // full

struct TestState {
  store::State state = store::State::kOtherCharges;
  int64_t ns = 0;
  std::string billed;
  std::optional<std::string> effective{};  // as billed; "null" is unknown
  bool busy_known = false;
};

struct TestPosting {
  std::string account, model{}, stage{}, team{}, pool{}, run_id{};
  std::vector<TestState> states;  // a posting's cost is the sum of theirs
  store::Rule rule = store::Rule::kDeviceTime;
  int32_t attempt = 0;
};

struct TestLine {
  std::vector<TestPosting> postings;
  std::string start = "2026-08-10", end = "2026-08-11";
  std::string period = "2026-08", source = "bill", currency = "USD";
  std::string invoice = "inv-8", issuer = "cloud", category = "Usage", service = "compute";
  std::string resource = "node-1", commitment{}, commitment_status{};
  store::DeviceClass device_class = store::DeviceClass::kAccelerator;
  std::string billed_instead{};      // a line that its postings do not sum to
  std::string pricing{}, further{};  // pricing quantity, and further columns as JSON
};

struct TestRun {
  std::string run_id, model, stage, state, start, end, parent{};
  int32_t attempt = 0;
};
struct TestHold {
  std::string run_id, resource, device, start, end;
};
struct TestOutcome {
  std::string model, outcome, day, count;
  std::optional<std::string> low{}, high{};
  std::string labelled_until{};
};
struct TestInvoice {
  std::string id, total, issuer = "cloud", period = "2026-08", currency = "USD";
};

class TestWorld {
 public:
  TestWorld();
  ~TestWorld();
  TestWorld(const TestWorld&) = delete;
  TestWorld& operator=(const TestWorld&) = delete;

  Project project;
  std::vector<TestLine> lines;
  std::vector<TestRun> runs;
  std::vector<TestHold> holds;
  std::vector<TestOutcome> outcomes;
  std::vector<TestInvoice> invoices;
  Findings findings;
  std::string horizon = "2026-09-01";
  int64_t quarantined = 0;   // rows of the bill, each with a readable cost of 1.25 USD
  int64_t missing_rows = 0;  // rows of the bill that nothing accounts for

  store::Store open();                      // writes everything, then opens it
  std::string line_id(size_t index) const;  // as the views print it

 private:
  using Period = std::pair<std::string, std::string>;  // source, billing period
  void write_bill(const Period& period, const std::vector<const TestLine*>& of_period);
  void write_ledger(const Period& period, const std::vector<const TestLine*>& of_period);
  void write_facts();
  void write_timeline();
  void add_file(store::StoreFile file) { catalog_.files.push_back(std::move(file)); }
  Hash128 id_of(const TestLine& line) const;

  std::filesystem::path folder_;
  store::Catalog catalog_;
};

// The only table whose id is, or ends in "/" and this. Fails the test where there is none.
const Table& table(const Document& document, const std::string& name);
// A cell by row key and column name, as exact text (meanings.h); "no such cell" where there is
// none.
std::string cell(const Document& document, const std::string& table_name, const std::string& row,
                 const std::string& column);
std::vector<std::string> row_keys(const Table& found);

}  // namespace tare::measures

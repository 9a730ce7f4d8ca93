#include "ledger/post_file.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace tare::ledger {

using store::Evidence;
using store::Rule;
using store::State;
using timeline::HeldTime;
using timeline::StateTime;

namespace {

constexpr int64_t kProgressRows = 100'000;

std::optional<Money> money_at(const store::Chunk& chunk, size_t column, size_t row) {
  if (!chunk.valid(column, row)) return std::nullopt;
  return Money::from_stored(chunk.i64(column, row), chunk.i64(column + 1, row));
}

}  // namespace

FilePoster::FilePoster(const Project& project, const timeline::Timeline& timeline,
                       const timeline::BillFile& bill, const std::string& store_directory,
                       const std::string& derived_from)
    : project_(project),
      timeline_(timeline),
      bill_(bill),
      rules_(project, timeline),
      dim_times_(timeline.dims_of(bill.name)),
      accounts_(timeline),
      bill_path_(store_directory + "/" + bill.name) {
  std::map<std::tuple<std::string, std::string, std::string>, size_t> keys;
  for (size_t i = 0; i < bill.dims.size(); ++i) {
    const BillDim& dim = bill.dims[i];
    DimRule rule = rules_.rule_for(dim, dim_times_[i]);
    rule.conserved_key = keys.try_emplace({dim[DimColumn::kInvoiceIssuerName].value_or(""),
                                           dim[DimColumn::kInvoiceId].value_or(""), rule.currency},
                                          keys.size())
                             .first->second;
    dim_rules_.push_back(std::move(rule));
  }
  whole_account_.assign(bill.dims.size(), -1);
  line_sums_.resize(keys.size());
  posting_sums_.resize(keys.size());
  entry_.kind = "ledger";
  entry_.source = bill.source;
  entry_.period = bill.period;
  entry_.derived_from = derived_from;
  entry_.span_start_ns = INT64_MAX;
  entry_.span_end_ns = INT64_MIN;
  std::string stem = bill.name.substr(bill.name.find('-') + 1);
  stem = stem.substr(0, stem.rfind('-'));
  file_ = std::make_unique<store::FileWriter>(store_directory,
                                              fmt::format("ledger-{}-{}", stem, derived_from));
  postings_ =
      std::make_unique<store::TableWriter>(file_->table("posting", store::posting_columns()));
}

FilePoster::~FilePoster() = default;

template <typename Use>
void FilePoster::each_line(store::Connection& connection, const std::string& where, Use use) {
  store::Stream stream = connection.stream_store(
      fmt::format("SELECT id, dim, charge_start, charge_end, billed_units, billed_atto, "
                  "effective_units, effective_atto, "
                  "list_units, list_atto, contracted_units, contracted_atto, consumed_units, "
                  "consumed_atto FROM {}.line{}",
                  bill_.alias, where));
  while (const store::Chunk* chunk = stream.next()) {
    for (size_t row = 0; row < chunk->rows(); ++row) {
      Line line;
      line.id = chunk->uuid(0, row);
      line.dim = chunk->i32(1, row);
      line.period = {chunk->i64(2, row), chunk->i64(3, row)};
      for (size_t c = 0; c < kCostColumns; ++c) line.costs[c] = money_at(*chunk, 4 + 2 * c, row);
      line.consumed = money_at(*chunk, 12, row);
      use(line);
    }
  }
}

void FilePoster::post_lines(store::Connection& connection, ModelCosts* model_costs,
                            const Progress& progress) {
  model_costs_ = model_costs;
  int64_t done = 0;
  ProgressEvent event{fmt::format("posting {} {}", bill_.source, bill_.period), 0, 0};
  each_line(connection, "", [&](const Line& line) {
    if (++done % kProgressRows == 0 && progress) {
      event.done = done;
      progress(event);
    }
    auto& sums = line_sums_[dim_rules_[static_cast<size_t>(line.dim)].conserved_key];
    for (size_t c = 0; c < kCostColumns; ++c) {
      if (line.costs[c]) sums[c] += line.costs[c]->atto();
    }
    entry_.span_start_ns = std::min(entry_.span_start_ns, line.period.start_ns);
    entry_.span_end_ns = std::max(entry_.span_end_ns, line.period.end_ns);
    post_line(line);
  });
}

bool FilePoster::is_tracked(const Line& line, const DimRule& rule) const {
  return rule.resource >= 0 &&
         line.period.start_ns >=
             timeline_.resources()[static_cast<size_t>(rule.resource)].tracked_from_ns;
}

std::vector<HeldTime> FilePoster::held_by_tagged_run(const Line& line, const DimRule& rule) const {
  if (rule.tag_run.empty()) return {};
  return held_by_run(timeline_, rule.tag_run, line.period, devices_of(rule.resource));
}

int64_t FilePoster::devices_of(int32_t resource) const {
  return resource < 0 ? 1 : timeline_.resources()[static_cast<size_t>(resource)].devices;
}

FilePoster::Route FilePoster::route_of(const Line& line, const DimRule& rule) const {
  if (rule.by_category) return Route::kWhole;
  const auto& effective = line.costs[static_cast<size_t>(CostColumn::kEffective)];
  if (rule.fee && effective && effective->is_zero() && !line.costs[0]->is_zero())
    return Route::kFee;
  if (rule.managed_attempt_run >= 0) return Route::kManaged;
  if (is_tracked(line, rule)) return Route::kTracked;
  if (!held_by_tagged_run(line, rule).empty()) return Route::kTaggedRun;
  if (rule.by_tag) return Route::kTag;
  return rule.shared >= 0 ? Route::kShared : Route::kWhole;
}

timeline::DimTime FilePoster::time_of(const Line& line) const {
  return timeline_.at_instant(dim_times_[static_cast<size_t>(line.dim)], line.period.start_ns);
}

// The dim's rule, or a copy of it where the machine or its pool depends on the charge's start.
const DimRule& FilePoster::rule_of(const Line& line) {
  const DimRule& rule = dim_rules_[static_cast<size_t>(line.dim)];
  if (rule.by_category || rule.resource < 0) return rule;
  timeline::DimTime time = time_of(line);
  if (time.aliased < 0 &&
      timeline_.resources()[static_cast<size_t>(time.resource)].pools.size() < 2)
    return rule;
  rule_then_ = rule;
  rules_.place(bill_.dims[static_cast<size_t>(line.dim)], time.resource, line.period.start_ns,
               &rule_then_);
  return rule_then_;
}

void FilePoster::post_line(const Line& line) {
  const DimRule& rule = rule_of(line);
  timeline::DimTime time = time_of(line);
  Route route = route_of(line, rule);
  bool by_use = !rule.by_category && route != Route::kFee;
  bool named = route == Route::kManaged || route == Route::kTracked || route == Route::kTaggedRun;
  if (by_use && !rule.unknown_run.empty())
    note("run-id-unknown", line, rule.unknown_run, rule.unknown_run);
  if (by_use && !named && !rule.tag_run.empty()) {
    note("run-id-tag-outside-run", line, rule.tag_run, rule.tag_run);
  }
  if (by_use && !named && time.carries) {
    note("resource-untracked", line, timeline_.resources()[static_cast<size_t>(rule.resource)].id,
         "");
  }
  switch (route) {
    case Route::kFee:
      return post_whole(line, *rule.fee, Evidence::kCategory, Rule::kCommitmentFee);
    case Route::kManaged: {
      const std::string& run =
          timeline_.attempts()[static_cast<size_t>(rule.managed_attempt_run)].run_id;
      Target target = rules_.target_of(timeline_.attempt_of_run(run, line.period));
      if (rule.resource >= 0) target.pool = rule.idle_pool;
      return post_whole(line, target, Evidence::kExact,
                        rule.line_run ? Rule::kLineRunId : Rule::kManagedResource);
    }
    case Route::kTracked:
      return post_tracked(line, rule, time);
    case Route::kTaggedRun:
      return post_tagged_run(line, rule, time);
    case Route::kTag:
      return post_whole(line, *rule.by_tag, Evidence::kTag, Rule::kTagRule);
    case Route::kShared:
      return;  // when all else of the period is posted: post_shared
    case Route::kWhole:
      return post_whole(line, rule.whole, rule.whole_evidence, rule.whole_rule);
  }
}

int64_t FilePoster::line_ns(const Line& line, const timeline::DimTime& time) const {
  if (!time.carries || line.period.empty()) return 0;
  // Where negative quantities took the period's sum to its floor, no line of it has any time.
  const timeline::BilledTime* billed = timeline_.billed_time(time.resource, line.period);
  if (billed == nullptr || billed->billed_ns == 0) return 0;
  if (!line.consumed) return timeline_.assumed_ns(time.resource, line.period, line.id);
  return timeline_.line_device_ns(time, line.consumed).value_or(0);
}

void FilePoster::post_whole(const Line& line, const Target& target, Evidence evidence, Rule rule) {
  const DimRule& dim_rule = dim_rules_[static_cast<size_t>(line.dim)];
  int32_t& cached = whole_account_[static_cast<size_t>(line.dim)];
  bool is_default = &target == &dim_rule.whole;
  int32_t account = is_default && cached >= 0 ? cached : accounts_.id_of(target);
  if (is_default) cached = account;
  int64_t ns = line_ns(line, time_of(line));
  Posting posting{account, evidence, rule, target.attempt >= 0 ? std::max<int64_t>(ns, 0) : 0, ns};
  append(line, posting, line.costs);
  add_states(line, posting, line.costs, target.attempt, nullptr, ns > 0);
  if (evidence == Evidence::kExact || evidence == Evidence::kTag)
    add_model_cost(target, line, line.costs);
}

const FilePoster::Shares& FilePoster::shares_of(int32_t resource, Span period) {
  if (shares_.resource == resource && shares_.period == period) return shares_;
  shares_.resource = resource;
  shares_.period = period;
  timeline_.held_in(resource, period, &shares_.held);
  timeline_.states_in(resource, period, &shares_.states);
  int64_t devices = devices_of(resource);
  if (period.empty()) {
    shares_.base_ns = devices * kNsPerHour;
  } else {
    shares_.base_ns = timeline_.billed_within(resource, period);
    if (shares_.base_ns == 0) shares_.base_ns = period.length_ns() * devices;
  }
  return shares_;
}

void FilePoster::post_tracked(const Line& line, const DimRule& rule,
                              const timeline::DimTime& time) {
  const Shares& shares = shares_of(rule.resource, line.period);
  LineTime line_time{line.period, rule.resource, shares.base_ns};
  int64_t ns = line_ns(line, time);
  if (!rule.tag_run.empty()) {
    bool among = std::any_of(shares.held.begin(), shares.held.end(), [&](const HeldTime& held) {
      return timeline_.attempts()[static_cast<size_t>(held.attempt)].run_id == rule.tag_run;
    });
    if (!among) note("tag-contradicts-holds", line, rule.tag_run, rule.tag_run);
  }
  Rule why = line.period.empty() ? Rule::kInstant : ns > 0 ? Rule::kDeviceTime : Rule::kFollows;
  std::vector<Part> parts = make_parts(rules_, timeline_, rule, line_time, shares.held);
  post_parts(line, parts, Evidence::kOverlap, why, {ns, shares.base_ns},
             ns > 0 ? &shares.states : nullptr);
}

void FilePoster::post_tagged_run(const Line& line, const DimRule& rule,
                                 const timeline::DimTime& time) {
  int64_t devices = devices_of(rule.resource);
  int64_t base_ns = 0;
  if (rule.resource >= 0 && !line.period.empty())
    base_ns = timeline_.billed_within(rule.resource, line.period);
  if (base_ns == 0)
    base_ns = devices * (line.period.empty() ? kNsPerHour : line.period.length_ns());
  std::vector<Part> parts =
      make_parts(rules_, timeline_, rule, {line.period, rule.resource, base_ns},
                 held_by_tagged_run(line, rule));
  post_parts(line, parts, Evidence::kExact, Rule::kRunIdTag, {line_ns(line, time), base_ns},
             nullptr);
}

void FilePoster::post_parts(const Line& line, const std::vector<Part>& parts, Evidence evidence,
                            Rule rule, LineNs ns, const std::vector<StateTime>* states) {
  auto [line_ns, base_ns] = ns;
  weights_.clear();
  int64_t held_ns = 0;
  for (const Part& part : parts) {
    weights_.push_back(part.weight_ns);
    held_ns += part.held_ns;
  }
  size_t count = parts.size();
  ns_parts_.assign(count, 0);
  held_parts_.assign(count, 0);
  if (line_ns != 0)
    split_count(line_ns, std::span<const int64_t>(weights_), std::span<int64_t>(ns_parts_));
  if (line_ns > 0 && held_ns > 0) {
    // What was held, in this line's part of all that was billed in the period.
    auto held_here = static_cast<int64_t>(static_cast<int128>(held_ns) * line_ns / base_ns);
    std::vector<int64_t> held_weights;
    for (const Part& part : parts) held_weights.push_back(part.held_ns);
    split_count(held_here, std::span<const int64_t>(held_weights), std::span<int64_t>(held_parts_));
  }
  std::vector<Costs> costs(count);
  cost_parts_.resize(count);
  for (size_t c = 0; c < kCostColumns; ++c) {
    if (!line.costs[c]) continue;
    split(*line.costs[c], std::span<const int64_t>(weights_), std::span<Money>(cost_parts_));
    for (size_t i = 0; i < count; ++i) costs[i][c] = cost_parts_[i];
  }
  for (size_t i = 0; i < count; ++i) {
    Posting posting{accounts_.id_of(parts[i].target), evidence, rule, held_parts_[i], ns_parts_[i]};
    append(line, posting, costs[i]);
    add_states(line, posting, costs[i], parts[i].target.attempt, states, line_ns > 0);
    add_model_cost(parts[i].target, line, costs[i]);
  }
}

void FilePoster::add_states(const Line& line, const Posting& posting, const Costs& costs,
                            int32_t attempt, const std::vector<StateTime>* states,
                            bool device_time) {
  auto month = month_of(line.period.start_ns).index;
  StateCosts::Key key{line.dim, posting.account, month, static_cast<uint8_t>(State::kOtherCharges),
                      false};
  if (!device_time) {
    state_costs_.add(key, posting.billed_ns, costs);
    return;
  }
  bool idle = accounts_[posting.account].kind == "idle";
  key.state = static_cast<uint8_t>(idle ? State::kNoRun : State::kUnknown);
  std::vector<const StateTime*> own;
  if (states != nullptr && attempt >= 0) {
    for (const StateTime& state : *states) {
      if (state.attempt == attempt) own.push_back(&state);
    }
  }
  if (own.size() <= 1) {
    if (!own.empty()) {
      key.state = static_cast<uint8_t>(own.front()->state);
      key.busy_known = own.front()->busy_known;
    }
    state_costs_.add(key, posting.billed_ns, costs);
    return;
  }
  std::vector<int64_t> weights, times(own.size());
  for (const StateTime* state : own) weights.push_back(state->weight_ns);
  split_count(posting.billed_ns, std::span<const int64_t>(weights), std::span<int64_t>(times));
  std::vector<Costs> parts(own.size());
  for (size_t c = 0; c < kCostColumns; ++c) {
    if (!costs[c]) continue;
    std::vector<Money> money = split(*costs[c], std::span<const int64_t>(weights));
    for (size_t i = 0; i < own.size(); ++i) parts[i][c] = money[i];
  }
  for (size_t i = 0; i < own.size(); ++i) {
    key.state = static_cast<uint8_t>(own[i]->state);
    key.busy_known = own[i]->busy_known;
    state_costs_.add(key, times[i], parts[i]);
  }
}

void FilePoster::add_model_cost(const Target& target, const Line& line, const Costs& costs) {
  if (target.kind != "model" || model_costs_ == nullptr) return;
  const auto& effective = costs[static_cast<size_t>(CostColumn::kEffective)];
  (*model_costs_)[dim_rules_[static_cast<size_t>(line.dim)].currency][target.model] +=
      effective ? *effective : costs[0].value_or(Money());
}

void FilePoster::append(const Line& line, const Posting& posting, const Costs& costs) {
  auto& sums = posting_sums_[dim_rules_[static_cast<size_t>(line.dim)].conserved_key];
  postings_->set_uuid(0, line.id);
  postings_->set_i32(1, line.dim);
  postings_->set_i32(2, posting.account);
  postings_->set_u8(3, static_cast<uint8_t>(posting.evidence));
  postings_->set_u8(4, static_cast<uint8_t>(posting.rule));
  for (size_t c = 0; c < kCostColumns; ++c) {
    postings_->set_money(5 + 2 * c, costs[c]);
    if (costs[c]) sums[c] += costs[c]->atto();
  }
  postings_->set_i64(13, posting.held_ns);
  postings_->set_i64(14, posting.billed_ns);
  postings_->set_i64(15, line.period.start_ns);
  postings_->set_i64(16, line.period.end_ns);
  postings_->end_row();
}

void FilePoster::note(std::string_view code, const Line& line, const std::string& subject,
                      std::string_view text) {
  findings_.add({.code = code,
                 .source = bill_.source,
                 .subject = subject,
                 .cost = line.costs[0],
                 .currency = dim_rules_[static_cast<size_t>(line.dim)].currency,
                 .place = to_text(line.id),
                 .text = text});
}

// The models that a shared line is spread over, each with its weight; empty where nothing tells.
std::vector<std::pair<std::string, Money>> FilePoster::shared_weights(
    const Line& line, const DimRule& rule, const ModelCosts& model_costs) const {
  const SharedPolicy& policy = project_.policy.shared[static_cast<size_t>(rule.shared)];
  std::vector<std::pair<std::string, Money>> weights;
  if (policy.rule == SharedRule::kByRequest) {
    for (const auto& [model, count] : timeline_.requests_in(month_of(line.period.start_ns))) {
      weights.emplace_back(model, Money::from_atto(count));
    }
  } else if (policy.rule == SharedRule::kDeclared) {
    for (const auto& [model, text] : policy.declared) {
      Fraction part = parse_fraction(text).value_or(Fraction{0, 1});
      weights.emplace_back(model, divide(Money::from_units(part.num), part.den));
    }
  } else if (auto costs = model_costs.find(rule.currency); costs != model_costs.end()) {
    weights.assign(costs->second.begin(), costs->second.end());
  }
  std::erase_if(weights, [](const auto& weight) { return weight.second <= Money(); });
  if (policy.rule == SharedRule::kEqual) {
    for (auto& weight : weights) weight.second = Money::from_units(1);
  }
  return weights;
}

void FilePoster::post_shared(store::Connection& connection, const ModelCosts& model_costs) {
  model_costs_ = nullptr;
  std::string wanted;
  for (size_t i = 0; i < dim_rules_.size(); ++i) {
    if (dim_rules_[i].shared >= 0) wanted += (wanted.empty() ? "" : ",") + std::to_string(i);
  }
  if (wanted.empty()) return;
  each_line(connection, fmt::format(" WHERE dim IN ({})", wanted), [&](const Line& line) {
    const DimRule& rule = rule_of(line);
    if (route_of(line, rule) != Route::kShared) return;
    auto weights = shared_weights(line, rule, model_costs);
    if (weights.empty()) {
      const std::string& what = project_.policy.shared[static_cast<size_t>(rule.shared)].what;
      note("shared-not-attributable", line, what, what);
      post_whole(line, rule.whole, Evidence::kPolicy, Rule::kSharedPolicy);
    } else {
      post_by_weights(line, rule.shared, weights);
    }
  });
}

void FilePoster::post_by_weights(const Line& line, int32_t shared,
                                 const std::vector<std::pair<std::string, Money>>& weights) {
  std::vector<std::pair<Target, Money>> targets;
  for (const auto& [model, weight] : weights)
    targets.emplace_back(rules_.shared_part(model, shared), weight);
  std::sort(targets.begin(), targets.end(),
            [](const auto& a, const auto& b) { return a.first.account < b.first.account; });
  std::vector<Money> by;
  for (const auto& target : targets) by.push_back(target.second);
  std::vector<Costs> costs(targets.size());
  for (size_t c = 0; c < kCostColumns; ++c) {
    if (!line.costs[c]) continue;
    std::vector<Money> parts = split_by_money(*line.costs[c], by);
    for (size_t i = 0; i < parts.size(); ++i) costs[i][c] = parts[i];
  }
  for (size_t i = 0; i < targets.size(); ++i) {
    Posting posting{accounts_.id_of(targets[i].first), Evidence::kPolicy, Rule::kSharedPolicy, 0,
                    0};
    append(line, posting, costs[i]);
    add_states(line, posting, costs[i], -1, nullptr, false);
  }
}

void FilePoster::assert_conserved() const {
  for (size_t key = 0; key < line_sums_.size(); ++key) {
    TARE_ASSERT(line_sums_[key] == posting_sums_[key],
                fmt::format("postings of {} {} sum to its lines", bill_.source, bill_.period));
  }
}

void FilePoster::write_dims() {
  store::TableWriter table = file_->table("posting_dim", store::posting_dim_columns());
  auto set = [&](size_t column, const std::optional<std::string>& text) {
    if (text) {
      table.set_text(column, *text);
    } else {
      table.set_null(column);
    }
  };
  for (size_t i = 0; i < bill_.dims.size(); ++i) {
    const BillDim& dim = bill_.dims[i];
    int32_t resource = dim_times_[i].resource;
    table.set_i32(0, static_cast<int32_t>(i));
    set(1, dim[DimColumn::kBillingCurrency]);
    set(2, dim[DimColumn::kInvoiceId]);
    set(3, dim[DimColumn::kInvoiceIssuerName]);
    set(4, dim[DimColumn::kServiceName]);
    set(5, dim[DimColumn::kServiceCategory]);
    set(6, dim[DimColumn::kRegionId]);
    if (dim_times_[i].aliased >= 0) {  // several machines in turn: the name that the bill gives
      set(7, dim[DimColumn::kResourceId]);
      table.set_u8(9, static_cast<uint8_t>(
                          timeline_.resources()[static_cast<size_t>(resource)].device_class));
    } else if (resource < 0) {
      table.set_null(7);
      table.set_u8(9, static_cast<uint8_t>(store::DeviceClass::kNone));
    } else {
      const timeline::Resource& found = timeline_.resources()[static_cast<size_t>(resource)];
      table.set_text(7, found.id);
      table.set_u8(9, static_cast<uint8_t>(dim_times_[i].carries ? found.device_class
                                                                 : store::DeviceClass::kNone));
    }
    set(8, dim[DimColumn::kBillingAccountId]);
    table.end_row();
  }
  table.close();
}

store::StoreFile FilePoster::finish() {
  assert_conserved();
  entry_.rows = postings_->rows();
  postings_->close();
  accounts_.write(file_.get());
  write_dims();
  state_costs_.write(file_.get());
  write_day_costs(file_.get());
  store::write_findings(*file_, findings_);
  entry_.name = file_->seal();
  return entry_;
}

}  // namespace tare::ledger

#include "ledger/post_file.h"

#include <algorithm>
#include <map>

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

// The columns that each_line asks for.
void read_line(const store::Chunk& chunk, size_t row, Line* line) {
  TARE_ASSERT(chunk.i64(1, row) <= INT32_MAX, "a bill file has fewer than 2^31 lines");
  line->id = chunk.uuid(0, row);
  line->row = static_cast<int32_t>(chunk.i64(1, row));
  line->dim = chunk.i32(2, row);
  line->period = {chunk.i64(3, row), chunk.i64(4, row)};
  for (size_t c = 0; c < kCostColumns; ++c) line->costs[c] = money_at(chunk, 5 + 2 * c, row);
  line->consumed = money_at(chunk, 13, row);
}

}  // namespace

FilePoster::FilePoster(const Project& project, const timeline::Timeline& timeline,
                       const Rates& rates, const timeline::BillFile& bill,
                       const std::string& store_directory, const std::string& derived_from)
    : project_(project),
      timeline_(timeline),
      bill_(bill),
      rules_(project, timeline),
      dim_times_(timeline.dims_of(bill.name)),
      accounts_(rules_, timeline) {
  entry_.kind = "ledger";
  entry_.source = bill.source;
  entry_.period = bill.period;
  entry_.derived_from = derived_from;
  std::string stem = bill.name.substr(bill.name.find('-') + 1);
  stem = stem.substr(0, stem.rfind('-'));
  file_ = std::make_unique<store::FileWriter>(store_directory,
                                              fmt::format("ledger-{}-{}", stem, derived_from));
  conversion_ = std::make_unique<Conversion>(project.currency, rates, bill, file_.get());
  read_dims();
}

// The rule of each dim of the bill, and of each that postings may name what it must balance with.
void FilePoster::read_dims() {
  dim_rules_.reserve(bill_.dims.size());
  for (size_t i = 0; i < bill_.dims.size(); ++i) {
    dim_rules_.push_back(rules_.rule_for(bill_.dims[i], dim_times_[i]));
    place(&dim_rules_.back());
  }
  std::map<std::tuple<std::string, std::string, std::string>, size_t> keys;
  std::vector<std::string> currencies;
  for (const PostedDim& posted : conversion_->dims()) {
    const BillDim& dim = bill_.dims[static_cast<size_t>(posted.bill_dim)];
    auto [key, added] = keys.try_emplace({dim[DimColumn::kInvoiceIssuerName].value_or(""),
                                          dim[DimColumn::kInvoiceId].value_or(""), posted.currency},
                                         keys.size());
    if (added) currencies.push_back(posted.currency);
    conserved_keys_.push_back(static_cast<int32_t>(key->second));
  }
  whole_account_.assign(bill_.dims.size(), -1);
  postings_ = std::make_unique<PostingTable>(file_.get(), accounts_, currencies,
                                             conversion_->dims().size());
}

const std::string& FilePoster::currency_of(const Line& line) const {
  return conversion_->dims()[static_cast<size_t>(line.posted_dim)].currency;
}

FilePoster::~FilePoster() = default;

template <typename Use>
void FilePoster::each_line(store::Connection& connection, const std::string& where, Use use) {
  store::Stream stream = connection.stream_store(
      fmt::format("SELECT id, rowid, dim, charge_start, charge_end, billed_units, billed_atto, "
                  "effective_units, effective_atto, "
                  "list_units, list_atto, contracted_units, contracted_atto, consumed_units, "
                  "consumed_atto FROM {}.line{}",
                  bill_.alias, where));
  Line line;
  while (const store::Chunk* chunk = stream.next()) {
    for (size_t row = 0; row < chunk->rows(); ++row) {
      read_line(*chunk, row, &line);
      conversion_->apply(&line);
      line.conserved_key = conserved_keys_[static_cast<size_t>(line.posted_dim)];
      use(line);
    }
  }
}

void FilePoster::post_lines(store::Connection& connection, ModelCosts* model_costs,
                            const Progress& progress) {
  int64_t done = 0;
  ProgressEvent event{fmt::format("posting {} {}", bill_.source, bill_.period), 0, 0};
  each_line(connection, "", [&](const Line& line) {
    if (++done % kProgressRows == 0 && progress) {
      event.done = done;
      progress(event);
    }
    postings_->count_line(line);
    if (line.rate >= 0) conversion_->write(line);
    if (line.lacks_rate) note("currency-without-rate", line, currency_of(line), "");
    post_line(line);
  });
  postings_->add_model_costs_to(model_costs);
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
  // As the bill says it: a conversion may round to zero.
  const Costs& said = line.rate >= 0 ? line.own_costs : line.costs;
  const auto& effective = said[static_cast<size_t>(CostColumn::kEffective)];
  if (rule.fee && effective && effective->is_zero() && !said[0]->is_zero()) return Route::kFee;
  if (rule.managed_attempt_run >= 0) return Route::kManaged;
  if (is_tracked(line, rule)) return Route::kTracked;
  if (!held_by_tagged_run(line, rule).empty()) return Route::kTaggedRun;
  if (rule.by_tag) return Route::kTag;
  return rule.shared >= 0 ? Route::kShared : Route::kWhole;
}

timeline::DimTime FilePoster::time_of(const Line& line) const {
  return timeline_.at_instant(dim_times_[static_cast<size_t>(line.dim)], line.period.start_ns);
}

int64_t FilePoster::line_ns(const Line& line, const timeline::DimTime& time) const {
  return timeline_.line_ns(time, line.period, line.id, line.consumed);
}

void FilePoster::place(DimRule* rule) {
  if (rule->by_category) return;
  rule->place = accounts_.place_of(rule->idle_pool, rule->idle_team);
}

// The dim's rule, or a copy of it where the machine or its pool depends on the charge's start.
const DimRule& FilePoster::rule_of(const Line& line) {
  const DimRule& rule = dim_rules_[static_cast<size_t>(line.dim)];
  if (!rule.moves) return rule;
  rule_then_ = rule;
  rules_.place(bill_.dims[static_cast<size_t>(line.dim)], time_of(line).resource, line.period,
               &rule_then_);
  place(&rule_then_);
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
      return post_whole(line, accounts_.id_of(*rule.fee), -1, Rule::kCommitmentFee);
    case Route::kManaged:
      return post_managed(line, rule);
    case Route::kTracked:
      return post_tracked(line, rule, time);
    case Route::kTaggedRun:
      return post_tagged_run(line, rule, time);
    case Route::kTag:
      return post_whole(line, accounts_.id_of(*rule.by_tag), -1, Rule::kTagRule);
    case Route::kShared:
      return;  // when all else of the period is posted: post_shared
    case Route::kWhole:
      return post_default(line, rule, rule.whole_rule);
  }
}

void FilePoster::post_default(const Line& line, const DimRule& rule, Rule why) {
  int32_t& account = whole_account_[static_cast<size_t>(line.dim)];
  if (account < 0) account = accounts_.id_of(rule.whole);
  post_whole(line, account, -1, why);
}

void FilePoster::post_managed(const Line& line, const DimRule& rule) {
  const std::string& run =
      timeline_.attempts()[static_cast<size_t>(rule.managed_attempt_run)].run_id;
  int32_t attempt = timeline_.attempt_of_run(run, line.period);
  int32_t place = rule.resource >= 0 ? rule.place : accounts_.place_of("", "");
  Rule why = rule.line_run ? Rule::kLineRunId : Rule::kManagedResource;
  if (!serves_several(timeline_.attempts()[static_cast<size_t>(attempt)]))
    return post_whole(line, accounts_.held_by(attempt, place), attempt, why);
  int64_t ns = line_ns(line, time_of(line));
  std::vector<Part> parts;
  make_run_parts(accounts_, {line.period, place, ns}, attempt, &parts);
  post_parts(line, parts, why, {ns, ns}, {});
}

void FilePoster::post_whole(const Line& line, int32_t account, int32_t attempt, Rule why) {
  int64_t ns = line_ns(line, time_of(line));
  Posting posting{account, why, attempt >= 0 ? ns : 0, ns, line.costs};
  post_part(line, posting, attempt, ns > 0, {});
  Evidence evidence = store::evidence_of(why);
  if (evidence == Evidence::kExact || evidence == Evidence::kTag)
    postings_->count_for_model(line, posting);
}

const FilePoster::Shares& FilePoster::shares_of(int32_t resource, int32_t place, Span period) {
  if (shares_.resource == resource && shares_.place == place && shares_.period == period)
    return shares_;
  shares_.resource = resource;
  shares_.place = place;
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
  make_parts(accounts_, {period, place, shares_.base_ns}, shares_.held, &shares_.parts);
  return shares_;
}

void FilePoster::post_tracked(const Line& line, const DimRule& rule,
                              const timeline::DimTime& time) {
  const Shares& shares = shares_of(rule.resource, rule.place, line.period);
  int64_t ns = line_ns(line, time);
  if (!rule.tag_run.empty()) {
    bool among = std::any_of(shares.held.begin(), shares.held.end(), [&](const HeldTime& held) {
      return timeline_.attempts()[static_cast<size_t>(held.attempt)].run_id == rule.tag_run;
    });
    if (!among) note("tag-contradicts-holds", line, rule.tag_run, rule.tag_run);
  }
  Rule why = line.period.empty() ? Rule::kInstant : ns > 0 ? Rule::kDeviceTime : Rule::kFollows;
  post_parts(line, shares.parts, why, {ns, shares.base_ns}, shares.states);
}

void FilePoster::post_tagged_run(const Line& line, const DimRule& rule,
                                 const timeline::DimTime& time) {
  int64_t devices = devices_of(rule.resource);
  int64_t base_ns = 0;
  if (rule.resource >= 0 && !line.period.empty())
    base_ns = timeline_.billed_within(rule.resource, line.period);
  if (base_ns == 0)
    base_ns = devices * (line.period.empty() ? kNsPerHour : line.period.length_ns());
  std::vector<Part> parts;
  make_parts(accounts_, {line.period, rule.place, base_ns}, held_by_tagged_run(line, rule), &parts);
  post_parts(line, parts, Rule::kRunIdTag, {line_ns(line, time), base_ns}, {});
}

void FilePoster::post_parts(const Line& line, const std::vector<Part>& parts, Rule why, LineNs ns,
                            const std::vector<StateTime>& states) {
  auto [line_ns, base_ns] = ns;
  size_t count = parts.size();
  weights_.clear();
  held_weights_.clear();
  int64_t held_ns = 0;
  for (const Part& part : parts) {
    weights_.push_back(part.weight_ns);
    held_weights_.push_back(part.held_ns);
    held_ns += part.held_ns;
  }
  ns_parts_.assign(count, 0);
  held_parts_.assign(count, 0);
  if (line_ns != 0)
    split_count(line_ns, std::span<const int64_t>(weights_), std::span<int64_t>(ns_parts_));
  if (line_ns > 0 && held_ns > 0) {
    // What was held, in this line's part of all that was billed in the period.
    auto held_here = static_cast<int64_t>(static_cast<int128>(held_ns) * line_ns / base_ns);
    split_count(held_here, std::span<const int64_t>(held_weights_),
                std::span<int64_t>(held_parts_));
  }
  line_postings_.assign(count, {});
  cost_parts_.resize(count);
  for (size_t c = 0; c < kCostColumns; ++c) {
    if (!line.costs[c]) continue;
    split(*line.costs[c], std::span<const int64_t>(weights_), std::span<Money>(cost_parts_));
    for (size_t i = 0; i < count; ++i) line_postings_[i].costs[c] = cost_parts_[i];
  }
  for (size_t i = 0; i < count; ++i) {
    Posting& posting = line_postings_[i];
    posting.account = parts[i].account;
    posting.rule = why;
    posting.held_ns = held_parts_[i];
    posting.billed_ns = ns_parts_[i];
    post_part(line, posting, parts[i].attempt, line_ns > 0, states);
    postings_->count_for_model(line, posting);
  }
}

// With the state of its device-time: several where its holder was in several in that time.
void FilePoster::post_part(const Line& line, const Posting& posting, int32_t attempt,
                           bool device_time, const std::vector<StateTime>& states) {
  if (!device_time) return postings_->add(line, posting, State::kOtherCharges, false);
  if (accounts_.is_idle(posting.account))
    return postings_->add(line, posting, State::kNoRun, false);
  own_states_.clear();
  if (attempt >= 0) {
    for (const StateTime& state : states) {
      if (state.attempt == attempt) own_states_.push_back(&state);
    }
  }
  if (own_states_.empty()) return postings_->add(line, posting, State::kUnknown, false);
  const StateTime& only = *own_states_.front();
  if (own_states_.size() == 1) return postings_->add(line, posting, only.state, only.busy_known);
  postings_->add_split(line, posting, own_states_);
}

void FilePoster::note(std::string_view code, const Line& line, const std::string& subject,
                      std::string_view text) {
  findings_.add({.code = code,
                 .source = bill_.source,
                 .subject = subject,
                 .cost = line.costs[0],
                 .currency = currency_of(line),
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
    for (const auto& [model, part] : timeline::whole_shares(policy.declared)) {
      weights.emplace_back(model, Money::from_atto(part));
    }
  } else if (auto costs = model_costs.find(currency_of(line)); costs != model_costs.end()) {
    weights.assign(costs->second.begin(), costs->second.end());
  }
  std::erase_if(weights, [](const auto& weight) { return weight.second <= Money(); });
  if (policy.rule == SharedRule::kEqual) {
    for (auto& weight : weights) weight.second = Money::from_units(1);
  }
  return weights;
}

void FilePoster::post_shared(store::Connection& connection, const ModelCosts& model_costs) {
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
      post_default(line, rule, Rule::kSharedPolicy);
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
  std::vector<Posting> postings(targets.size());
  for (size_t c = 0; c < kCostColumns; ++c) {
    if (!line.costs[c]) continue;
    std::vector<Money> parts = split_by_money(*line.costs[c], by);
    for (size_t i = 0; i < parts.size(); ++i) postings[i].costs[c] = parts[i];
  }
  for (size_t i = 0; i < targets.size(); ++i) {
    postings[i].account = accounts_.id_of(targets[i].first);
    postings[i].rule = Rule::kSharedPolicy;
    post_part(line, postings[i], -1, false, {});
  }
}

// Device time is of the machine that carries it; several machines in turn are of one class.
store::DeviceClass FilePoster::device_class_of(size_t dim) const {
  const timeline::DimTime& time = dim_times_[dim];
  if (time.resource < 0 || (time.aliased < 0 && !time.carries)) return store::DeviceClass::kNone;
  return timeline_.resources()[static_cast<size_t>(time.resource)].device_class;
}

std::vector<DayCosts::DimWords> FilePoster::dim_words() const {
  std::vector<DayCosts::DimWords> words;
  for (const PostedDim& posted : conversion_->dims()) {
    const auto bill_dim = static_cast<size_t>(posted.bill_dim);
    const BillDim& dim = bill_.dims[bill_dim];
    words.push_back({posted.currency, dim[DimColumn::kInvoiceIssuerName].value_or(""),
                     dim[DimColumn::kInvoiceId].value_or(""), device_class_of(bill_dim)});
  }
  return words;
}

void FilePoster::write_dims() {
  store::TableWriter table = file_->table("posting_dim", store::posting_dim_columns());
  int32_t id = 0;
  for (const PostedDim& posted : conversion_->dims()) {
    const auto i = static_cast<size_t>(posted.bill_dim);
    const BillDim& dim = bill_.dims[i];
    const auto set = [&](size_t column, DimColumn of) {
      table.set_known_text(column, dim[of].value_or(""));
    };
    const int32_t resource = dim_times_[i].resource;
    table.set_i32(0, id++);
    table.set_known_text(1, posted.currency);
    set(2, DimColumn::kInvoiceId);
    set(3, DimColumn::kInvoiceIssuerName);
    set(4, DimColumn::kServiceName);
    set(5, DimColumn::kServiceCategory);
    set(6, DimColumn::kRegionId);
    if (dim_times_[i].aliased >= 0) {  // several machines in turn: the name that the bill gives
      set(7, DimColumn::kResourceId);
    } else {
      table.set_known_text(
          7, resource < 0 ? "" : timeline_.resources()[static_cast<size_t>(resource)].id);
    }
    set(8, DimColumn::kBillingAccountId);
    table.set_u8(9, static_cast<uint8_t>(device_class_of(i)));
    table.end_row();
  }
  table.close();
}

store::StoreFile FilePoster::finish() {
  TARE_ASSERT(postings_->conserved(),
              fmt::format("postings of {} {} sum to its lines", bill_.source, bill_.period));
  entry_.span_start_ns = postings_->span().start_ns;
  entry_.span_end_ns = postings_->span().end_ns;
  entry_.rows = postings_->rows();
  postings_->finish(dim_words(), file_.get());
  conversion_->finish();
  accounts_.write(file_.get());
  write_dims();
  store::write_findings(*file_, findings_);
  entry_.name = file_->seal();
  return entry_;
}

}  // namespace tare::ledger

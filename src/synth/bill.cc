#include "synth/bill.h"

#include <algorithm>
#include <numeric>

#include "base/errors.h"
#include "base/money.h"
#include "synth/dice.h"
#include "synth/exact_shares.h"
#include "synth/shares.h"

namespace tare::synth {
namespace {

enum : uint64_t { kSpotDice = 301, kFillDice, kCorrectionDice, kOrderDice, kCreditDice };
enum Cost : size_t { kBilled, kEffective, kList, kContracted };
constexpr uint8_t bit(Cost cost) { return static_cast<uint8_t>(1U << cost); }

// A micro-unit an hour, over a twentieth of an hour.
constexpr int64_t kAttoAMicroTwentieth = Money::kAttoPerUnit / 1'000'000 / kTwentieths;
constexpr int64_t kMicrosATwentieth = 1'000'000 / kTwentieths;
constexpr int64_t kPercent = 100, kPermille = 1000;
constexpr int32_t kDayHours = 24;

Amounts alike(int128 amount) { return {amount, amount, amount, amount}; }

class PeriodBill {
 public:
  PeriodBill(const World& world, const Dims& dims, int32_t month, bool restated, Truth* truth,
             const std::function<void(const BillLine&)>& sink)
      : world_(world),
        dims_(dims),
        own_(dims.accounts),
        month_(month),
        restated_(restated),
        truth_(*truth),
        sink_(sink),
        first_hour_(world.month_hours[static_cast<size_t>(month)]),
        end_hour_(world.month_hours[static_cast<size_t>(month) + 1]),
        used_(dims.commitments.size(), 0) {}

  PeriodTotals make() {
    corrections();
    const size_t places =
        world_.machines.size() + 1;  // the last is that of lines without a machine
    switch (world_.wanted.order) {
      case LineOrder::kHour:
        for (int32_t hour = first_hour_; hour < end_hour_; ++hour) {
          for (size_t place = 0; place < places; ++place) slot(place, hour);
        }
        break;
      case LineOrder::kResource:
        for (size_t place = 0; place < places; ++place) {
          for (int32_t hour = first_hour_; hour < end_hour_; ++hour) slot(place, hour);
        }
        break;
      case LineOrder::kShuffled:
        shuffled_slots(places);
        break;
    }
    own_charges();
    return totals_;
  }

 private:
  // Every slot once, by steps that share no factor with their number.
  void shuffled_slots(size_t places) {
    const auto hours = static_cast<uint64_t>(end_hour_ - first_hour_);
    const uint64_t count = hours * places;
    Dice dice(world_.wanted.seed, kOrderDice);
    uint64_t step = count / 3 + static_cast<uint64_t>(dice.below(static_cast<int64_t>(count)));
    while (std::gcd(step, count) != 1) ++step;
    for (uint64_t i = 0; i < count; ++i) {
      const auto at = static_cast<uint64_t>(static_cast<uint128>(step) * i % count);
      slot(at / hours, first_hour_ + static_cast<int32_t>(at % hours));
    }
  }

  void slot(size_t place, int32_t hour) {
    if (place == world_.machines.size()) return fill(hour);
    const Machine& machine = world_.machines[place];
    if (hour < machine.from_hour || hour >= machine.to_hour) return;
    if (machine.frequency == Frequency::kHourly)
      charge(place, Frequency::kHourly, {hour, hour + 1});
    if (machine.frequency == Frequency::kHourly && machine.charges.size() == 1) return;
    const Span32 day{hour / kDayHours * kDayHours, hour / kDayHours * kDayHours + kDayHours};
    if (hour == std::max(day.start, machine.from_hour)) charge(place, Frequency::kDaily, day);
    if (hour == std::max(first_hour_, machine.from_hour)) {
      charge(place, Frequency::kMonthly, {first_hour_, end_hour_});
    }
  }

  // Twentieths of an hour that are billed of the machine within these hours.
  int64_t billed_twentieths(size_t place, Span32 hours) const {
    const Machine& machine = world_.machines[place];
    int64_t sum = 0;
    const int32_t end = std::min(hours.end, machine.to_hour);
    for (int32_t hour = std::max(hours.start, machine.from_hour); hour < end; ++hour) {
      sum += world_.billed_twentieths(machine, place, hour);
    }
    return sum;
  }

  // The charges of a machine that come so often, over these hours.
  void charge(size_t place, Frequency frequency, Span32 hours) {
    const Machine& machine = world_.machines[place];
    bool any = false;
    for (const Charge& charge : machine.charges) any = any || charge.frequency == frequency;
    if (!any) return;
    const int64_t twentieths = billed_twentieths(place, hours);
    const bool posted = find_period(place, hours, twentieths);
    for (const Charge& charge : machine.charges) {
      if (charge.frequency != frequency) continue;
      const int64_t part = part_of(machine, charge.kind, twentieths);
      const BillLine line = machine_line(place, charge, part, hours);
      post_machine(place, charge.kind, line, posted, part);
      emit(line);
    }
  }

  static Span32 seconds_of(Span32 hours) {
    return {hours.start * kSecondsPerHour, hours.end * kSecondsPerHour};
  }

  // Where an hour has two prices, three fifths of it, rounded down, are at the first.
  static int64_t part_of(const Machine& machine, ChargeKind kind, int64_t twentieths) {
    if (machine.pricing != Pricing::kMixed) return twentieths;
    const int64_t first = twentieths * 3 / 5;
    return kind == ChargeKind::kInstance ? first
           : kind == ChargeKind::kRest   ? twentieths - first
                                         : twentieths;
  }

  // Finds who shares the period; false where no hold and no tagged run has a part in it.
  bool find_period(size_t place, Span32 hours, int64_t twentieths) {
    const Machine& machine = world_.machines[place];
    const bool tagged_run = machine.use == Use::kTaggedRun;
    const bool tracked = world_.month_of_hour(hours.start) >= machine.tracked_month;
    if (!tagged_run && !tracked) return false;
    int64_t base_ns = twentieths * kTwentiethSeconds * kNsPerSecond * devices_of(machine);
    // Without a quantity it is taken for the whole period.
    if (machine.unit == TimeUnitOf::kUnsaid) {
      base_ns = int64_t{hours.end - hours.start} * kNsPerHour * devices_of(machine);
    }
    find_shares(world_, place, seconds_of(hours), base_ns, &shares_);
    const bool nobody = shares_.shares.size() == 1 && shares_.shares.front().holder == kNone;
    return tracked || !nobody;
  }

  BillLine machine_line(size_t place, const Charge& charge, int64_t twentieths,
                        Span32 hours) const {
    const Machine& machine = world_.machines[place];
    const bool cheaper = restated_ && place % 4 == 0;
    const int64_t micros = cheaper ? charge.micros_per_hour / 10 * 9 : charge.micros_per_hour;
    const int128 list = static_cast<int128>(micros) * twentieths * kAttoAMicroTwentieth;
    BillLine line;
    line.dim = charge.dim;
    line.period = seconds_of(hours);
    line.costs = alike(list);
    line.quantity_micros = twentieths * kMicrosATwentieth;
    const bool instance = charge.kind == ChargeKind::kInstance || charge.kind == ChargeKind::kRest;
    if (!instance) return line;
    const Shape& shape = shape_of(machine.shape);
    if (machine.unit == TimeUnitOf::kDeviceHours) line.quantity_micros *= shape.devices;
    if (machine.unit == TimeUnitOf::kCoreHours) line.quantity_micros *= shape.cpus;
    if (machine.unit == TimeUnitOf::kUnsaid) line.has_quantity = false;
    const auto hour = static_cast<uint64_t>(hours.start);
    price(machine, charge.kind, draw(world_.wanted.seed + kSpotDice, place, hour), &line);
    return line;
  }

  static void price(const Machine& machine, ChargeKind kind, uint64_t drawn, BillLine* line) {
    constexpr int64_t kNegotiated = 97, kCommitted = 60, kSpotLeast = 250, kSpotWidth = 200;
    constexpr int64_t kSpotDigits = 1'000'000'000;
    const int128 list = line->costs[kList];
    const int128 negotiated = list * kNegotiated / kPercent;
    const bool committed = machine.pricing == Pricing::kCommitted ||
                           (machine.pricing == Pricing::kMixed && kind == ChargeKind::kRest);
    if (machine.pricing == Pricing::kSpot) {
      // The market's price moves every hour, and has all the digits there are.
      const int128 spot = list * (kSpotLeast + scaled_below(drawn, kSpotWidth)) / kPermille +
                          static_cast<int64_t>(drawn % kSpotDigits);
      line->costs = {spot, spot, list, spot};
    } else if (committed) {
      line->costs = {0, list * kCommitted / kPercent, list, negotiated};
    } else {
      line->costs = {negotiated, negotiated, list, negotiated};
    }
    if (!machine.contracted_known) line->unknown |= bit(kContracted);
    if (!machine.effective_known) line->unknown |= bit(kEffective);
  }

  void post_machine(size_t place, ChargeKind kind, const BillLine& line, bool posted,
                    int64_t twentieths) {
    const Machine& machine = world_.machines[place];
    const bool carries = kind == ChargeKind::kInstance || kind == ChargeKind::kRest;
    int64_t line_ns = 0;
    if (carries) {
      line_ns = line.has_quantity
                    ? twentieths * kTwentiethSeconds * kNsPerSecond * devices_of(machine)
                    : (line.period.end - line.period.start) * kNsPerSecond * devices_of(machine);
    }
    const Dim& dim = dims_.all[static_cast<size_t>(line.dim)];
    if (dim[Text::kCommitmentDiscountStatus] == "Used") {
      used_[static_cast<size_t>(dim.seller)] += line.costs[kEffective];
    }
    if (machine.use == Use::kManaged) {
      return post_whole(world_.holders[machine.holder].account, line, machine.model, line_ns,
                        machine);
    }
    if (posted) {
      post_shares(machine, line, line_ns);
      if (machine.plant >= 0) add_waste(machine, line, line_ns);
      return;
    }
    if (machine.use == Use::kTagRule) {
      return post_whole(own_.batch_of[machine.model], line, machine.model, line_ns, machine);
    }
    if (line_ns > 0) add_state(machine, line, DeviceState::kUnknown, line_ns);
    post_unnamed(line, dim);
  }

  void add_state(const Machine& machine, const BillLine& line, DeviceState state, int64_t ns) {
    const bool node = shape_of(machine.shape).devices == 0;
    truth_.add_state(world_.month_of_hour(line.period.start / kSecondsPerHour), node, state, ns);
  }

  void post_whole(uint32_t account, const BillLine& line, size_t model, int64_t line_ns,
                  const Machine& machine) {
    post_whole(account, line);
    models_[model] += effective_of(line);
    if (line_ns == 0) return;
    if (account < world_.wanted.runs) truth_.add_held(account, line_ns);
    add_state(machine, line, DeviceState::kUnknown, line_ns);
  }

  void post_whole(uint32_t account, const BillLine& line) {
    for (size_t c = 0; c < kCosts; ++c) {
      if ((line.unknown >> c & 1) == 0) truth_.add(account, c, line.costs[c]);
    }
  }

  static int128 effective_of(const BillLine& line) {
    const bool known = (line.unknown & bit(kEffective)) == 0;
    return line.costs[known ? kEffective : kBilled];
  }

  void post_shares(const Machine& machine, const BillLine& line, int64_t line_ns) {
    weights_.clear();
    for (const Share& share : shares_.shares) weights_.push_back(static_cast<uint128>(share.ns));
    for (size_t c = 0; c < kCosts; ++c) {
      if ((line.unknown >> c & 1) != 0) continue;
      share_exactly(line.costs[c], weights_, &parts_);
      const bool counts =
          c == kEffective || (c == kBilled && (line.unknown & bit(kEffective)) != 0);
      for (size_t i = 0; i < parts_.size(); ++i) {
        const Share& share = shares_.shares[i];
        truth_.add(share.account, c, parts_[i]);
        if (counts && share.holder != kNone) add_to_model(share, parts_[i]);
      }
    }
    if (line_ns == 0) return;
    for (const Share& share : shares_.shares) {
      if (share.holder != kNone) {
        truth_.add_held(share.account, part_ns(share.ns, line_ns, shares_.base_ns));
      }
      for (size_t s = 0; s < kDeviceStates; ++s) {
        const int64_t ns = part_ns(share.states[s], line_ns, shares_.weights_ns);
        if (ns > 0) add_state(machine, line, static_cast<DeviceState>(s), ns);
      }
    }
  }

  static int64_t part_ns(int64_t ns, int64_t line_ns, int64_t whole_ns) {
    return static_cast<int64_t>(static_cast<int128>(ns) * line_ns / whole_ns);
  }

  void add_to_model(const Share& share, int128 amount) {
    const Holder& holder = world_.holders[share.holder];
    if (holder.run != kNone) {
      models_[world_.runs[holder.run].model] += amount;
    } else if (holder.order < kModels) {  // of an endpoint, its model; the blend's is no one's
      models_[holder.order] += amount;
    }
  }

  // What was planted: of a starved device the half in which it waits.
  void add_waste(const Machine& machine, const BillLine& line, int64_t line_ns) {
    const int32_t hour = line.period.start / kSecondsPerHour;
    for (const Phase& phase : machine.phases) {
      if (hour < phase.from_hour || hour >= phase.to_hour || phase.waste == Plant::kCount) continue;
      const int64_t parts = phase.waste == Plant::kDataStarved ? 2 : 1;
      WasteSum& sum = truth_.waste(static_cast<size_t>(machine.plant));
      sum.device_ns += line_ns / parts;
      for (size_t c = 0; c < kCosts; ++c) sum.costs[c] += line.costs[c] / parts;
    }
  }

  void post_unnamed(const BillLine& line, const Dim& dim) {
    if (dim[Text::kServiceCategory] == "Storage") return post_whole(own_.storage, line);
    if (dim[Text::kServiceCategory] == "Networking") return post_network(line);
    post_whole(dim.unassigned, line);
  }

  // By the requests of the month in which the charge begins.
  void post_network(const BillLine& line) {
    const int32_t month = world_.month_of_hour(line.period.start / kSecondsPerHour);
    const auto& counts = world_.requests[static_cast<size_t>(month)];
    std::vector<std::pair<size_t, uint128>> weights;
    for (size_t model = 0; model < counts.size(); ++model) {
      if (counts[model] > 0) weights.emplace_back(model, static_cast<uint128>(counts[model]));
    }
    post_by_model(line, weights, own_.network_of, own_.network);
  }

  // `weights` by model, in any order; parts stand in the order of their accounts.
  void post_by_model(const BillLine& line, std::vector<std::pair<size_t, uint128>> weights,
                     const std::vector<uint32_t>& accounts, uint32_t otherwise) {
    if (weights.empty()) return post_whole(otherwise, line);
    const auto models = company_models();
    std::ranges::sort(weights, {}, [&](const auto& weight) { return models[weight.first].name; });
    weights_.clear();
    for (const auto& [model, weight] : weights) weights_.push_back(weight);
    for (size_t c = 0; c < kCosts; ++c) {
      if ((line.unknown >> c & 1) != 0) continue;
      share_exactly(line.costs[c], weights_, &parts_);
      for (size_t i = 0; i < parts_.size(); ++i) {
        truth_.add(accounts[weights[i].first], c, parts_[i]);
      }
    }
  }

  void emit(const BillLine& line) {
    ++totals_.lines;
    const Dim& dim = dims_.all[static_cast<size_t>(line.dim)];
    totals_.billed[static_cast<size_t>(dim.seller)] += line.costs[kBilled];
    effective_ += effective_of(line);
    sink_(line);
  }

  // Lines without a machine, spread evenly over all hours of the world; the last hour has one.
  void fill(int32_t hour) {
    const int64_t count = world_.fill_lines, hours = world_.hours;
    const int64_t first = count * hour / hours;
    const int64_t next = count * (hour + 1) / hours;
    for (int64_t i = first; i < next; ++i) fill_line(i, hour);
  }

  void fill_line(int64_t index, int32_t hour) {
    constexpr int64_t kLargestAtto = Money::kAttoPerUnit / 20, kLargestMicros = 5'000'000;
    const uint64_t drawn = draw(world_.wanted.seed + kFillDice, static_cast<uint64_t>(index), 0);
    const auto kind = static_cast<size_t>(index) % static_cast<size_t>(Fill::kCount);
    const size_t model =
        static_cast<size_t>(index) / static_cast<size_t>(Fill::kCount) % kCommonModels;
    const auto tagged = static_cast<size_t>(Fill::kTagged);
    BillLine line;
    line.dim = dims_.fill[kind == tagged ? tagged + model : kind];
    line.period = seconds_of({hour, hour + 1});
    const int128 cost = scaled_below(drawn, kLargestAtto) + 1;
    line.costs = {cost, cost, 2 * cost, cost};
    line.quantity_micros = scaled_below(drawn, kLargestMicros) + 1;
    if (kind == tagged) {
      post_whole(own_.batch_of[model], line);
      models_[model] += cost;
    } else {
      post_unnamed(line, dims_.all[static_cast<size_t>(line.dim)]);
    }
    emit(line);
  }

  // Of the month before (in the first month, of the same): a tenth of a machine's hour is taken
  // back.
  void corrections() {
    Dice dice(world_.wanted.seed + static_cast<uint64_t>(month_), kCorrectionDice);
    const auto corrected = static_cast<size_t>(std::max(month_ - 1, 0));
    const int32_t from = world_.month_hours[corrected], to = world_.month_hours[corrected + 1];
    for (int64_t i = 0; i < world_.corrections_a_month; ++i) {
      constexpr int kTries = 50;
      bool found = false;
      for (int tries = 0; tries < kTries && !found; ++tries) {
        const auto place =
            static_cast<size_t>(dice.below(static_cast<int64_t>(world_.machines.size())));
        const auto hour = static_cast<int32_t>(dice.between(from, to - 1));
        const Machine& machine = world_.machines[place];
        found = dims_.correction[place] >= 0 && machine.unit != TimeUnitOf::kUnsaid &&
                hour >= machine.from_hour && hour < machine.to_hour;
        if (found) correct(place, hour);
      }
      if (!found) adjust(dice.between(1, kPermille));
    }
  }

  void correct(size_t place, int32_t hour) {
    const Machine& machine = world_.machines[place];
    Charge charge = machine.charges.front();
    charge.dim = dims_.correction[place];
    BillLine line = machine_line(place, charge, 2, {hour, hour + 1});
    if (machine.pricing == Pricing::kCommitted) line.costs = alike(line.costs[kEffective]);
    for (int128& cost : line.costs) cost = -cost;
    line.quantity_micros = -line.quantity_micros;
    const bool posted =
        find_period(place, {hour, hour + 1}, billed_twentieths(place, {hour, hour + 1}));
    post_machine(place, ChargeKind::kAddress, line, posted, 0);
    emit(line);
  }

  void adjust(int64_t permille) {
    BillLine line;
    line.dim = dims_.adjustment;
    line.period = seconds_of({first_hour_, first_hour_ + 1});
    line.costs = alike(-static_cast<int128>(permille) * (Money::kAttoPerUnit / kPermille));
    line.has_quantity = false;
    post_whole(own_.adjustment, line);
    emit(line);
  }

  // Fees, what they did not cover, credit, support and tax: known when all else of the month is.
  void own_charges() {
    for (size_t i = 0; i < dims_.commitments.size(); ++i) commitment(i);
    BillLine credit = month_line(dims_.credit[static_cast<size_t>(Seller::kAws)]);
    Dice dice(world_.wanted.seed + static_cast<uint64_t>(month_), kCreditDice);
    credit.costs = alike(-static_cast<int128>(dice.between(1, kPermille)) *
                         (Money::kAttoPerUnit / kPermille) * kPercent);
    post_and_emit(own_.credit, credit);
    BillLine support = month_line(dims_.support);
    support.costs = alike(effective_ / 32);
    std::vector<std::pair<size_t, uint128>> weights;
    for (size_t model = 0; model < kModels; ++model) {
      if (models_[model] > 0) weights.emplace_back(model, static_cast<uint128>(models_[model]));
    }
    post_by_model(support, weights, own_.support_of, own_.support);
    emit(support);
    for (const Seller seller : {Seller::kAws, Seller::kGcp}) {
      BillLine tax = month_line(dims_.tax[static_cast<size_t>(seller)]);
      tax.costs = alike(totals_.billed[static_cast<size_t>(seller)] / 10);
      post_and_emit(own_.tax, tax, bit(kList) | bit(kContracted));
    }
  }

  BillLine month_line(int32_t dim) const {
    BillLine line;
    line.dim = dim;
    line.period = seconds_of({first_hour_, end_hour_});
    line.has_quantity = false;
    return line;
  }

  // `left_out` costs are not written: of such a charge they are the billed cost.
  void post_and_emit(uint32_t account, BillLine line, uint8_t left_out = 0) {
    post_whole(account, line);
    line.unknown = left_out;
    emit(line);
  }

  // An eighth beside what was used is not used. A planted one covers nothing, in the first month.
  void commitment(size_t index) {
    const size_t planted = static_cast<size_t>(Seller::kCount);
    int128 unused = used_[index] / 8;
    if (index >= planted) {
      if (month_ > 0) return;
      size_t seen = planted;
      for (size_t i = 0; i < world_.wanted.plants.size(); ++i) {
        if (world_.wanted.plants[i].plant != Plant::kCommitmentUnused || seen++ != index) continue;
        unused = static_cast<int128>(world_.wanted.plants[i].size) * Money::kAttoPerUnit;
        for (size_t c = 1; c < kCosts; ++c) truth_.waste(i).costs[c] += unused;
      }
    }
    BillLine line = month_line(dims_.unused[index]);
    line.costs = {0, unused, unused, unused};
    post_and_emit(own_.unused[index], line);
    line = month_line(dims_.fee[index]);
    const int128 fee = used_[index] + unused;
    line.costs = {fee, 0, fee, fee};
    post_and_emit(own_.fee[index], line);
  }

  const World& world_;
  const Dims& dims_;
  const OwnAccounts& own_;
  int32_t month_;
  bool restated_;
  Truth& truth_;
  const std::function<void(const BillLine&)>& sink_;
  int32_t first_hour_, end_hour_;
  std::vector<int128> used_;  // by commitment: effective cost of what it covered
  std::array<int128, kModels> models_ = {};
  int128 effective_ = 0;
  PeriodTotals totals_;
  Shares shares_;
  std::vector<uint128> weights_;
  std::vector<int128> parts_;
};

}  // namespace

PeriodTotals make_period(const World& world, const Dims& dims, int32_t month, bool restated,
                         Truth* truth, const std::function<void(const BillLine&)>& sink) {
  return PeriodBill(world, dims, month, restated, truth, sink).make();
}

}  // namespace tare::synth

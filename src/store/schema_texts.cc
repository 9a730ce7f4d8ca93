// What the small numbers in store files mean, in the words of SQL, JSON and `tare explain`.
#include <array>

#include "base/errors.h"
#include "store/schema.h"

namespace tare::store {

namespace {

struct Texts {
  std::string_view name;
  std::string_view sentence;
};
struct RuleTexts {
  std::string_view name;
  Evidence evidence;
  std::string_view sentence;
};

constexpr std::array<RuleTexts, static_cast<size_t>(Rule::kCount)> kRules = {{
    {"tax", Evidence::kCategory,
     "The line is a tax, and taxes are kept in an account of their own."},
    {"commitment-unused", Evidence::kCategory,
     "The line is the unused part of a commitment, which no run could have caused."},
    {"reservation-unused", Evidence::kCategory,
     "The line is the unused part of a capacity reservation, which no run could have caused."},
    {"commitment-fee", Evidence::kCategory,
     "The line buys a commitment or reservation whose cost is spread over the lines that it "
     "covers."},
    {"credit", Evidence::kCategory,
     "The line is a credit, and credits are kept apart unless the policy lets them follow."},
    {"adjustment", Evidence::kCategory, "The line is an adjustment that names no resource."},
    {"managed-resource", Evidence::kExact,
     "The line's resource is itself the managed job or endpoint of this run."},
    {"line-run-id", Evidence::kExact, "The line of the bill names this run itself."},
    {"run-id-tag", Evidence::kExact,
     "The line carries the run's id as a tag, and no hold names its resource."},
    {"device-time", Evidence::kOverlap,
     "The line's device time is split by who held the resource while it was billed; what nobody "
     "held "
     "is idle."},
    {"follows", Evidence::kOverlap,
     "The line has no device time of its own and follows whoever held its resource in its charge "
     "period."},
    {"instant", Evidence::kOverlap,
     "The line's charge has no length and is split by who held its resource at that instant."},
    {"tag-rule", Evidence::kTag, "A tag rule of tare.yaml names the model and stage of the line."},
    {"shared-policy", Evidence::kPolicy,
     "A shared-cost rule of tare.yaml decides who shares the line."},
    {"unassigned", Evidence::kNone, "No hold, tag or rule says whose the line is."},
}};

constexpr std::array<Texts, kStates> kStateTexts = {{
    {"no-run", "billed, and no run held the device"},
    {"lost",
     "worked, and thrown away: after the last checkpoint of an attempt that did not finish"},
    {"unknown", "no trustworthy sign of what the device did"},
    {"checkpoint", "waited while state was saved or loaded"},
    {"sync", "waited in a collective operation or for another rank"},
    {"data", "waited for input"},
    {"host", "waited for the host"},
    {"startup", "held, before its first sustained use"},
    {"idle-held", "held, and doing nothing for longer than the policy's idle_after"},
    {"inefficient", "busy, with less of the device active than the policy asks for"},
    {"useful", "busy, and the device efficient"},
    {"busy", "busy; how efficient the device was is not known"},
    {"not-busy", "held and known not to be busy; the cause is not known"},
    {"other-charges", "money without device time: disks, addresses, licences and the like"},
}};

}  // namespace

std::string_view rule_name(Rule rule) {
  TARE_ASSERT(rule < Rule::kCount, "a rule that does not exist");
  return kRules[static_cast<size_t>(rule)].name;
}

std::string_view rule_sentence(Rule rule) {
  TARE_ASSERT(rule < Rule::kCount, "a rule that does not exist");
  return kRules[static_cast<size_t>(rule)].sentence;
}

Evidence evidence_of(Rule rule) {
  TARE_ASSERT(rule < Rule::kCount, "a rule that does not exist");
  return kRules[static_cast<size_t>(rule)].evidence;
}

std::string_view state_name(State state) {
  TARE_ASSERT(state < State::kCount, "a state that does not exist");
  return kStateTexts[static_cast<size_t>(state)].name;
}

std::string_view state_sentence(State state) {
  TARE_ASSERT(state < State::kCount, "a state that does not exist");
  return kStateTexts[static_cast<size_t>(state)].sentence;
}

bool is_busy(State state) {
  switch (state) {
    case State::kUseful:
    case State::kBusy:
    case State::kInefficient:
    case State::kSync:
    case State::kLost:
      return true;
    default:
      return false;
  }
}

}  // namespace tare::store

#include "sources/prices/priced_lines.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace tare::sources {
namespace {

// One machine's times, cut where a row of the inventory or a card begins or ends.
class MachinePricer {
 public:
  MachinePricer(const Inventory& inventory, const std::string& machine,
                const std::vector<Span>& rows, Findings* findings)
      : inventory_(inventory), machine_(machine), rows_(rows), findings_(findings) {
    for (const Card& card : inventory.cards) {
      if (card.is_for(machine)) cards_.push_back(&card);
    }
  }

  const std::vector<const Card*>& cards() const { return cards_; }

  void price(PricedLines* lines) {
    std::set<int64_t> cuts;
    const auto cut = [&](Span span) {
      cuts.insert(span.start_ns);
      cuts.insert(span.end_ns);
    };
    for (const Span& row : rows_) cut(row);
    for (const Card* card : cards_) cut(card->span());
    if (inventory_.horizon_ns) cuts.insert(*inventory_.horizon_ns);
    for (auto at = cuts.begin(); at != cuts.end() && std::next(at) != cuts.end(); ++at) {
      const Span stretch{*at, *std::next(at)};
      if (inventory_.horizon_ns && stretch.start_ns >= *inventory_.horizon_ns) break;
      const Card* card = exists(stretch.start_ns) ? card_at(stretch.start_ns) : nullptr;
      if (card != nullptr) charge(stretch, *card, lines);
    }
    for (const auto& [card, other] : overlaps_) note("rate-card-overlap", other->row().pattern);
  }

 private:
  bool exists(int64_t instant_ns) const {
    return std::any_of(rows_.begin(), rows_.end(),
                       [&](const Span& row) { return row.contains(instant_ns); });
  }

  const Card* card_at(int64_t instant_ns) {
    const Card* first = nullptr;
    for (const Card* card : cards_) {
      if (!card->span().contains(instant_ns)) continue;
      if (first == nullptr) {
        first = card;
      } else {
        overlaps_.emplace(first, card);
      }
    }
    return first;
  }

  void charge(Span stretch, const Card& card, PricedLines* lines) {
    if (stretch.end_ns == kNoEnd) return note("machine-without-end", card.row().pattern);
    while (!stretch.empty()) {
      const Span day{stretch.start_ns,
                     std::min(stretch.end_ns, floor_day(stretch.start_ns) + kNsPerDay)};
      const Month month = month_of(day.start_ns);
      if (!inventory_.is_billed(machine_, month))
        (*lines)[{card.row().source, month}].push_back({machine_, &card, day});
      stretch.start_ns = day.end_ns;
    }
  }

  void note(std::string_view code, const std::string& text) {
    findings_->add({.code = code,
                    .source = "",
                    .subject = machine_,
                    .cost = {},
                    .currency = "",
                    .place = machine_,
                    .text = text});
  }

  const Inventory& inventory_;
  const std::string& machine_;
  const std::vector<Span>& rows_;
  Findings* findings_;
  std::vector<const Card*> cards_;                          // the one that counts first
  std::set<std::pair<const Card*, const Card*>> overlaps_;  // which counts, which does not
};

}  // namespace

PricedLines price_inventory(const Inventory& inventory, Findings* findings) {
  PricedLines lines;
  std::set<const Card*> used;
  for (const auto& [machine, rows] : inventory.machines) {
    MachinePricer pricer(inventory, machine, rows, findings);
    used.insert(pricer.cards().begin(), pricer.cards().end());
    pricer.price(&lines);
  }
  for (const Card& card : inventory.cards) {
    if (used.contains(&card)) continue;
    findings->add({.code = "rate-card-unmatched",
                   .source = card.row().source,
                   .subject = card.row().pattern,
                   .cost = {},
                   .currency = "",
                   .place = card.row().pattern,
                   .text = to_text(card.row().from_ns)});
  }
  return lines;
}

}  // namespace tare::sources

#include "sources/bill/native/netting.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace tare::sources {
namespace {

// A column, the length of its word, and the word.
constexpr size_t kWordHead = 1 + sizeof(uint32_t);

}  // namespace

void Netting::Key::add(BillColumn column, std::string_view word) {
  if (word.empty()) return;
  const auto length = static_cast<uint32_t>(word.size());
  char head[kWordHead];
  head[0] = static_cast<char>(column);
  std::memcpy(head + 1, &length, sizeof(length));
  text_.append(head, kWordHead).append(word);
}

Netting::Words Netting::Key::words(std::string_view text) {
  Words words;
  while (!text.empty()) {
    uint32_t length = 0;
    std::memcpy(&length, text.data() + 1, sizeof(length));
    words.emplace_back(static_cast<BillColumn>(text.front()), text.substr(kWordHead, length));
    text.remove_prefix(kWordHead + length);
  }
  return words;
}

void Netting::add(Month period, const Key& key, std::string_view currency, Money amount) {
  if (replaced_.contains(period)) return;
  auto file_sum = std::find_if(file_sums_.begin(), file_sums_.end(), [&](const FileSum& each) {
    return each.period == period && each.currency == currency;
  });
  if (file_sum == file_sums_.end()) {
    file_sums_.push_back({period, std::string(currency), Money()});
    file_sum = file_sums_.end() - 1;
  }
  file_sum->amount = bounded_sum(file_sum->amount, amount);
  const auto known = open_.find(key.text());
  if (known == open_.end()) {
    if (!amount.is_zero()) open_.emplace(key.text(), Open{period, amount});
    return;
  }
  known->second.sum = bounded_sum(known->second.sum, amount);
  if (known->second.sum.is_zero()) open_.erase(known);
}

std::vector<std::pair<Netting::Words, Money>> Netting::remainders(Month period) const {
  std::vector<std::pair<Words, Money>> rest;
  for (const auto& [key, open] : open_) {
    if (open.period == period) rest.emplace_back(Key::words(key), open.sum);
  }
  std::sort(rest.begin(), rest.end());
  return rest;
}

}  // namespace tare::sources

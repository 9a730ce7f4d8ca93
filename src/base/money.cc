#include "base/money.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/errors.h"
#include "base/wide_math.h"

namespace tare {
namespace {

constexpr uint128 magnitude_of(int128 value) {
  return value < 0 ? uint128{0} - static_cast<uint128>(value) : static_cast<uint128>(value);
}

constexpr int128 with_sign(uint128 magnitude, bool negative) {
  return static_cast<int128>(negative ? uint128{0} - magnitude : magnitude);
}

Money checked(int128 atto) {
  TARE_ASSERT(magnitude_of(atto) < kDecimalLimit, "money passes DECIMAL(38,18)");
  return Money::from_atto(atto);
}

// numerator / denominator rounded half even.
uint128 divide_half_even(uint128 numerator, uint128 denominator) {
  const uint128 quotient = numerator / denominator;
  const uint128 rest = numerator - quotient * denominator;
  const uint128 complement = denominator - rest;  // compared instead of 2 * rest, which may wrap
  const bool up = rest > complement || (rest == complement && (quotient & 1) != 0);
  return quotient + (up ? 1 : 0);
}

// The digits of `value`, at least `min_digits` of them.
std::string digits_of(uint128 value, int min_digits) {
  constexpr uint64_t kChunk = 1'000'000'000'000'000'000;  // 64-bit divisions are far cheaper
  std::array<char, 40> buffer{};
  size_t at = buffer.size();
  while (value != 0) {
    auto chunk = static_cast<uint64_t>(value % kChunk);
    value /= kChunk;
    for (int i = 0; i < 18 && (chunk != 0 || value != 0); ++i, chunk /= 10) {
      buffer[--at] = static_cast<char>('0' + chunk % 10);
    }
  }
  const size_t first = buffer.size() - static_cast<size_t>(min_digits);
  while (at > first) buffer[--at] = '0';
  return std::string(buffer.data() + at, buffer.size() - at);
}

// Buffers for the few parts that nearly every split has, without an allocation.
template <typename T>
class Scratch {
 public:
  explicit Scratch(size_t count) {
    if (count > kInline) heap_.resize(count);
    data_ = count > kInline ? heap_.data() : inline_.data();
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  T& operator[](size_t index) { return data_[index]; }

 private:
  static constexpr size_t kInline = 16;
  std::array<T, kInline> inline_;
  std::vector<T> heap_;
  T* data_ = nullptr;
};

constexpr uint128 weight_of(int64_t weight) { return static_cast<uint128>(weight); }
constexpr uint128 weight_of(uint128 weight) { return weight; }
constexpr uint128 weight_of(Money weight) { return static_cast<uint128>(weight.atto()); }

constexpr bool is_valid(int64_t weight) { return weight >= 0; }
constexpr bool is_valid(uint128 weight) { return weight <= uint128{1} << 127; }
constexpr bool is_valid(Money weight) { return !weight.is_negative(); }

void set_part(Money& part, uint128 magnitude, bool negative) {
  part = Money::from_atto(with_sign(magnitude, negative));
}
void set_part(int64_t& part, uint128 magnitude, bool negative) {
  part = static_cast<int64_t>(with_sign(magnitude, negative));
}

// Gives one unit more to each of the `left` parts with the largest remainders, ties to the lower
// index.
template <typename Remainder>
void give_left_over(uint128 left, size_t count, Scratch<Remainder>& remainders,
                    Scratch<uint128>& magnitudes) {
  if (left == 0) return;
  TARE_ASSERT(left < count, "a split leaves less than one unit a part");
  if (left == 1) {
    size_t best = 0;
    for (size_t i = 1; i < count; ++i) {
      if (remainders[best] < remainders[i]) best = i;
    }
    magnitudes[best] += 1;
    return;
  }
  Scratch<size_t> order(count);
  for (size_t i = 0; i < count; ++i) order[i] = i;
  size_t* const first = &order[0];
  const auto wanted = static_cast<size_t>(left);
  std::nth_element(first, first + (wanted - 1), first + count, [&](size_t a, size_t b) {
    if (remainders[a] != remainders[b]) return remainders[b] < remainders[a];
    return a < b;
  });
  for (size_t i = 0; i < wanted; ++i) magnitudes[order[i]] += 1;
}

struct Total {
  uint128 magnitude = 0;
  bool negative = false;
};

// With total = quotient × sum + rest, a part is quotient × weight + floor(rest × weight / sum), so
// that while the sum fits 64 bits one hardware division a part is enough.
template <typename Weight, typename Part>
void split_narrow(Total total, uint64_t sum, std::span<const Weight> weights,
                  std::span<Part> parts) {
  const size_t count = weights.size();
  Scratch<uint64_t> remainders(count);
  Scratch<uint128> magnitudes(count);
  const uint128 quotient = total.magnitude / sum;
  const auto rest = static_cast<uint64_t>(total.magnitude - quotient * sum);
  uint128 left = total.magnitude;
  for (size_t i = 0; i < count; ++i) {
    const auto weight = static_cast<uint64_t>(weight_of(weights[i]));
    const auto [share, remainder] = divide_128_by_64(uint128{rest} * weight, sum);
    remainders[i] = remainder;
    magnitudes[i] = quotient * weight + share;
    left -= magnitudes[i];
  }
  give_left_over(left, count, remainders, magnitudes);
  for (size_t i = 0; i < count; ++i) set_part(parts[i], magnitudes[i], total.negative);
}

template <typename Weight, typename Part>
void split_wide(Total total, Uint256 sum, std::span<const Weight> weights, std::span<Part> parts) {
  const size_t count = weights.size();
  Scratch<Uint256> remainders(count);
  Scratch<uint128> magnitudes(count);
  const uint128 quotient = sum.hi == 0 ? total.magnitude / sum.lo : 0;
  const uint128 rest = total.magnitude - quotient * sum.lo;
  uint128 left = total.magnitude;
  for (size_t i = 0; i < count; ++i) {
    const uint128 weight = weight_of(weights[i]);
    const auto [share, remainder] = divide_256(multiply(rest, weight), sum);
    remainders[i] = remainder;
    magnitudes[i] = quotient * weight + share;
    left -= magnitudes[i];
  }
  give_left_over(left, count, remainders, magnitudes);
  for (size_t i = 0; i < count; ++i) set_part(parts[i], magnitudes[i], total.negative);
}

template <typename Weight, typename Part>
void split_any(int128 total, std::span<const Weight> weights, std::span<Part> parts) {
  TARE_ASSERT(weights.size() == parts.size(), "a split has one part a weight");
  Uint256 sum;
  size_t holders = 0;
  size_t last_holder = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    TARE_ASSERT(is_valid(weights[i]), "a weight lies in [0, 2^127]");
    const uint128 weight = weight_of(weights[i]);
    if (weight == 0) continue;
    ++holders;
    last_holder = i;
    sum = add(sum, weight);
  }
  TARE_ASSERT(holders > 0, "a split needs a weight above zero");
  const Total signed_total{magnitude_of(total), total < 0};
  if (holders == 1) {
    for (Part& part : parts) set_part(part, 0, false);
    set_part(parts[last_holder], signed_total.magnitude, signed_total.negative);
  } else if (sum.hi == 0 && sum.lo <= std::numeric_limits<uint64_t>::max()) {
    split_narrow(signed_total, static_cast<uint64_t>(sum.lo), weights, parts);
  } else {
    split_wide(signed_total, sum, weights, parts);
  }
}

}  // namespace

Money::Stored Money::stored() const {
  TARE_ASSERT(fits_store(), "money passes the store's 64-bit units");
  const auto [quotient, remainder] =
      divide_128_by_64(magnitude_of(atto_), static_cast<uint64_t>(kAttoPerUnit));
  if (atto_ >= 0) return {static_cast<int64_t>(quotient), static_cast<int64_t>(remainder)};
  if (remainder == 0) return {static_cast<int64_t>(0 - quotient), 0};
  return {static_cast<int64_t>(~quotient), kAttoPerUnit - static_cast<int64_t>(remainder)};
}

// Operands below 2^127 in magnitude may wrap once, which the comparison of magnitudes catches.
Money Money::operator+(Money other) const {
  int128 sum = 0;
  TARE_ASSERT(!__builtin_add_overflow(atto_, other.atto_, &sum), "money passes 128 bits");
  return checked(sum);
}

Money Money::operator-(Money other) const {
  int128 difference = 0;
  TARE_ASSERT(!__builtin_sub_overflow(atto_, other.atto_, &difference), "money passes 128 bits");
  return checked(difference);
}

Money Money::operator-() const {
  return Money::from_atto(with_sign(magnitude_of(atto_), atto_ > 0));
}

std::string to_text(Money amount) {
  const uint128 magnitude = magnitude_of(amount.atto());
  std::string text = digits_of(magnitude, Money::kScale + 1);
  const size_t point = text.size() - Money::kScale;
  const size_t last = text.find_last_not_of('0');
  if (last == std::string::npos || last < point) {
    text.resize(point);
  } else {
    text.resize(last + 1);
    text.insert(point, 1, '.');
  }
  if (amount.is_negative()) text.insert(0, 1, '-');
  return text;
}

std::string to_text_rounded(Money amount, int decimals) {
  const Money rounded = round_half_even(amount, decimals);
  std::string text = digits_of(magnitude_of(rounded.atto()), Money::kScale + 1);
  const size_t point = text.size() - Money::kScale;
  text.resize(point + static_cast<size_t>(decimals));
  if (decimals > 0) text.insert(point, 1, '.');
  if (rounded.is_negative()) text.insert(0, 1, '-');
  return text;
}

Money round_half_even(Money amount, int decimals) {
  TARE_ASSERT(decimals >= 0 && decimals <= Money::kScale, "money has 0 to 18 decimals");
  const uint128 step = power_of_ten(Money::kScale - decimals);
  const uint128 magnitude = divide_half_even(magnitude_of(amount.atto()), step) * step;
  return checked(with_sign(magnitude, amount.is_negative()));
}

Money divide(Money numerator, int128 denominator) {
  TARE_ASSERT(denominator > 0, "money is divided by a positive number");
  const uint128 magnitude =
      divide_half_even(magnitude_of(numerator.atto()), static_cast<uint128>(denominator));
  return Money::from_atto(with_sign(magnitude, numerator.is_negative()));
}

std::optional<Money> scaled(Money amount, int128 numerator, int128 denominator) {
  TARE_ASSERT(numerator > 0 && denominator > 0, "money is scaled by a positive ratio");
  const auto divisor = static_cast<uint128>(denominator);
  const Uint256 product = multiply(magnitude_of(amount.atto()), static_cast<uint128>(numerator));
  if (product.hi >= divisor) return std::nullopt;
  const auto [quotient, remainder] = divide_256(product, {0, divisor});
  if (quotient >= kDecimalLimit) return std::nullopt;
  const uint128 complement = divisor - remainder.lo;
  const bool up = remainder.lo > complement || (remainder.lo == complement && (quotient & 1) != 0);
  const Money result = Money::from_atto(with_sign(quotient + (up ? 1 : 0), amount.is_negative()));
  return result.fits_store() ? std::optional(result) : std::nullopt;
}

void split(Money total, std::span<const int64_t> weights, std::span<Money> parts) {
  split_any(total.atto(), weights, parts);
}

std::vector<Money> split(Money total, std::span<const int64_t> weights) {
  std::vector<Money> parts(weights.size());
  split_any(total.atto(), weights, std::span<Money>(parts));
  return parts;
}

std::vector<Money> split_by_money(Money total, std::span<const Money> weights) {
  std::vector<Money> parts(weights.size());
  split_any(total.atto(), weights, std::span<Money>(parts));
  return parts;
}

void split_count(int64_t total, std::span<const uint128> weights, std::span<int64_t> parts) {
  split_any(total, weights, parts);
}

void split_count(int64_t total, std::span<const int64_t> weights, std::span<int64_t> parts) {
  split_any(total, weights, parts);
}

int64_t mul_div_half_even(int64_t a, int64_t b, int64_t c) {
  TARE_ASSERT(c > 0, "the divisor is positive");
  const int128 product = static_cast<int128>(a) * b;
  const int128 result =
      with_sign(divide_half_even(magnitude_of(product), static_cast<uint128>(c)), product < 0);
  TARE_ASSERT(result >= std::numeric_limits<int64_t>::min() &&
                  result <= std::numeric_limits<int64_t>::max(),
              "the quotient fits 64 bits");
  return static_cast<int64_t>(result);
}

}  // namespace tare

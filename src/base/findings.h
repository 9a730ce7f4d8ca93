// Findings: what was wrong in the data, counted, with its money. A finding never changes with the
// number of files, threads or the order of rows, but for `place` and examples, which name files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/money.h"

namespace tare {

enum class Severity : uint8_t { kInfo, kWarning, kError };
std::string_view to_text(Severity severity);

// One record a code: the registry from which `tare findings`, docs and tests are printed. An error
// is a row that was quarantined, and the load exits 1; a warning may touch a number; an info is
// only a breach of a specification. Title and hint are lower case without a full stop.
struct FindingKind {
  std::string_view code;  // "cost-not-decimal"
  Severity severity = Severity::kWarning;
  std::string_view title;  // one line: what is wrong
  std::string_view hint;   // what to do next
};
std::span<const FindingKind> finding_kinds();            // sorted by code
const FindingKind& finding_kind(std::string_view code);  // asserts that it exists

struct FindingExample {
  std::string place;  // "file:line:column" or an id
  std::string text;   // the row's or cell's own text
  std::string cost;   // exact decimal or ""
};

struct Finding {
  std::string code;
  std::string source;   // the source's name in tare.yaml, or "" where it concerns the join
  std::string subject;  // what it is about in the source (a column, a resource, a run), or ""
  int64_t rows = 0;
  std::map<std::string, Money> cost;  // by currency; empty: no money known to be touched
  // At most kMaxExamples, the smallest by (place, text, cost); numbers in a place count by value,
  // so that line 9 stands before line 10.
  std::vector<FindingExample> examples;
};

class Findings {
 public:
  static constexpr size_t kMaxExamples = 100;

  struct Row {
    std::string_view code{}, source{}, subject{};
    std::optional<Money> cost{};  // of these rows together
    std::string_view currency{};
    std::string_view place{}, text{};
    int64_t rows = 1;
  };
  void add(const Row& row);  // an example is kept where it has a place or a text
  void merge(const Findings& other);
  // Sorted by (code, source, subject).
  std::vector<Finding> sorted() const;
  bool empty() const { return findings_.empty(); }
  int64_t rows_of(std::string_view code) const;

 private:
  struct Key {
    std::string code, source, subject;
  };
  struct KeyView {
    std::string_view code, source, subject;
    KeyView(std::string_view of_code, std::string_view of_source, std::string_view of_subject)
        : code(of_code), source(of_source), subject(of_subject) {}
    explicit KeyView(const Key& key) : KeyView(key.code, key.source, key.subject) {}
    auto operator<=>(const KeyView&) const = default;
  };
  struct KeyLess {  // a look-up by view costs no allocation: one finding may count millions of rows
    using is_transparent = void;
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      return KeyView(a) < KeyView(b);
    }
  };
  Finding& entry(KeyView key);
  std::map<Key, Finding, KeyLess> findings_;
};

}  // namespace tare

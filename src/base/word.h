// A text that many rows have, kept once for the life of the process: eight bytes a row. For names
// of models, stages, teams, sources; not for what each row has another of.
#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace tare {

class Word {
 public:
  Word() : text_(empty_text()) {}
  explicit Word(std::string_view text) : text_(kept(text)) {}
  Word& operator=(std::string_view text) {
    text_ = kept(text);
    return *this;
  }

  const std::string& text() const { return *text_; }
  bool empty() const { return text_->empty(); }
  void clear() { text_ = empty_text(); }
  // Where a text is asked for, a word is one.
  operator const std::string&() const { return *text_; }  // NOLINT(google-explicit-constructor)
  operator std::string_view() const { return *text_; }    // NOLINT(google-explicit-constructor)

  friend bool operator==(Word a, Word b) { return a.text_ == b.text_; }
  friend auto operator<=>(Word a, Word b) {
    return a.text_ == b.text_ ? std::strong_ordering::equal : *a.text_ <=> *b.text_;
  }
  friend bool operator==(Word a, std::string_view b) { return *a.text_ == b; }

 private:
  static const std::string* empty_text();
  static const std::string* kept(std::string_view text);

  const std::string* text_;
};

}  // namespace tare

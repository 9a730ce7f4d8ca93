// Whether the files of one billing period are parts of one delivery or several deliveries of it
// (R08). Two files overlap when more than half of the smaller one's rows stand in the other too.
// Rows are compared by what was charged and when; where that does not tell the rows of a file
// apart, whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tare::sources {

class DeliveryFiles {
 public:
  // A file's name, or what its manifest says that it is a part of: parts go on where one was left.
  void begin_file(const std::string& name);
  // A row of the file begun last: hashes of its key and of all of it.
  void add(uint64_t key, uint64_t line);
  // The names of two files that overlap, the same two in whatever order files came.
  std::optional<std::pair<std::string, std::string>> find_overlap();

 private:
  // Rows kept. Beyond it those with the larger hashes are let go, in all files alike.
  static constexpr size_t kMostKept = size_t{4} << 20;

  struct Kept {  // of a file, sorted by find_overlap()
    std::vector<uint64_t> keys, lines;
    bool keys_tell_apart = false;
  };
  using Hashes = std::vector<uint64_t> Kept::*;

  void let_go();
  std::optional<std::pair<size_t, size_t>> overlapping_pair(Hashes hashes, bool by_key) const;

  std::vector<std::string> names_;
  std::vector<Kept> files_;
  size_t current_ = 0;
  uint64_t limit_ = UINT64_MAX;
  size_t kept_ = 0;
};

}  // namespace tare::sources

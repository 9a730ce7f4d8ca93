// The bytes of one file in blocks: gunzipped where the file is gzip (by its magic bytes), and
// hashed on the way. A gzip stream is checked whole, its trailers too: DuckDB reads cut ones
// without a word.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tare::sources {

class ByteSource {
 public:
  enum class Unpack : uint8_t { kNo, kGzip };
  // Throws UserError file-missing for what can't be opened or is a folder.
  ByteSource(const std::string& path, const std::string& shown_path, bool hash,
             Unpack unpack = Unpack::kGzip);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  bool is_gzip() const;
  // Before the first next(), and not of gzip: goes on at this byte.
  void seek(int64_t offset);
  // Up to 1 MiB; empty at the end. Valid until the next call. Throws UserError gzip-damaged (cut,
  // corrupt, or something else after the last member) and input-output.
  std::string_view next();
  // Of the bytes on disk. Requires hash, and that next() has returned the end.
  std::string sha256();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tare::sources

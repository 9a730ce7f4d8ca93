#include "sources/byte_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>
#include <vector>
#include <zlib.h>

#include <sys/stat.h>

#include "base/errors.h"
#include "base/sha256.h"

namespace tare::sources {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 20;
constexpr int kGzipWindow = 16 + MAX_WBITS;  // gzip framing only, with its check sums

bool all_zero(std::string_view bytes) {
  return bytes.find_first_not_of('\0') == std::string_view::npos;
}

}  // namespace

struct ByteSource::Impl {
  std::string path, shown_path;
  int fd = -1;
  bool hash = false, gzip = false;
  Sha256 sha256;
  std::vector<char> raw = std::vector<char>(kBlockBytes);
  std::string_view unread;  // of raw
  bool file_ended = false;
  std::vector<char> unpacked;
  z_stream stream{};
  bool in_member = false;

  ~Impl() {
    if (gzip) inflateEnd(&stream);
    if (fd >= 0) close(fd);
  }
  void open_file(Unpack unpack);
  void fill();
  void start_member();
  std::string_view next_unpacked();
  [[noreturn]] void damaged(const std::string& how) const;
};

void ByteSource::Impl::open_file(Unpack unpack) {
  fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status{};
  if (fd < 0 || fstat(fd, &status) != 0) {
    const std::string reason = std::strerror(errno);
    throw UserError("file-missing", "can't open '" + shown_path + "': " + reason);
  }
  if (!S_ISREG(status.st_mode)) {
    throw UserError("file-missing", "'" + shown_path + "' is not a file");
  }
  fill();
  gzip = unpack == Unpack::kGzip && unread.starts_with("\x1f\x8b");
  if (!gzip) return;
  unpacked.resize(kBlockBytes);
  const int state = inflateInit2(&stream, kGzipWindow);
  TARE_ASSERT(state == Z_OK, "inflateInit2");
  in_member = true;
}

void ByteSource::Impl::fill() {
  if (file_ended) return;
  size_t length = 0;
  while (length < raw.size()) {
    const ssize_t got = read(fd, raw.data() + length, raw.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      throw UserError("input-output", "reading '" + shown_path + "': " + std::strerror(errno));
    }
    if (got == 0) {
      file_ended = true;
      break;
    }
    length += static_cast<size_t>(got);
  }
  unread = {raw.data(), length};
  if (hash) sha256.update(unread);
}

void ByteSource::Impl::damaged(const std::string& how) const {
  Place place;
  place.file = shown_path;
  throw UserError("gzip-damaged", "'" + shown_path + "' is a damaged gzip file: " + how,
                  "fetch the file again; nothing of it was loaded", place);
}

// After a member: another one, padding of zeros, or the end.
void ByteSource::Impl::start_member() {
  if (unread.empty()) fill();
  if (unread.empty()) return;
  if (static_cast<unsigned char>(unread.front()) == 0x1f) {
    inflateReset(&stream);
    in_member = true;
    return;
  }
  for (; !unread.empty(); fill()) {
    if (!all_zero(unread)) damaged("something follows the compressed data");
    unread = {};
  }
}

std::string_view ByteSource::Impl::next_unpacked() {
  stream.next_out = reinterpret_cast<Bytef*>(unpacked.data());
  stream.avail_out = static_cast<uInt>(unpacked.size());
  while (in_member && stream.avail_out > 0) {
    if (unread.empty()) fill();
    if (unread.empty()) damaged("it ends in the middle");
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(unread.data()));
    stream.avail_in = static_cast<uInt>(unread.size());
    const int state = inflate(&stream, Z_NO_FLUSH);
    unread.remove_prefix(unread.size() - stream.avail_in);
    if (state == Z_STREAM_END) {
      in_member = false;
      start_member();
    } else if (state != Z_OK && state != Z_BUF_ERROR) {
      damaged(stream.msg != nullptr ? stream.msg : "it can't be unpacked");
    }
  }
  return {unpacked.data(), unpacked.size() - stream.avail_out};
}

ByteSource::ByteSource(const std::string& path, const std::string& shown_path, bool hash,
                       Unpack unpack)
    : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->shown_path = shown_path;
  impl_->hash = hash;
  impl_->open_file(unpack);
}

ByteSource::~ByteSource() = default;

bool ByteSource::is_gzip() const { return impl_->gzip; }

void ByteSource::seek(int64_t offset) {
  TARE_ASSERT(!impl_->gzip && !impl_->hash, "a seek in bytes that are read as they stand");
  const off_t at = lseek(impl_->fd, offset, SEEK_SET);
  TARE_ASSERT(at == offset, "lseek to a place that was read before");
  impl_->unread = {};
  impl_->file_ended = false;
}

std::string_view ByteSource::next() {
  if (impl_->gzip) return impl_->next_unpacked();
  if (impl_->unread.empty()) impl_->fill();
  return std::exchange(impl_->unread, {});
}

std::string ByteSource::sha256() {
  TARE_ASSERT(impl_->hash && impl_->file_ended && impl_->unread.empty(),
              "the hash of a whole file");
  return impl_->sha256.finish_hex();
}

}  // namespace tare::sources

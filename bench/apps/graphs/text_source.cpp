#include "bench/apps/graphs/text_source.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "base/reading.hpp"
#include "base/words.hpp"

namespace gable::bench {

namespace {

constexpr std::size_t block_bytes = 4u << 20;
constexpr std::size_t readable_behind = 16;

}  // namespace

PackedFile::PackedFile(const std::string& path) : path_(path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0)
    throw Error::format(path, fmt::format("{}; name a file with a graph", std::strerror(errno)));
  if (S_ISDIR(about.st_mode)) throw Error::format(path, "a folder; name a file with a graph");
  file_ = gzopen(path.c_str(), "rb");
  if (file_ == nullptr) throw Error::format(path, std::strerror(errno));
  gzbuffer(file_, 1u << 18);
  // Deflate expands a byte to at most 1032. Only regular files have a size.
  constexpr std::uint64_t unknown = std::uint64_t{1} << 43;
  const auto bytes = static_cast<std::uint64_t>(about.st_size);
  most_bytes_ = S_ISREG(about.st_mode) ? bytes : unknown;
  if (gzdirect(file_) == 0) most_bytes_ = bytes < unknown / 1032 ? 1032 * bytes : unknown;
}

PackedFile::~PackedFile() {
  gzclose(file_);
}

std::size_t PackedFile::read(void* to, std::size_t bytes) {
  const int got = gzread(file_, to, static_cast<unsigned>(bytes));
  int code = Z_OK;
  const char* words = gzerror(file_, &code);
  if (got < 0 || code == Z_BUF_ERROR) {
    const bool cut = code == Z_BUF_ERROR;
    throw Error::format(path_,
                        fmt::format("{}; fetch the file again", cut ? "the compressed file is cut off"
                                                                : code == Z_ERRNO ? std::strerror(errno)
                                                                                  : words));
  }
  return static_cast<std::size_t>(got);
}

TextSource::TextSource(const std::string& path) : file_(path) {
  while (rest_.size() < utf8_mark.size() && read_some()) continue;
  if (is_utf16(rest_)) throw Error::format(path, 1, save_as_utf8);
  if (rest_.starts_with(utf8_mark)) rest_.erase(0, utf8_mark.size());
}

bool TextSource::read_some() {
  char some[4096];
  const std::size_t got = file_.read(some, sizeof some);
  rest_.append(some, got);
  return got > 0;
}

bool TextSource::begins_with(std::string_view lower_case) {
  while (rest_.size() < lower_case.size() && read_some()) continue;
  return std::equal(lower_case.begin(), lower_case.end(), rest_.begin(),
                    rest_.begin() + static_cast<std::ptrdiff_t>(std::min(rest_.size(), lower_case.size())),
                    [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

TextSource::NumberedLine TextSource::first_line() {
  constexpr std::size_t most = 1u << 16;
  NumberedLine found;
  for (std::size_t begin = 0, end = 0; begin < most; begin = end + 1) {
    while ((end = rest_.find('\n', begin)) == std::string::npos && rest_.size() < most && read_some())
      continue;
    if (begin >= rest_.size() || (end == std::string::npos && rest_.size() >= most)) break;
    found.text = rest_.substr(begin, end - begin);
    ++found.number;
    const std::string_view text = trimmed(found.text);
    if (!text.empty() && text[0] != '#' && text[0] != '%') return {std::string(text), found.number};
    if (end == std::string::npos) break;
  }
  return {};
}

bool TextSource::line(std::string& text) {
  while (rest_.find('\n') == std::string::npos) {
    if (read_some()) continue;
    if (rest_.empty()) return false;
    rest_ += '\n';
  }
  const std::size_t end = rest_.find('\n');
  text = rest_.substr(0, end);
  if (text.ends_with('\r')) text.pop_back();
  rest_.erase(0, end + 1);
  return true;
}

bool TextSource::next(Block& block) {
  if (block.text.size() == 0) block.text = Array<char>(block_bytes + readable_behind);
  const std::lock_guard lock(mutex_);
  std::memcpy(block.text.data(), rest_.data(), rest_.size());
  block.size = rest_.size();
  rest_.clear();
  while (!ended_ && block.size < block_bytes) {
    const std::size_t got = file_.read(block.text.data() + block.size, block_bytes - block.size);
    ended_ = got == 0;
    block.size += got;
  }
  if (block.size == 0) return false;
  block.index = blocks_++;
  if (ended_) {
    std::memset(block.text.data() + block.size, '\n', readable_behind);
    return true;
  }
  const auto* last = static_cast<const char*>(memrchr(block.text.data(), '\n', block.size));
  if (last == nullptr)
    throw Error::format(
        path(), fmt::format("a line of more than {} MiB; this is not an edge list", block_bytes >> 20));
  const auto whole = static_cast<std::size_t>(last + 1 - block.text.data());
  rest_.assign(block.text.data() + whole, block.size - whole);
  block.size = whole;
  return true;
}

}  // namespace gable::bench

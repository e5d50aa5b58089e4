#pragma once

// A text file, plain or gzip, in blocks of whole lines for many threads.

#include <zlib.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "bench/apps/graphs/array.hpp"

namespace gable::bench {

/// A file that may be compressed. Errors are GraphErrors that name it.
class PackedFile {
 public:
  explicit PackedFile(const std::string& path);
  ~PackedFile();
  PackedFile(const PackedFile&) = delete;
  PackedFile& operator=(const PackedFile&) = delete;

  /// Reads up to `bytes`; 0 at the end. A truncated or damaged compressed file is an error.
  std::size_t read(void* to, std::size_t bytes);
  /// The size of its content in bytes, or more.
  std::uint64_t most_bytes() const { return most_bytes_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::uint64_t most_bytes_ = 0;
  gzFile file_ = nullptr;
};

class TextSource {
 public:
  struct Block {
    Array<char> text;  ///< readable beyond its end for a few more line ends
    std::size_t size = 0;
    std::uint64_t index = 0;  ///< its position in the file

    std::string_view view() const { return {text.data(), size}; }
  };

  explicit TextSource(const std::string& path) : file_(path) {}

  /// Reads the next lines of the file into `block`; false at the end. May be called by any number of threads.
  bool next(Block& block);

  /// Whether the file begins with this text, ignoring case; only before anything is read.
  bool begins_with(std::string_view lower_case);

  /// Reads the first lines one by one, before any block; false at the end. Without the line end.
  bool line(std::string& text);

  std::uint64_t most_bytes() const { return file_.most_bytes(); }
  const std::string& path() const { return file_.path(); }

 private:
  bool read_some();

  std::mutex mutex_;
  PackedFile file_;
  std::string rest_;  ///< text that was read already; begins with a full line
  std::uint64_t blocks_ = 0;
  bool ended_ = false;
};

}  // namespace gable::bench

#pragma once

// The accesses and events of each thread of a trace, apart from those of the others. They are written in any
// order of the threads and then read in another, by way of a temporary file.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kmaf/traces/trace.hpp"

namespace gable::kmaf {

/// An empty file in $TMPDIR or /tmp, which disappears when it is closed. Throws std::system_error.
File temporary_file();

/// Reads `bytes` at `offset` of what was written and flushed. Several threads may read at once. Throws
/// std::system_error.
void read_at(const File& file, void* to, std::size_t bytes, std::uint64_t offset);

/// An access or event of one thread, or the end of its turn.
struct StreamItem {
  Access access;             ///< its tid is 0
  std::uint32_t moment = 0;  ///< a note for whoever wrote it
  bool ends_turn = false;    ///< not an access: `access.address` is the thread that runs next
};

class ThreadStreams {
 public:
  ThreadStreams() : file_(temporary_file()) {}

  int threads() const { return static_cast<int>(streams_.size()); }
  /// Appends to the stream of a thread; the first item of a new one comes for thread number threads().
  /// Throws std::system_error if the disk is full.
  void put(int thread, const StreamItem& item);
  /// Everything was put: the first items of all streams are next.
  void rewind();
  bool at_end(int thread) const;
  /// The next item, and the one after it becomes the next. Not at the end.
  const StreamItem& next(int thread) const;
  void pass(int thread);

 private:
  struct Packed {
    std::uint64_t address;
    std::uint32_t bytes : 21, write : 1, instructions : 10;  // of an event: 0, 0, its number
    static constexpr std::uint32_t turn = 1023;              // the number of a turn's end
    std::uint32_t moment;
  };
  static_assert(sizeof(Packed) == 16);
  static constexpr std::size_t block_items = 256;
  struct Stream {
    std::array<Packed, block_items> block;
    std::vector<std::uint64_t> blocks;  // their numbers in the file
    std::uint64_t items = 0, at = 0;
    StreamItem next;
  };

  void write_block(Stream& stream);
  void unpack(Stream& stream);

  File file_;
  std::uint64_t blocks_ = 0;
  bool is_written_ = false;
  std::vector<Stream> streams_;
};

}  // namespace gable::kmaf

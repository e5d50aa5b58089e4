#pragma once

// Memory whose place is asked for, touched by its own thread, and read back.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/buffers/page_weights.hpp"

namespace gable::bench {

/// Memory cannot be had as asked: the Case is skipped with this reason.
struct PlacementError {
  std::string reason;
};

/// What Buffer::page_nodes says of a huge page that is none.
inline constexpr int split_page = -1000;

/// Private memory of one thread, bound to one node or interleaved by page over several.
class Buffer {
 public:
  /// A part of the memory and where it lies; no nodes: anywhere.
  struct Range {
    std::size_t bytes = 0;  ///< whole pages
    std::vector<unsigned> nodes;
    std::vector<unsigned> weights = {};  ///< so many pages on each node in turn; none: one
  };

  /// Maps `bytes` (rounded up to whole pages); no page is touched yet. `pages` is "4k", "2m" or "1g". What
  /// the system does not permit is added to `notes`. Throws PlacementError.
  Buffer(std::size_t bytes, const std::vector<unsigned>& nodes, const std::string& pages,
         std::vector<std::string>& notes);
  /// One range after the other. Of several nodes, the pages of a range lie on them by turns.
  Buffer(const std::vector<Range>& ranges, const std::string& pages, std::vector<std::string>& notes);
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&&) = delete;

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// Writes the double 1.0 everywhere below `bytes`: first touch, and harmless operands for every kernel.
  /// Pages with weights go where they belong as this thread touches them, for the kernel binds no range so.
  void fill(std::size_t bytes) const;

  /// Bytes below `bytes` on each node, by the kernel's account. A negative node is a page that is not there.
  /// Of more than `most_pages` pages a part stands for all. Where move_pages is refused, the shares are those
  /// of the whole mapping in numa_maps; empty where that cannot be read either.
  std::map<int, std::uint64_t> residence(std::size_t bytes, std::size_t most_pages = 16384) const;

  /// The same of at most `most_pages` pages, soon done; empty where move_pages is refused.
  std::map<int, std::uint64_t> glimpse(std::size_t bytes, std::size_t most_pages) const;

  /// The node of every page; negative where a page is not there, split_page where a huge one is not whole
  /// in one place. Empty where move_pages is refused.
  std::vector<int> page_nodes() const;

 private:
  void map(const std::vector<Range>& ranges, const std::string& pages, std::vector<std::string>& notes);

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  void* mapping_ = nullptr;
  std::size_t mapping_size_ = 0;
  std::size_t page_bytes_ = 4096;
  std::vector<WeightedRange> weighted_;
};

/// The mappings of this process and how much of them is in huge pages, read once from /proc/self/smaps.
class HugePages {
 public:
  HugePages();

  /// Share (0..1) of the mappings that overlap [begin, begin + bytes) that is in huge pages; negative where
  /// it is unknown.
  double share(const std::byte* begin, std::size_t bytes) const;

 private:
  struct Mapping {
    std::uintptr_t from, to;
    std::uint64_t resident_kib, huge_kib;
  };
  std::vector<Mapping> mappings_;  ///< ascending
};

/// Whether this process gets 2 MiB pages, reserved or transparent ones; tries with a few.
bool huge_pages_can_be_had();

}  // namespace gable::bench

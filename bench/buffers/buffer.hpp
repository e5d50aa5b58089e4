#pragma once

// Memory whose location can be requested, is touched by its own thread, and can be verified.

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "base/owned.hpp"
#include "bench/buffers/page_weights.hpp"
#include "model/domain/pages.hpp"
#include "model/records/note.hpp"

namespace gable::bench {

/// Bytes of the pages of that name (base/pages.hpp); of small ones if the text is no such name.
std::size_t page_unit(model::Pages pages);

/// The value of Buffer::find_pages for a huge page that is not in one piece.
inline constexpr int split_page = -1000;

/// Private memory of one thread, bound to one node or interleaved by page over several.
class Buffer {
 public:
  /// A part of the memory and its nodes; without nodes: anywhere.
  struct Range {
    std::size_t bytes = 0;  ///< whole pages
    std::vector<unsigned> nodes;
    std::vector<unsigned> weights = {};  ///< the number of consecutive pages on each node; empty: one
  };

  /// Maps `bytes` (rounded up to whole pages) without touching a page. `pages` is a name of base/pages.hpp.
  /// Adds a note to `notes` for everything that the system does not permit. Throws Error::unavailable.
  Buffer(std::size_t bytes, const std::vector<unsigned>& nodes, model::Pages pages, model::Notes& notes);
  /// The ranges follow each other. If a range has several nodes, its pages are interleaved over them.
  Buffer(const std::vector<Range>& ranges, model::Pages pages, model::Notes& notes);

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// Writes the double 1.0 everywhere below `bytes`. This is the first touch, and gives harmless operands for
  /// every kernel. Pages with weights are placed while this thread touches them, because the kernel cannot
  /// bind a range by weights.
  void fill(std::size_t bytes) const;
  /// The same for the bytes from `begin` to before `end`, of memory without weights.
  void fill(std::size_t begin, std::size_t end) const;

  /// Bytes on each node of `bytes` from `begin` on, according to the kernel. A negative node means that the
  /// page is missing. With more than `most_pages` pages a sample is checked. If move_pages is refused, the
  /// shares are those of the whole mapping in numa_maps; empty if that cannot be read either.
  std::map<int, std::uint64_t> residence(std::size_t bytes, std::size_t most_pages = 16384,
                                         std::size_t begin = 0) const;

  /// The same for a sample of at most `most_pages` pages, which is fast; empty if move_pages is refused.
  std::map<int, std::uint64_t> glimpse(std::size_t bytes, std::size_t most_pages, std::size_t begin) const;

  /// Sets the node of every page, or of a sample of at most `most_pages`: negative if a page is missing,
  /// split_page if a huge page is not in one piece. `nodes` is empty or from an earlier call; it is empty
  /// afterwards if move_pages is refused.
  void find_pages(std::vector<int>& nodes, std::size_t most_pages) const;

 private:
  void map(const std::vector<Range>& ranges, model::Pages pages, model::Notes& notes);

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  Mapped mapping_;
  std::size_t page_bytes_ = 4096;
  std::vector<WeightedRange> weighted_;
};

/// The mappings of this process and their share in huge pages, read once from /proc/self/smaps.
class HugePages {
 public:
  HugePages();

  /// Share (0..1) of huge pages in the mappings that overlap [begin, begin + bytes); negative if unknown.
  double share(const std::byte* begin, std::size_t bytes) const;

 private:
  struct Mapping {
    std::uintptr_t from, to;
    std::uint64_t resident_kib, huge_kib;
  };
  std::vector<Mapping> mappings_;  ///< ascending
};

/// Whether this process gets pages of huge_page(), reserved or transparent; tries with a few of them.
bool huge_pages_can_be_had();

}  // namespace gable::bench

#pragma once

// Streams whose pages lie in two memories (LARM paper, section 6.3 and figure 15): pages alternate while both
// memories last, and what remains lies in one; or as Linux interleaves by weights, all the way. Pure;
// bench/buffers/placement.hpp makes it so.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/buffers/buffer.hpp"
#include "kernels/kernel.hpp"

namespace gable::bench {

/// Where a written stream starts behind a page boundary where other streams lie before it: a little before
/// the next 4 KiB, so that no load looks like it hits a store in flight (4 KiB aliasing).
inline constexpr std::uint64_t store_offset = 4096 - 512;

/// How pages are shared out over two memories.
struct PageShare {
  PageShare(int percent_on_first) : percent(percent_on_first) {}  // NOLINT: a share is a number
  /// `of_first` pages in the first memory, `of_second` in the second, and so on (from 1).
  static PageShare weighted(int of_first, int of_second);

  int percent;                ///< (0 to 100) in the first one
  int first = 0, second = 0;  ///< weights; 0: in turn while both memories last
};

/// The pages of one stream. With weights they lie in the two memories by turns of so many. Without, the first
/// `alternating` ones, an even number, lie in them by turns; the others all in one.
struct PageMix {
  std::uint64_t pages = 0;
  std::uint64_t alternating = 0;
  bool rest_on_first = false;      ///< of the two memories
  unsigned first = 0, second = 0;  ///< weights

  bool operator==(const PageMix&) const = default;
};

/// A share without weights is rounded to whole pages; the last turn of weights may be cut short.
PageMix mix_pages(std::uint64_t pages, const PageShare& share);

/// A kernel's streams in one buffer, each from a page of its own on.
struct MixedLayout {
  struct Stream {
    std::uint64_t first_page = 0;  ///< even
    std::uint64_t offset = 0;      ///< of its first byte, from the buffer's begin
    std::uint64_t bytes = 0;       ///< 0: the kernel has no such stream
    PageMix mix;
  };
  Stream streams[3];  ///< load[0], load[1], store
  std::uint64_t page_bytes = 0;
  std::uint64_t iterations_per_pass = 0;
  std::uint64_t used_bytes = 0;  ///< of all streams together
  std::uint64_t pages = 0;       ///< of the buffer
};

/// Lays out the streams of `kernel`, `bytes` in all, each with the same share of its pages in the first
/// memory.
MixedLayout mixed_layout(const kernels::Kernel& kernel, std::uint64_t bytes, std::uint64_t page_bytes,
                         const PageShare& share);

/// What the buffer has to be bound to, for Buffer's constructor.
std::vector<Buffer::Range> ranges_of(const MixedLayout& layout, unsigned first, unsigned second);

/// Where a buffer's streams were found to lie.
struct MixedResidence {
  std::map<int, std::uint64_t> bytes;  ///< by node: the bytes of the streams, not of whole pages
  std::string fault;                   ///< the first page that is not where the layout has it; empty: none
};

/// `page_nodes` is the node of every page of the buffer (Buffer::page_nodes), or empty where the kernel does
/// not tell. Which of the two memories the alternating pages begin with is the system's choice; weights begin
/// with the first.
MixedResidence compare(const MixedLayout& layout, unsigned first, unsigned second,
                       const std::vector<int>& page_nodes);

}  // namespace gable::bench

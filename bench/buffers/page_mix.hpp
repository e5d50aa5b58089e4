#pragma once

// Streams whose pages lie in two memories (LARM paper, section 6.3 and figure 15). Either pages alternate
// while both memories last and the rest lies in one, or they are interleaved by weights throughout, as Linux
// does it. This file only computes the layout; bench/buffers/placement.hpp carries it out.

#include <cstdint>
#include <map>
#include <vector>

#include "bench/buffers/buffer.hpp"
#include "kernels/kernel.hpp"

namespace gable::bench {

/// The offset of a written stream behind a page boundary if other streams precede it: slightly below the next
/// 4 KiB, so that no load seems to overlap a store in flight (4 KiB aliasing).
inline constexpr std::uint64_t store_offset = 4096 - 512;

/// The distribution of pages over two memories.
struct PageShare {
  PageShare(int percent_on_first) : percent(percent_on_first) {}  // NOLINT: a share is a number
  /// Repeatedly `of_first` pages in the first memory and `of_second` in the second (from 1).
  static PageShare weighted(int of_first, int of_second);

  int percent;                ///< (0 to 100) in the first one
  int first = 0, second = 0;  ///< weights; 0: alternating while both memories last
};

/// The pages of one stream. With weights they alternate between the two memories in groups. Without weights
/// the first `alternating` pages, an even number, alternate, and all others are in one memory.
struct PageMix {
  std::uint64_t pages = 0;
  std::uint64_t alternating = 0;
  bool rest_on_first = false;      ///< of the two memories
  unsigned first = 0, second = 0;  ///< weights

  bool operator==(const PageMix&) const = default;
};

/// A share without weights is rounded to whole pages, half a page down; the last group of weights may be
/// shorter.
PageMix mix_pages(std::uint64_t pages, const PageShare& share);

/// A kernel's streams, the largest in region 0, the next in region 1, and so on. A region serves the streams
/// of every kernel: those that are smaller use its middle, where alternating pages end.
struct MixedLayout {
  struct Stream {
    int region = 0;
    std::uint64_t first_page = 0;  ///< of the region; even
    std::uint64_t offset = 0;      ///< of its first byte, from the region's begin
    std::uint64_t bytes = 0;       ///< 0: the kernel has no such stream
    PageMix mix;
  };
  Stream streams[3];  ///< load[0], load[1], store
  int regions = 0;    ///< as many as streams
  std::uint64_t page_bytes = 0;
  std::uint64_t iterations_per_pass = 0;
  std::uint64_t used_bytes = 0;  ///< of all streams together
};

/// The pages of a region, for kernels with `bytes` in total; an even number.
PageMix region_pages(std::uint64_t bytes, std::uint64_t page_bytes, int region, const PageShare& share);

/// The bytes of the first `regions` of them, for any share.
std::uint64_t region_bytes(std::uint64_t bytes, std::uint64_t page_bytes, int regions = 3);

/// Lays out the streams of `kernel`, `bytes` in total, each with the same share of its pages in the first
/// memory.
MixedLayout mixed_layout(const kernels::Kernel& kernel, std::uint64_t bytes, std::uint64_t page_bytes,
                         const PageShare& share);

/// The binding of a region, for Buffer's constructor.
std::vector<Buffer::Range> ranges_of(const PageMix& region, std::uint64_t page_bytes, unsigned first,
                                     unsigned second);

/// Where streams were found.
struct MixedResidence {
  std::map<int, std::uint64_t> bytes;  ///< by node: the bytes of the streams, not of whole pages
  model::Note fault;  ///< the first page that is not where the layout has it; empty if there is none
};

/// `page_nodes` has the nodes of every page of each region (Buffer::find_pages), or fewer if not known. The
/// system chooses in which of the two memories alternating pages begin; weights begin in the first.
MixedResidence compare(const MixedLayout& layout, unsigned first, unsigned second,
                       const std::vector<std::vector<int>>& page_nodes);

}  // namespace gable::bench

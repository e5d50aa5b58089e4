#pragma once

// Streams whose pages lie in two memories (LARM paper, section 6.3 and figure 15): pages alternate while both
// memories last, and what remains lies in one. Pure; bench/placement.hpp makes it so.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/buffer.hpp"
#include "kernels/kernel.hpp"

namespace gable::bench {

/// Where a written stream starts behind a page boundary where other streams lie before it: a little before
/// the next 4 KiB, so that no load looks like it hits a store in flight (4 KiB aliasing).
inline constexpr std::uint64_t store_offset = 4096 - 512;

/// The pages of one stream. The first `alternating` ones, an even number, lie in the two memories by turns;
/// the others all in one.
struct PageMix {
  std::uint64_t pages = 0;
  std::uint64_t alternating = 0;
  bool rest_on_first = false;  ///< of the two memories

  bool operator==(const PageMix&) const = default;
};

/// `percent` (0 to 100) of the pages in the first memory, rounded to whole pages.
PageMix mix_pages(std::uint64_t pages, int percent);

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

/// Lays out the streams of `kernel`, `bytes` in all, each with `percent` of its pages in the first memory.
MixedLayout mixed_layout(const kernels::Kernel& kernel, std::uint64_t bytes, std::uint64_t page_bytes,
                         int percent);

/// What the buffer has to be bound to, for Buffer's constructor.
std::vector<Buffer::Range> ranges_of(const MixedLayout& layout, unsigned first, unsigned second);

/// Where a buffer's streams were found to lie.
struct MixedResidence {
  std::map<int, std::uint64_t> bytes;  ///< by node: the bytes of the streams, not of whole pages
  std::string fault;                   ///< the first page that is not where the layout has it; empty: none
};

/// `page_nodes` is the node of every page of the buffer (Buffer::page_nodes), or empty where the kernel does
/// not tell. Which of the two memories the alternating pages begin with is the system's choice.
MixedResidence compare(const MixedLayout& layout, unsigned first, unsigned second,
                       const std::vector<int>& page_nodes);

}  // namespace gable::bench

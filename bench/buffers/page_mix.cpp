#include "bench/buffers/page_mix.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

namespace gable::bench {

namespace {

std::uint64_t up_to_even(std::uint64_t pages) {
  return pages + pages % 2;
}

std::string words(const MixedLayout::Stream& stream, std::uint64_t page, int found) {
  const std::string where = found == split_page ? "is split into smaller ones"
                            : found < 0         ? "is not in memory"
                                                : fmt::format("is on node {}", found);
  return fmt::format("page {} of a stream's {} {}", page, stream.mix.pages, where);
}

// Whether the stream's page must be in the first memory; `begins_on_first`: page 0 is in the first
// memory.
bool on_first(const PageMix& mix, std::uint64_t page, bool begins_on_first) {
  if (mix.first > 0) return page % (mix.first + mix.second) < mix.first;
  return page < mix.alternating ? (page % 2 == 0) == begins_on_first : mix.rest_on_first;
}

}  // namespace

PageShare PageShare::weighted(int of_first, int of_second) {
  PageShare share((100 * of_first + (of_first + of_second) / 2) / (of_first + of_second));
  share.first = of_first;
  share.second = of_second;
  return share;
}

PageMix mix_pages(std::uint64_t pages, const PageShare& share) {
  if (share.first > 0)
    return {pages, 0, false, static_cast<unsigned>(share.first), static_cast<unsigned>(share.second)};
  const std::uint64_t first = (pages * static_cast<std::uint64_t>(share.percent) + 50) / 100;
  const std::uint64_t second = pages - first;
  return {pages, 2 * std::min(first, second), first > second};
}

MixedLayout mixed_layout(const kernels::Kernel& kernel, std::uint64_t bytes, std::uint64_t page_bytes,
                         const PageShare& share) {
  MixedLayout layout;
  layout.page_bytes = page_bytes;
  const std::uint64_t step =
      std::accumulate(std::begin(kernel.stream_bytes), std::end(kernel.stream_bytes), std::uint64_t{0});
  layout.iterations_per_pass = std::max<std::uint64_t>(1, bytes / step);
  layout.used_bytes = layout.iterations_per_pass * step;
  for (int s = 0; s < 3; ++s) {
    if (kernel.stream_bytes[s] == 0) continue;
    MixedLayout::Stream& stream = layout.streams[s];
    const std::uint64_t offset = s == 2 && layout.pages > 0 ? store_offset : 0;
    stream.first_page = layout.pages;
    stream.offset = stream.first_page * page_bytes + offset;
    stream.bytes = layout.iterations_per_pass * kernel.stream_bytes[s];
    stream.mix = mix_pages((offset + stream.bytes + page_bytes - 1) / page_bytes, share);
    layout.pages += up_to_even(stream.mix.pages);
  }
  return layout;
}

std::vector<Buffer::Range> ranges_of(const MixedLayout& layout, unsigned first, unsigned second) {
  std::vector<Buffer::Range> ranges;
  for (const MixedLayout::Stream& stream : layout.streams) {
    const PageMix& mix = stream.mix;
    const std::uint64_t rest = up_to_even(mix.pages) - mix.alternating;
    if (mix.first > 0) {
      ranges.push_back({rest * layout.page_bytes, {first, second}, {mix.first, mix.second}});
      continue;
    }
    if (mix.alternating > 0) ranges.push_back({mix.alternating * layout.page_bytes, {first, second}});
    if (rest > 0) ranges.push_back({rest * layout.page_bytes, {mix.rest_on_first ? first : second}});
  }
  return ranges;
}

MixedResidence compare(const MixedLayout& layout, unsigned first, unsigned second,
                       const std::vector<int>& page_nodes) {
  MixedResidence residence;
  if (page_nodes.size() < layout.pages) {
    residence.fault = "the location of the pages is not known (move_pages is not permitted)";
    return residence;
  }
  for (const MixedLayout::Stream& stream : layout.streams) {
    if (stream.bytes == 0) continue;
    const bool begins_on_first = page_nodes[stream.first_page] == static_cast<int>(first);
    for (std::uint64_t i = 0; i < stream.mix.pages; ++i) {
      const int found = page_nodes[stream.first_page + i];
      const std::uint64_t begin = (stream.first_page + i) * layout.page_bytes;
      const std::uint64_t from = std::max(begin, stream.offset);
      const std::uint64_t to = std::min(begin + layout.page_bytes, stream.offset + stream.bytes);
      if (found >= 0) residence.bytes[found] += to - from;
      const unsigned expected = on_first(stream.mix, i, begins_on_first) ? first : second;
      if (residence.fault.empty() && found != static_cast<int>(expected)) {
        residence.fault = fmt::format("{} and not on node {}", words(stream, i, found), expected);
      }
    }
  }
  return residence;
}

}  // namespace gable::bench

#include "bench/buffers/page_mix.hpp"
#include "base/sorting.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

namespace gable::bench {

namespace {

std::uint64_t up_to_even(std::uint64_t pages) {
  return pages + pages % 2;
}

std::string where(int found) {
  return found == split_page ? "is split into smaller ones"
         : found < 0         ? "is not in memory"
                             : fmt::format("is on node {}", found);
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
  const std::uint64_t first = (pages * static_cast<std::uint64_t>(share.percent) + 49) / 100;
  return {pages, 2 * std::min(first, pages - first), share.percent > 50};
}

PageMix region_pages(std::uint64_t bytes, std::uint64_t page_bytes, int region, const PageShare& share) {
  const std::uint64_t largest = bytes / static_cast<std::uint64_t>(region + 1) + store_offset;
  PageMix mix = mix_pages(up_to_even((largest + page_bytes - 1) / page_bytes), share);
  // A smaller stream may have one page more in a row on one node, because shares are rounded.
  mix.pages = up_to_even(mix.pages + 2);
  return mix;
}

std::uint64_t region_bytes(std::uint64_t bytes, std::uint64_t page_bytes, int regions) {
  std::uint64_t sum = 0;
  for (int region = 0; region < regions; ++region)
    sum += region_pages(bytes, page_bytes, region, 50).pages * page_bytes;
  return sum;
}

MixedLayout mixed_layout(const kernels::Kernel& kernel, std::uint64_t bytes, std::uint64_t page_bytes,
                         const PageShare& share) {
  MixedLayout layout;
  layout.page_bytes = page_bytes;
  const std::uint64_t step =
      std::accumulate(std::begin(kernel.stream_bytes), std::end(kernel.stream_bytes), std::uint64_t{0});
  layout.iterations_per_pass = std::max<std::uint64_t>(1, bytes / step);
  layout.used_bytes = layout.iterations_per_pass * step;
  std::vector<int> by_size;
  for (int s = 0; s < 3; ++s) {
    if (kernel.stream_bytes[s] > 0) by_size.push_back(s);
  }
  sort_down_by(by_size, [&](int s) { return kernel.stream_bytes[s]; });
  for (const int s : by_size) {
    MixedLayout::Stream& stream = layout.streams[s];
    stream.region = layout.regions++;
    stream.bytes = layout.iterations_per_pass * kernel.stream_bytes[s];
    const std::uint64_t offset = s == 2 && by_size.size() > 1 ? store_offset : 0;
    stream.mix = mix_pages((offset + stream.bytes + page_bytes - 1) / page_bytes, share);
    const PageMix room = region_pages(bytes, page_bytes, stream.region, share);
    stream.first_page = room.alternating - stream.mix.alternating;
    stream.offset = stream.first_page * page_bytes + offset;
  }
  return layout;
}

std::vector<Buffer::Range> ranges_of(const PageMix& region, std::uint64_t page_bytes, unsigned first,
                                     unsigned second) {
  if (region.first > 0) return {{region.pages * page_bytes, {first, second}, {region.first, region.second}}};
  std::vector<Buffer::Range> ranges;
  const std::uint64_t rest = region.pages - region.alternating;
  if (region.alternating > 0) ranges.push_back({region.alternating * page_bytes, {first, second}});
  ranges.push_back({rest * page_bytes, {region.rest_on_first ? first : second}});
  return ranges;
}

MixedResidence compare(const MixedLayout& layout, unsigned first, unsigned second,
                       const std::vector<std::vector<int>>& page_nodes) {
  MixedResidence residence;
  for (const MixedLayout::Stream& stream : layout.streams) {
    if (stream.bytes == 0) continue;
    const auto region = static_cast<std::size_t>(stream.region);
    if (page_nodes.size() <= region || page_nodes[region].size() < stream.first_page + stream.mix.pages)
      return {{}, model::NoteCode::pages_not_located};
    const int* nodes = page_nodes[region].data() + stream.first_page;
    const bool begins_on_first = nodes[0] == static_cast<int>(first);
    for (std::uint64_t i = 0; i < stream.mix.pages; ++i) {
      const std::uint64_t begin = (stream.first_page + i) * layout.page_bytes;
      const std::uint64_t from = std::max(begin, stream.offset);
      const std::uint64_t to = std::min(begin + layout.page_bytes, stream.offset + stream.bytes);
      if (nodes[i] >= 0) residence.bytes[nodes[i]] += to - from;
      const unsigned expected = on_first(stream.mix, i, begins_on_first) ? first : second;
      if (residence.fault.empty() && nodes[i] != static_cast<int>(expected)) {
        residence.fault = {model::NoteCode::page_elsewhere,
                           {double(i), double(stream.mix.pages), where(nodes[i]), double(expected)}};
      }
    }
  }
  return residence;
}

}  // namespace gable::bench

#include "bench/schedule/regions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/pages.hpp"
#include "bench/buffers/streams.hpp"

namespace gable::bench {

std::uint64_t slice_bytes(std::uint64_t bytes, const std::string& pages) {
  const std::uint64_t unit = page_size_bytes(pages) <= small_page() ? small_page() : huge_page();
  return (bytes + stream_slack + unit - 1) / unit * unit;
}

MemoryNeed need_of(const Run& run, std::size_t share) {
  const model::Case& asked = run.cases[share];
  MemoryNeed need;
  if (asked.pages.empty()) return need;
  const bool streams = all_stream(asked);
  const std::uint64_t each = streams ? asked.bytes : run.loader_bytes;
  if (each > 0) need.streams = slice_bytes(each, asked.pages) * static_cast<std::uint64_t>(asked.threads);
  if (!streams) need.chase = asked.bytes;
  return need;
}

std::string region_name(const Run& run, std::size_t share) {
  const Share& it = run.shares[share];
  const std::string& pages = run.cases[share].pages;
  if (pages.empty() || it.node_percent >= 0) return "";
  const std::string where = fmt::format("{} on {}", pages, fmt::join(it.nodes, ","));
  if (it.own) return fmt::format("{} of {}", where, it.cluster);
  int before = 0;
  for (std::size_t i = 0; i < share; ++i) before += !run.shares[i].own && run.shares[i].nodes == it.nodes;
  return fmt::format("{} no. {}", where, before);
}

void set_room(std::vector<Run>& runs) {
  std::map<std::string, MemoryNeed> most;
  for (const Run& run : runs) {
    for (std::size_t i = 0; i < run.shares.size() && run.skip.empty(); ++i) {
      const MemoryNeed need = need_of(run, i);
      MemoryNeed& room = most[region_name(run, i)];
      room = {std::max(room.streams, need.streams), std::max(room.chase, need.chase)};
    }
  }
  for (Run& run : runs) {
    for (std::size_t i = 0; i < run.shares.size() && run.skip.empty(); ++i) {
      const MemoryNeed& room = most[region_name(run, i)];
      const auto varied = [](std::uint64_t bytes) { return bytes == 0 ? 0 : std::max(bytes, varied_bytes); };
      run.shares[i].stream_room = varied(room.streams);
      run.shares[i].chase_room = varied(room.chase);
    }
  }
}

}  // namespace gable::bench

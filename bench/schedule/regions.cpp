#include "bench/schedule/regions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "bench/plan/node_room.hpp"

namespace gable::bench {

std::string region_name(const Run& run, std::size_t share) {
  const Share& it = run.shares[share];
  const model::Pages pages = run.cases[share].pages;
  if (pages.empty() || it.node_percent >= 0) return "";
  const std::string where = fmt::format("{} on {}", name_of(pages), fmt::join(it.nodes, ","));
  if (it.own) return fmt::format("{} of {}", where, it.cluster);
  int before = 0;
  for (std::size_t i = 0; i < share; ++i) before += !run.shares[i].own && run.shares[i].nodes == it.nodes;
  return fmt::format("{} no. {}", where, before);
}

std::string chase_name(const Run& run, std::size_t share) {
  return region_name(run, share) + (run.loader_bytes == 0 ? "" : " chase");
}

void set_room(std::vector<Run>& runs) {
  std::map<std::string, std::uint64_t> most;
  for (const Run& run : runs) {
    for (std::size_t i = 0; i < run.shares.size() && run.skip.empty(); ++i) {
      const MemoryNeed need = need_of(run, i);
      std::uint64_t &streams = most[region_name(run, i)], &chase = most[chase_name(run, i)];
      streams = std::max(streams, need.streams);
      chase = std::max(chase, need.chase);
    }
  }
  for (Run& run : runs) {
    for (std::size_t i = 0; i < run.shares.size() && run.skip.empty(); ++i) {
      const auto varied = [](std::uint64_t bytes) { return bytes == 0 ? 0 : std::max(bytes, varied_bytes); };
      run.shares[i].stream_room = varied(most[region_name(run, i)]);
      run.shares[i].chase_room = varied(most[chase_name(run, i)]);
    }
  }
}

}  // namespace gable::bench

#include "bench/plan/node_room.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/lists.hpp"
#include "base/pages.hpp"
#include "base/words.hpp"
#include "bench/buffers/chase.hpp"
#include "bench/buffers/page_mix.hpp"
#include "bench/buffers/streams.hpp"

namespace gable::bench {

namespace {

struct Room {
  double share = 1;   // of what the run needs
  std::string where;  // in words: what has the least of it
};

Room room_for(const machines::Machine& machine, std::uint64_t limit_bytes, const Run& run) {
  std::map<unsigned, double> wanted;
  double total = 0;
  for (std::size_t i = 0; i < run.shares.size(); ++i) {
    const Share& share = run.shares[i];
    const MemoryNeed need = need_of(run, i);
    // All cells of the hybrid grid have the same size: that of a cell with all data on one of both nodes.
    const double parts = share.node_percent >= 0 ? 1 : static_cast<double>(share.nodes.size());
    const auto bytes = static_cast<double>(need.streams + need.chase);
    for (const unsigned node : share.nodes) wanted[node] += bytes / parts;
    total += bytes;
  }
  Room room;
  const auto limit = [&](std::uint64_t bytes, double needed, const std::string& what) {
    const double share = most_of_memory * static_cast<double>(bytes) / needed;
    if (bytes > 0 && share < room.share) room = {share, fmt::format("{} ({})", what, bytes_text(bytes))};
  };
  limit(limit_bytes, total, "the memory limit of this process");
  for (const machines::Node& node : machine.nodes) {
    if (wanted.contains(node.os_index))
      limit(node.bytes, wanted[node.os_index], fmt::format("node {}", node.os_index));
  }
  return room;
}

// The largest working set of a thread whose slice is at most this part of that of `bytes`.
std::uint64_t part_of(std::uint64_t bytes, double share, model::Pages pages) {
  const std::uint64_t unit = slice_bytes(1, pages);
  const auto slice = static_cast<std::uint64_t>(static_cast<double>(slice_bytes(bytes, pages)) * share);
  return slice / unit * unit - std::min(slice / unit * unit, stream_slack);
}

}  // namespace

std::uint64_t slice_bytes(std::uint64_t bytes, model::Pages pages) {
  const std::uint64_t unit = pages.bytes() <= small_page() ? small_page() : huge_page();
  return (bytes + stream_slack + unit - 1) / unit * unit;
}

MemoryNeed need_of(const Run& run, std::size_t share) {
  const model::Case& spec = run.cases[share];
  MemoryNeed need;
  if (spec.pages.empty()) return need;
  const bool streaming = streams(spec.kind);
  const std::uint64_t each = streaming ? spec.bytes : run.loader_bytes;
  const std::uint64_t slice = run.shares[share].node_percent < 0 ? slice_bytes(each, spec.pages)
                                                                 : region_bytes(each, page_unit(spec.pages));
  if (each > 0) need.streams = slice * static_cast<std::uint64_t>(spec.threads);
  if (!streaming) need.chase = spec.bytes;
  return need;
}

std::uint64_t least_on_nodes(const Share& share, model::Pages pages) {
  if (share.nodes.size() < 2) return 0;
  constexpr std::uint64_t smallest_stream = 9, each = 8;  // a ninth of the working set (mix8_1_nt)
  return (share.node_percent >= 0 ? smallest_stream : share.nodes.size()) * each * pages.bytes();
}

void fit_to_nodes(const machines::Machine& machine, std::uint64_t limit_bytes, Run& run) {
  const Room room = room_for(machine, limit_bytes, run);
  if (!run.skip.empty() || room.share >= 1) return;
  const bool may_shrink = run.as_asked ? room.share >= run.least_share : !run.first_pass;
  if (!is_memory(run.cases.front().level) || !may_shrink) {
    run.skip = {model::NoteCode::node_too_small, {room.where}};
    return;
  }
  if (run.as_asked) return;  // its buffers may be smaller, with a note
  run.loader_bytes = part_of(run.loader_bytes, room.share, run.cases.front().pages);
  for (std::size_t i = 0; i < run.cases.size(); ++i) {
    model::Case& spec = run.cases[i];
    const machines::Cluster& cluster = machine.clusters.at(static_cast<std::size_t>(spec.cluster));
    spec.bytes = part_of(spec.bytes, room.share, spec.pages);
    if (!streams(spec.kind)) spec.bytes = 64 * chase_lines(spec.bytes, 64);
    const std::uint64_t set = spec.bytes * static_cast<std::uint64_t>(streams(spec.kind) ? spec.threads : 1);
    const std::uint64_t least = least_memory_set(cluster), usual = usual_memory_set(cluster);
    run.least_share = std::max(run.least_share, static_cast<double>(least) / static_cast<double>(set));
    if (spec.bytes < least_on_nodes(run.shares[i], spec.pages)) {
      run.skip = {model::NoteCode::node_too_small_for_pages, {room.where}};
    } else if (set < least) {
      run.skip = {model::NoteCode::node_too_small_beyond_caches,
                  {room.where, double(last_level_bytes(cluster))}};
    } else if (set < usual) {
      add_once(run.notes, {model::NoteCode::small_set, {room.where, double(set), double(usual)}});
    }
  }
}

}  // namespace gable::bench

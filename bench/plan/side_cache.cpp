#include "bench/plan/side_cache.hpp"

#include <algorithm>
#include <cstdint>
#include <set>

#include "base/lists.hpp"

namespace gable::bench {

namespace {

std::uint64_t total_bytes(const model::Case& spec) {
  return spec.bytes * static_cast<std::uint64_t>(spec.threads);
}

// What all clusters of the run access. One thread chases; the others of a loaded latency load.
std::uint64_t data_of(const Run& run) {
  std::uint64_t bytes = 0;
  for (const model::Case& spec : run.cases) {
    if (streams(spec.kind)) {
      bytes += total_bytes(spec);
    } else {
      bytes += spec.bytes + run.loader_bytes * static_cast<std::uint64_t>(spec.threads - 1);
    }
  }
  return bytes;
}

// The caches in front of the nodes that a run uses, and of its clusters' own nodes (LARM paper, section 5.1).
struct InFront {
  std::uint64_t bytes = 0;
  std::uint64_t nodes = 0, with = 0;  // used, and those of them behind a cache
};

InFront in_front(const machines::Machine& machine, const Run& run) {
  std::set<unsigned> used;
  for (const Share& share : run.shares) used.insert(share.nodes.begin(), share.nodes.end());
  InFront found;
  for (const machines::Node& node : machine.nodes) {
    const bool target = used.contains(node.os_index);
    const bool own = std::ranges::any_of(node.local_to, [&](int cluster) {
      return std::ranges::any_of(run.cases, [&](const model::Case& it) { return it.cluster == cluster; });
    });
    if (target || own) found.bytes += node.memory_side_cache_bytes;
    if (!target) continue;
    ++found.nodes;
    if (node.memory_side_cache_bytes > 0) ++found.with;
  }
  return found;
}

void must_exceed_caches(Run& run) {
  run.first_pass = true;
  run.least_share = 0.95;
}

}  // namespace

bool has_side_cache(const machines::Machine& machine, const Run& run) {
  return in_front(machine, run).with > 0;
}

model::Note held_by_side_caches(const machines::Machine& machine, const Run& run) {
  const InFront caches = in_front(machine, run);
  const std::uint64_t data = data_of(run);
  if (caches.with < caches.nodes || caches.with == 0 || data > caches.bytes) return {};
  return {model::NoteCode::fits_side_caches, {double(data >> 20), double(caches.bytes >> 20)}};
}

void set_side_caches(const machines::Machine& machine, Run& run) {
  const InFront caches = in_front(machine, run);
  const std::uint64_t data = data_of(run);
  if (!run.skip.empty() || caches.with == 0) return;
  if (caches.with < caches.nodes) {
    run.skip = model::NoteCode::part_behind_side_cache;
  } else if (data <= caches.bytes) {
    const model::Level level = machines::memory_side_cache_level(machine);
    for (model::Case& spec : run.cases) {
      spec.level = level;
      spec.tier = machines::memory_side_cache_tier(machine);
    }
  } else if (!streams(run.cases.front().kind)) {
    run.skip = {model::NoteCode::side_caches_serve_part, {double(caches.bytes), double(data)}};
  } else if (data < 2 * caches.bytes) {
    run.skip = {model::NoteCode::side_caches_hold_part, {double(caches.bytes), double(data)}};
  } else {
    must_exceed_caches(run);
  }
}

Run beyond_side_caches(const machines::Machine& machine, Run run) {
  const InFront caches = in_front(machine, run);
  constexpr std::uint64_t page = 2u << 20;
  const std::uint64_t each_cluster = 2 * caches.bytes / run.cases.size();
  run.notes.clear();
  for (std::size_t i = 0; i < run.cases.size(); ++i) {
    model::Case& spec = run.cases[i];
    const std::uint64_t each = each_cluster / static_cast<std::uint64_t>(spec.threads);
    spec.bytes = (each + page) / page * page;
    spec.level = model::Level::memory();
    note_side_caches(machine, run.shares[i], spec, run.notes);
  }
  must_exceed_caches(run);
  return run;
}

void note_side_caches(const machines::Machine& machine, const Share& share, const model::Case& spec,
                      model::Notes& notes) {
  for (const machines::Node& node : machine.nodes) {
    if (node.memory_side_cache_bytes == 0 || !is_among(share.nodes, node.os_index)) continue;
    const bool holds = total_bytes(spec) <= node.memory_side_cache_bytes;
    notes.push_back({holds ? model::NoteCode::side_cache_holds : model::NoteCode::side_cache_exceeded,
                     {double(node.os_index), double(node.memory_side_cache_bytes >> 20)}});
  }
}

}  // namespace gable::bench

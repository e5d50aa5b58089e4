// Judges a visit: the Sample is ok, or has the reason why it is invalid.

#include <algorithm>
#include <set>

#include "bench/visit/visit_state.hpp"

namespace gable::bench {

namespace {

using model::Case;
using model::Sample;

// Whether no other core can slow this level down: the core itself, or an L1 or L2 that only one hardware
// thread uses. Further levels count as shared: CPUs outside this process's set may share
// them.
bool is_private(const machines::Cluster& cluster, const Case& spec) {
  if (std::ranges::any_of(cluster.cores, [](const machines::Core& core) { return core.pus.size() > 1; }))
    return false;
  if (is_non_temporal(spec.op)) return false;  // accesses memory regardless of the buffer's size
  if (in_registers(spec.kind)) return true;
  return std::ranges::any_of(cluster.caches, [&](const machines::Cache& cache) {
    return cache.level <= 2 && spec.level.number() == cache.level && cache.pus_sharing == 1;
  });
}

}  // namespace

// Records where the pages are; returns why that is wrong, or an empty text.
model::Note Bench::see_pages(const Run& run, std::size_t share, std::uint64_t used_bytes,
                             Sample& sample) const {
  if (run.shares[share].node_percent >= 0) {
    const MixedResidence found = placement_->mixed_residence(share);
    sample.node_bytes = found.bytes;
    return found.fault;
  }
  const auto threads = static_cast<std::size_t>(sample.spec.threads);
  const std::map<int, std::uint64_t> found = placement_->residence(share, threads, used_bytes);
  for (const auto& [node, bytes] : found) {
    if (node >= 0) sample.node_bytes[node] = bytes;  // below 0: the page is not in memory
  }
  return placement_->misplaced(share, found, machine_.nodes.size() == 1);
}

Sample Bench::conclude(const Run& run, std::size_t share, const Visit& visit) const {
  const Visit::Part& part = visit.parts[share];
  Sample sample = part.sample;
  std::set<unsigned> cpus;
  if (!visit.seen.cpus.empty()) {
    for (const auto& threads : {part.threads, part.loaders}) {
      for (const std::size_t t : threads) cpus.insert(visit.seen.cpus[t].begin(), visit.seen.cpus[t].end());
    }
  }
  sample.cpus.assign(cpus.begin(), cpus.end());
  describe(visit.seen, time_, watch_, sample);
  sample.notes.insert(sample.notes.end(), run.notes.begin(), run.notes.end());
  if (!in_registers(sample.spec.kind)) {
    sample.notes.insert(sample.notes.end(), placement_->notes().begin(), placement_->notes().end());
    spoil(sample, see_pages(run, share, part.used_bytes, sample));
    std::erase_if(sample.node_bytes, [](const auto& node) { return node.first < 0; });  // on none
    spoil(sample, part.strayed);
    if (part.used_bytes < sample.spec.bytes / 2) spoil(sample, model::NoteCode::half_of_buffer);
  }
  if (stop_) sample.stopped = "interrupted";
  const machines::Cluster& cluster = machine_.clusters.at(static_cast<std::size_t>(sample.spec.cluster));
  judge(visit.seen, time_, stop_, !is_private(cluster, sample.spec), machines::core_count(machine_), sample);
  if (run.visit_seconds > 0 && sample.stopped.empty()) sample.stopped = "time";
  return sample;
}

}  // namespace gable::bench

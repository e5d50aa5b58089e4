// Judges a visit: the Sample is ok, or has the reason why it is invalid.

#include <fmt/core.h>

#include <algorithm>

#include "base/numbers.hpp"
#include "bench/visit/visit_state.hpp"

namespace gable::bench {

namespace {

using model::Case;
using model::Sample;
using model::Status;

// Whether no other core can slow this level down: the core itself, or an L1 or L2 that only one hardware
// thread uses. Further levels count as shared: CPUs outside this process's set may share
// them.
bool is_private(const machines::Cluster& cluster, const Case& asked) {
  if (std::ranges::any_of(cluster.cores, [](const machines::Core& core) { return core.pus.size() > 1; }))
    return false;
  if (asked.kernel.find("_nt_") != std::string::npos)
    return false;  // accesses memory regardless of the buffer's size
  if (is_peak(asked.kind)) return true;
  return std::ranges::any_of(cluster.caches, [&](const machines::Cache& cache) {
    return cache.level <= 2 && asked.level.number() == cache.level && cache.pus_sharing == 1;
  });
}

}  // namespace

// Records where the pages are; returns why that is wrong, or an empty text.
std::string Bench::see_pages(const Run& run, std::size_t share, std::uint64_t used_bytes,
                             Sample& sample) const {
  if (run.shares[share].node_percent >= 0) {
    const MixedResidence found = placement_->mixed_residence();
    sample.node_bytes = found.bytes;
    return found.fault;
  }
  const auto threads = static_cast<std::size_t>(sample.asked.threads);
  const std::map<int, std::uint64_t> found = placement_->residence(share, threads, used_bytes);
  for (const auto& [node, bytes] : found) {
    if (node >= 0) sample.node_bytes[node] = bytes;  // below 0: the page is not in memory
  }
  return placement_->misplaced(share, found, machine_.nodes.size() == 1);
}

Sample Bench::conclude(const Run& run, std::size_t share, const Visit& visit) const {
  const Visit::Part& part = visit.parts[share];
  Sample sample = part.sample;
  std::set<unsigned> seen;
  for (const auto& threads : {part.threads, part.loaders}) {
    for (const std::size_t t : threads) seen.insert(visit.cpus_seen[t].begin(), visit.cpus_seen[t].end());
  }
  sample.cpus.assign(seen.begin(), seen.end());
  sample.clock_ghz = upper_median(visit.clocks);
  sample.steal_percent = visit.disturbance.steal_percent;
  sample.notes = time_.notes();
  if (!visit.clock_note.empty()) sample.notes.push_back(visit.clock_note);
  sample.notes.insert(sample.notes.end(), run.notes.begin(), run.notes.end());
  if (!watch_.sees())
    sample.notes.push_back("/proc/stat cannot be read: steal and other processes are not monitored");
  const auto spoil = [&](const std::string& reason) {
    if (sample.status != Status::ok) return;
    sample.status = Status::invalid;
    sample.reason = reason;
  };
  if (!is_peak(sample.asked.kind)) {
    sample.notes.insert(sample.notes.end(), placement_->notes().begin(), placement_->notes().end());
    const std::string elsewhere = see_pages(run, share, part.used_bytes, sample);
    if (!elsewhere.empty()) spoil(elsewhere);
    std::erase_if(sample.node_bytes, [](const auto& node) { return node.first < 0; });  // on none
    if (!part.strayed.empty()) spoil(part.strayed);
    if (part.used_bytes < sample.asked.bytes / 2)
      spoil("the buffer was less than half of the requested size");
  }
  if (!visit.moved.empty()) spoil(visit.moved.front());
  if (stop_) {
    sample.stopped = "interrupted";
    spoil("interrupted");
  }
  if (sample.work.size() < least_repetitions) {
    spoil(fmt::format("{} of {} repetitions stalled (steal {:.0f} %)", sample.disturbed,
                      sample.disturbed + static_cast<int>(sample.work.size()), sample.steal_percent));
  }
  const machines::Cluster& cluster = machine_.clusters.at(static_cast<std::size_t>(sample.asked.cluster));
  if (!is_private(cluster, sample.asked) &&
      time_.spoilt_by(visit.disturbance, machines::core_count(machine_))) {
    spoil(fmt::format("other processes kept {:.1f} CPUs busy", visit.disturbance.others));
  }
  if (run.visit_seconds > 0 && sample.stopped.empty()) sample.stopped = "time";
  return sample;
}

}  // namespace gable::bench

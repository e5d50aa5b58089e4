#include "bench/memory/tier_visit.hpp"

#include <fmt/core.h>

#include <cmath>
#include <set>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "bench/plan/plan.hpp"
#include "bench/visit/utc.hpp"

namespace gable::bench {

namespace {

using model::Status;
using model::TierSample;

constexpr std::int64_t tier_slice_ns = 500'000;
constexpr double burst_seconds = 0.012;
constexpr int most_tier_bursts = 3;          // as long as too few repetitions are undisturbed
constexpr std::size_t pages_a_visit = 2048;  // checked per visit

}  // namespace

TierSample begun(const TierCell& cell, const TierToMeasure& tier, int round) {
  TierSample sample;
  sample.asked = cell.asked;
  sample.round = round;
  sample.kind = tier.tier.kind;
  if (cell.kernel != nullptr) sample.kernel = cell.kernel->name;
  if (is_load(cell.asked)) sample.vendor_gb_per_s = tier.vendor_load_gb_per_s;
  if (is_store(cell.asked)) sample.vendor_gb_per_s = tier.vendor_store_gb_per_s;
  sample.started = utc_now();
  return sample;
}

// Observations beside the figures.
struct TierBench::Seen {
  std::set<unsigned> cpus;
  std::string moved;      ///< a thread on a wrong CPU
  std::string misplaced;  ///< pages on wrong nodes
  std::string clock_note;
  std::vector<double> clocks;
  Disturbance disturbance;
};

TierBench::TierBench(const machines::Machine& machine, const machines::Host& host, Team& team,
                     const std::atomic<bool>& stop)
    : machine_(machine), time_(host), team_(team), stop_(stop) {}

void TierBench::run(const TierCell& cell, TierMemory& memory, TierSample& sample, Seen& seen) {
  const machines::Cluster& cluster = machine_.clusters.at(static_cast<std::size_t>(cell.asked.cluster));
  std::vector<Work> work;
  for (const unsigned cpu : pus_of(cluster, cell.asked.threads, cell.asked.smt)) {
    work.emplace_back().cpu = cpu;
    work.back().kernel = cell.kernel;
  }
  memory.lay(cell, work);
  watch_.begin();
  for (int burst = 0; burst < most_tier_bursts && sample.work.size() < least_repetitions && !stop_; ++burst) {
    std::vector<Timeline> timelines;
    const std::vector<Trace> traces = run_burst(team_, work, burst_seconds, stop_);
    for (std::size_t i = 0; i < traces.size(); ++i) {
      timelines.push_back(traces[i].timeline);
      seen.clocks.insert(seen.clocks.end(), {traces[i].clock_ghz_before, traces[i].clock_ghz_after});
      if (const std::string note = time_.clock_note(traces[i].clock_ghz_before, traces[i].clock_ghz_after);
          !note.empty())
        seen.clock_note = note;
      for (const unsigned cpu : traces[i].cpus_seen) {
        seen.cpus.insert(cpu);
        if (cpu != work[i].cpu)
          seen.moved = fmt::format("the thread of CPU {} ran on CPU {}", work[i].cpu, cpu);
      }
    }
    if (seen.misplaced.empty()) seen.misplaced = memory.region().misplaced(pages_a_visit);
    const Repetitions cut_out = time_.repetitions(std::move(timelines), tier_slice_ns);
    for (std::size_t r = 0; r < cut_out.disturbed.size(); ++r) {
      double done = 0;
      for (const std::vector<double>& thread : cut_out.work) done += thread[r];
      if (cut_out.disturbed[r] || done < 0.5) {
        ++sample.disturbed;
        continue;
      }
      sample.seconds.push_back(cut_out.seconds);
      sample.work.push_back(std::round(done));
    }
  }
  seen.disturbance = watch_.end(static_cast<int>(work.size()));
}

// The first fault is the reason.
void TierBench::judge(const Region& region, TierSample& sample, const Seen& seen) const {
  const auto spoil = [&](const std::string& reason) {
    if (sample.status != Status::ok || reason.empty()) return;
    sample.status = Status::invalid;
    sample.reason = reason;
  };
  for (const auto& [node, bytes] : region.residence(pages_a_visit)) {
    if (node >= 0) sample.node_bytes[node] = bytes;  // below 0: pages of a file on DAX are on no node
  }
  spoil(seen.misplaced);
  spoil(region.misplaced(pages_a_visit));
  spoil(seen.moved);
  if (stop_) spoil("interrupted");
  if (sample.work.size() < least_repetitions) {
    spoil(fmt::format("{} of {} repetitions stalled (steal {:.0f} %)", sample.disturbed,
                      sample.disturbed + static_cast<int>(sample.work.size()), sample.steal_percent));
  }
  if (time_.spoilt_by(seen.disturbance, machines::core_count(machine_)))
    spoil(fmt::format("other processes kept {:.1f} CPUs busy", seen.disturbance.others));
}

TierSample TierBench::visit(const TierCell& cell, const TierToMeasure& tier, TierMemory& memory, int round) {
  TierSample sample = begun(cell, tier, round);
  sample.how = memory.region().how();
  sample.persistent = memory.region().persistent();
  Seen seen;
  try {
    run(cell, memory, sample, seen);
  } catch (const Error& error) {
    sample.status = Status::skipped;
    sample.reason = error.what();
    return sample;
  }
  sample.cpus.assign(seen.cpus.begin(), seen.cpus.end());
  sample.clock_ghz = upper_median(seen.clocks);
  sample.steal_percent = seen.disturbance.steal_percent;
  sample.notes = time_.notes();
  for (const std::string& note : memory.region().notes()) sample.notes.push_back(note);
  if (!seen.clock_note.empty()) sample.notes.push_back(seen.clock_note);
  if (!watch_.sees())
    sample.notes.push_back("/proc/stat cannot be read: steal and other processes are not monitored");
  judge(memory.region(), sample, seen);
  return sample;
}

}  // namespace gable::bench

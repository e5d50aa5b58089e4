#include "bench/apps/place.hpp"

#include <optional>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/numbers.hpp"
#include "bench/tiers/tier.hpp"
#include "bench/visit/utc.hpp"
#include "bench/visit/watch.hpp"

namespace gable::bench {

namespace {

using model::Placed;
using model::Status;

constexpr double watched_seconds = 0.2;  // shorter times are unreliable: the kernel counts in ticks of 10 ms

// Memory of all parts, and its entries in the record.
class Laid {
 public:
  Laid(const std::vector<Part>& parts, const std::vector<const Tier*>& tiers, Placed& placed) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      regions_.push_back(tiers[i]->take(parts[i].bytes));
      placed.parts[i].how = regions_[i]->how();
      for (const model::Note& note : regions_[i]->notes()) add_once(placed.notes, note);
    }
  }

  std::vector<std::span<std::byte>> memory() const {
    return each_of(regions_, [](const auto& region) { return region->bytes(); });
  }

  // Records where the memory lies; returns why that is wrong, or an empty text.
  model::Note look_up(Placed& placed) const {
    model::Note fault;
    for (std::size_t i = 0; i < regions_.size(); ++i) {
      placed.parts[i].node_bytes.clear();
      for (const auto& [node, bytes] : regions_[i]->residence()) {
        if (node >= 0)
          placed.parts[i].node_bytes[node] = bytes;  // below 0: pages of a file on DAX are on no node
      }
      const model::Note misplaced = regions_[i]->misplaced();
      if (!misplaced.empty() && fault.empty())
        fault = {model::NoteCode::part_misplaced, {placed.parts[i].name, sentence(misplaced)}};
    }
    return fault;
  }

 private:
  std::vector<std::unique_ptr<Region>> regions_;
};

// Whether other processes kept the CPUs busy during a run. Short runs are judged together with those right
// before them, but not with the time between workloads, and less than 0.2 s is not judged (see bench::Watch).
class RunWatch {
 public:
  explicit RunWatch(int threads) : threads_(threads) {}

  void begin() {
    if (readings_.empty() || cpu_times().wall - readings_.back().wall > 2 * watched_seconds)
      readings_.clear();
    readings_.push_back(cpu_times());
  }

  bool disturbed() {
    const CpuTimes now = cpu_times();
    while (readings_.size() > 1 && readings_[1].wall <= now.wall - watched_seconds)
      readings_.erase(readings_.begin());
    const Disturbance found = disturbance_between(readings_.front(), now, threads_);
    return now.wall - readings_.front().wall >= watched_seconds && found.others > tolerated_others(now.cpus);
  }

 private:
  int threads_;
  std::vector<CpuTimes> readings_;
};

// Tries every way and selects the fastest. A disturbed trial is repeated a few times.
void tune(Workload& workload, Crew& crew, Placed& placed, const std::atomic<bool>& stop) {
  constexpr int most_tries = 3;
  RunWatch watch(static_cast<int>(crew.threads()));
  double least = 0;
  std::optional<std::size_t> best;
  bool disturbed = false;
  for (std::size_t way = 0; way < workload.ways(); ++way) {
    std::optional<WorkloadRun> run;
    bool spoilt = true;
    for (int tries = 0; spoilt && tries < most_tries && !stop; ++tries) {
      watch.begin();
      run = workload.try_way(way, crew);
      spoilt = watch.disturbed();
    }
    if (!run) continue;
    disturbed = disturbed || spoilt;
    placed.ways[run->how] = run->edges / run->seconds;
    if (best && run->seconds >= least) continue;
    least = run->seconds;
    best = way;
  }
  if (workload.ways() > 0) workload.take_way(best.value_or(0));  // if all are wrong, the runs report it
  if (disturbed) placed.notes.emplace_back(model::NoteCode::disturbed_tuning);
}

// Disturbed runs are dropped, up to the number of requested runs.
class Runs {
 public:
  Runs(Workload& workload, Crew& crew, int wanted)
      : workload_(workload), crew_(crew), wanted_(wanted), watch_(static_cast<int>(crew.threads())) {}

  // Why the runs give no figure; empty if they do.
  model::Note make(Placed& placed, const std::function<void()>& after_run, const std::atomic<bool>& stop) {
    for (int number = 0; number < wanted_;) {
      if (stop) return model::NoteCode::interrupted;
      watch_.begin();
      const WorkloadRun run = workload_.run(number, crew_);
      const bool disturbed = watch_.disturbed();
      const RunWork work = workload_.work();
      placed.flops = work.flops, placed.load_bytes = work.load_bytes, placed.store_bytes = work.store_bytes;
      placed.how = run.how;
      const Verdict verdict = workload_.verify();
      placed.verified = verdict.method;
      if (!verdict.fault.empty())
        return {model::NoteCode::wrong_run, {double(number), verdict.fault, verdict.method}};
      after_run();
      if (disturbed) {
        if (++placed.disturbed > wanted_)
          return {model::NoteCode::disturbed_runs, {double(placed.disturbed)}};
        continue;
      }
      placed.seconds.push_back(run.seconds);
      placed.traversed.push_back(run.edges);
      ++number;
    }
    return {};
  }

 private:
  Workload& workload_;
  Crew& crew_;
  int wanted_;
  RunWatch watch_;
};

// A note on the figures if all parts fit in the last-level caches; else empty.
model::Note held_by_caches(const std::vector<Part>& parts, std::uint64_t cache_bytes) {
  std::uint64_t all = 0;
  for (const Part& part : parts) all += part.bytes;
  if (cache_bytes == 0 || all > cache_bytes) return {};
  return {model::NoteCode::mostly_of_cache, {double(all / KiB * KiB), double(cache_bytes)}};
}

}  // namespace

std::vector<std::vector<std::size_t>> placements(std::size_t tiers, std::size_t parts) {
  std::vector<std::vector<std::size_t>> all = {{}};
  for (std::size_t part = 0; part < parts; ++part) {
    std::vector<std::vector<std::size_t>> longer;
    for (const auto& begin : all) {
      for (std::size_t tier = 0; tier < tiers; ++tier) {
        longer.push_back(begin);
        longer.back().push_back(tier);
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::string too_small(const std::vector<Part>& parts, const std::vector<const Tier*>& tiers) {
  std::vector<Wanted> wanted;
  for (std::size_t i = 0; i < parts.size(); ++i) wanted.emplace_back(tiers[i], parts[i].bytes);
  return no_room(wanted);
}

Placed place(Workload& workload, const Graph& graph, const std::string& variant,
             const std::vector<const Tier*>& tiers, const PlaceOptions& options, Crew& crew,
             const std::function<void()>& after_run, const std::atomic<bool>& stop) {
  const std::vector<Part> parts = workload.parts(variant, crew.threads());
  Placed placed;
  placed.workload = workload.name();
  placed.variant = variant;
  placed.ranks = workload.ranks(variant);
  placed.graph = options.graph;
  placed.vertices = graph.vertices();
  placed.edges = graph.edges;
  placed.cluster = options.cluster;
  placed.threads = static_cast<int>(crew.threads());
  placed.smt = options.smt;
  placed.started = utc_now();
  for (std::size_t i = 0; i < parts.size(); ++i)
    placed.parts.push_back({parts[i].name, tiers[i]->name, tiers[i]->kind, "", parts[i].bytes, {}});
  const auto end = [&](Status status, const model::Note& reason) {
    placed.status = status;
    placed.reason = reason;
    return placed;
  };
  if (!options.skip.empty()) return end(Status::skipped, options.skip);
  if (const std::string why = too_small(parts, tiers); !why.empty())
    return end(Status::skipped, model::Note(why));
  try {
    const Laid laid(parts, tiers, placed);
    workload.lay(variant, laid.memory(), crew);
    if (const model::Note held = held_by_caches(parts, options.cache_bytes); !held.empty())
      placed.notes.push_back(held);
    if (const model::Note fault = laid.look_up(placed); !fault.empty()) return end(Status::invalid, fault);
    tune(workload, crew, placed, stop);
    const model::Note spoilt = Runs(workload, crew, options.runs).make(placed, after_run, stop);
    const model::Note moved = laid.look_up(placed);
    if (!spoilt.empty() || !moved.empty()) return end(Status::invalid, spoilt.empty() ? moved : spoilt);
  } catch (const Error& error) {
    if (error.kind != Error::Kind::unavailable) throw;
    return end(Status::skipped, model::Note(error.what()));
  }
  return placed;
}

}  // namespace gable::bench

#include "bench/memory/tier_campaign.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/numbers.hpp"
#include "bench/buffers/chase.hpp"
#include "bench/buffers/streams.hpp"
#include "bench/plan/plan.hpp"

namespace gable::bench {

namespace {

using model::Status;
using model::TierSample;

constexpr std::int64_t tier_slice_ns = 500'000;
constexpr double burst_seconds = 0.012;
constexpr int most_tier_bursts = 3;                 // as long as too few repetitions are undisturbed
constexpr std::size_t pages_a_visit = 2048;         // checked per visit
constexpr std::uint64_t written_at_once = 4 << 20;  // bytes between two checks for a requested stop

// The median visit so far for each of the others; nothing until most visits did not have to prepare memory.
std::optional<double> seconds_for(std::size_t visits, const std::vector<double>& durations,
                                  std::size_t tiers) {
  if (durations.size() <= 4 * tiers) return {};
  return upper_median(durations) * static_cast<double>(visits);
}

// A cell of the tier with the number `tier`.
struct NumberedCell {
  std::size_t tier;
  TierCell cell;
};

using TierVisit = RoundVisit<NumberedCell>;

// The cells of all tiers in one list, in which the tiers alternate.
std::vector<NumberedCell> alternating(const std::vector<std::vector<TierCell>>& cells) {
  std::vector<NumberedCell> all;
  for (std::size_t c = 0; c < cells.front().size(); ++c) {
    for (std::size_t t = 0; t < cells.size(); ++t) all.push_back({t, cells[t][c]});
  }
  return all;
}

// The record of a visit before anything is done.
TierSample begun_on(const TierCell& cell, const TierToMeasure& tier, int round) {
  TierSample sample = begun<TierSample>(cell.spec, round);
  sample.kind = tier.tier.kind;
  if (cell.kernel != nullptr) sample.kernel = cell.kernel->name;
  if (is_load(cell.spec)) sample.vendor_gb_per_s = tier.vendor_load_gb_per_s;
  if (is_store(cell.spec)) sample.vendor_gb_per_s = tier.vendor_store_gb_per_s;
  return sample;
}

// Visits cells of all tiers. The memory of a tier is taken at its first visit and kept.
class TiersBench {
 public:
  TiersBench(const machines::Machine& machine, const machines::Host& host, const machines::Cluster& cluster,
             const std::vector<TierToMeasure>& tiers, const std::vector<std::vector<TierCell>>& cells,
             const std::atomic<bool>& stop)
      : tiers_(tiers),
        cells_(cells),
        cpus_(pus_of(cluster, 0, false)),
        stop_(stop),
        bench_(machine, host, team_, stop),
        memories_(tiers.size()),
        refused_(tiers.size()) {}

  // A disturbed visit is repeated once. A cell that cannot be measured has a Sample in the first round only.
  std::vector<TierSample> visit(const TierVisit& visit) {
    const auto& [t, cell] = *visit.cell;
    TierMemory* const memory = cell.kernel == nullptr ? nullptr : memory_of(t);
    if (memory == nullptr) {
      if (visit.round > 0) return {};
      TierSample sample = begun_on(cell, tiers_[t], 0);
      skip(sample, cell.skip.empty() ? refused_[t] : cell.skip);
      return {sample};
    }
    TierSample sample = bench_.visit(cell, tiers_[t], *memory, visit.round);
    if (sample.status == Status::invalid && !stop_)
      sample = bench_.visit(cell, tiers_[t], *memory, visit.round);
    return {sample};
  }

 private:
  // nullptr if it is not available; the reason is in refused_.
  TierMemory* memory_of(std::size_t t) {
    if (memories_[t] || !refused_[t].empty()) return memories_[t].get();
    refused_[t] = why_not_measured([&] {
      memories_[t] = std::make_unique<TierMemory>(tiers_[t].tier, tier_bytes(cells_[t]), team_, cpus_, stop_);
    });
    return memories_[t].get();
  }

  const std::vector<TierToMeasure>& tiers_;
  const std::vector<std::vector<TierCell>>& cells_;
  const std::vector<unsigned> cpus_;
  const std::atomic<bool>& stop_;
  Team team_;
  TierBench bench_;
  std::vector<std::unique_ptr<TierMemory>> memories_;
  std::vector<model::Note> refused_;
};

}  // namespace

TierMemory::TierMemory(const Tier& tier, std::uint64_t bytes, Team& team, std::vector<unsigned> cpus,
                       const std::atomic<bool>& stop)
    : tier_(tier), team_(team), cpus_(std::move(cpus)), stop_(stop), region_(tier_.take(bytes)) {
  fill();
}

// All threads write numbers that are not denormal.
void TierMemory::fill() {
  const std::span<std::byte> bytes = region_->bytes();
  std::atomic<std::uint64_t> next{0};
  team_.run(cpus_, [&](std::size_t) {
    for (std::uint64_t at = next.fetch_add(written_at_once); at < bytes.size() && !stop_;
         at = next.fetch_add(written_at_once)) {
      const std::uint64_t count = std::min<std::uint64_t>(written_at_once, bytes.size() - at);
      std::fill_n(reinterpret_cast<double*>(bytes.data() + at), count / sizeof(double), 1.0);
    }
  });
  linked_ = 0;
}

void TierMemory::lay(const TierCell& cell, std::vector<Work>& work) {
  std::byte* const memory = region_->bytes().data();
  if (cell.kernel->kind == kernels::Kind::chase) {
    linked_ = cell.spec.bytes;
    const std::uint64_t lines = build_chase(memory, cell.spec.bytes);
    Work& one = work.front();
    start_chase(*cell.kernel, memory, lines, one.arguments);
    one.per_iteration = cell.kernel->load_bytes / 8.0;
    return;
  }
  if (linked_ > 0) fill();  // addresses read as numbers are denormal and slow
  const std::uint64_t share = tier_share(cell.spec.bytes, cell.spec.threads);
  for (std::size_t t = 0; t < work.size(); ++t) {
    kernels::Arguments& arguments = work[t].arguments;
    std::byte* const own = memory + t * share;
    if (cell.spec.access_bytes > 0) {
      arguments.load[0] = arguments.store = own;
      arguments.iterations_per_pass = share / cell.spec.access_bytes;
      if (cell.spec.order == "random")
        arguments.order = kernels::scattered_order(arguments.iterations_per_pass);
    } else {
      lay_streams(*cell.kernel, own, share - stream_slack, arguments);
    }
    // Threads start at different offsets in their shares, which would otherwise be powers of two apart.
    arguments.position = arguments.iterations_per_pass * t / work.size();
    arguments.scalar = 1.0;
    work[t].per_iteration = cell.kernel->load_bytes + cell.kernel->store_bytes;
  }
}

TierBench::TierBench(const machines::Machine& machine, const machines::Host& host, Team& team,
                     const std::atomic<bool>& stop)
    : machine_(machine), time_(host), team_(team), stop_(stop) {}

void TierBench::run(const TierCell& cell, TierMemory& memory, TierSample& sample, Seen& seen,
                    model::Note& misplaced) {
  const machines::Cluster& cluster = machine_.clusters.at(static_cast<std::size_t>(cell.spec.cluster));
  std::vector<Work> work;
  for (const unsigned cpu : pus_of(cluster, cell.spec.threads, cell.spec.smt)) {
    work.emplace_back().cpu = cpu;
    work.back().kernel = cell.kernel;
  }
  memory.lay(cell, work);
  watch_.begin();
  for (int burst = 0; burst < most_tier_bursts && sample.work.size() < least_repetitions && !stop_; ++burst) {
    std::vector<Timeline> timelines = seen.take(run_burst(team_, work, burst_seconds, stop_), work, time_);
    if (misplaced.empty()) misplaced = memory.region().misplaced(pages_a_visit);
    keep(time_.repetitions(std::move(timelines), tier_slice_ns), sample);
  }
  seen.disturbance = watch_.end(static_cast<int>(work.size()));
}

TierSample TierBench::visit(const TierCell& cell, const TierToMeasure& tier, TierMemory& memory, int round) {
  TierSample sample = begun_on(cell, tier, round);
  const Region& region = memory.region();
  sample.how = region.how();
  sample.persistent = region.persistent();
  Seen seen;
  model::Note misplaced;  // between bursts
  if (const model::Note why = why_not_measured([&] { run(cell, memory, sample, seen, misplaced); });
      !why.empty()) {
    skip(sample, why);
    return sample;
  }
  std::set<unsigned> cpus;
  for (const std::set<unsigned>& of_thread : seen.cpus) cpus.insert(of_thread.begin(), of_thread.end());
  sample.cpus.assign(cpus.begin(), cpus.end());
  describe(seen, time_, watch_, sample);
  sample.notes.insert(sample.notes.end(), region.notes().begin(), region.notes().end());
  for (const auto& [node, bytes] : region.residence(pages_a_visit)) {
    if (node >= 0) sample.node_bytes[node] = bytes;  // below 0: pages of a file on DAX are on no node
  }
  spoil(sample, misplaced);
  spoil(sample, region.misplaced(pages_a_visit));
  judge(seen, time_, stop_, true, machines::core_count(machine_), sample);
  return sample;
}

std::string too_small(const std::vector<TierToMeasure>& tiers, std::uint64_t bytes) {
  std::vector<Wanted> wanted;
  for (const TierToMeasure& each : tiers) wanted.emplace_back(&each.tier, bytes);
  return no_room(wanted);
}

void run_tiers(const machines::Machine& machine, const machines::Host& host,
               const std::vector<TierToMeasure>& tiers, const TierOptions& options, const Visited& done,
               const TierHooks& hooks, const std::atomic<bool>& stop) {
  const machines::Cluster& cluster = machine.clusters.at(static_cast<std::size_t>(options.cluster));
  std::vector<std::vector<TierCell>> cells;
  for (const TierToMeasure& each : tiers)
    cells.push_back(tier_cells(each.tier.name, cluster, options, kernels::cpu_features()));
  const std::vector<NumberedCell> all = alternating(cells);
  const auto visits = open_rounds(
      all, done, [&](const NumberedCell& each) { return each.cell.kernel == nullptr ? 1 : options.runs; },
      [](const NumberedCell& each) { return model::key(each.cell.spec); });
  TiersBench bench(machine, host, cluster, tiers, cells, stop);
  std::vector<double> durations;
  const auto left = [&](std::size_t made, double, double took) {
    durations.push_back(took);
    return seconds_for(visits.size() - made, durations, tiers.size());
  };
  visit_rounds(
      visits, 0, hooks, stop, [&](std::size_t at, std::size_t&) { return bench.visit(visits[at]); }, left);
}

}  // namespace gable::bench

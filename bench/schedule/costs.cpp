#include "bench/schedule/costs.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "bench/buffers/page_mix.hpp"
#include "bench/plan/node_room.hpp"
#include "bench/schedule/open_visits.hpp"
#include "bench/schedule/regions.hpp"
#include "kernels/kernel.hpp"

namespace gable::bench {

namespace {

constexpr double thread_touches = 1.5e9, node_touches = 20e9;  // bytes per second
constexpr double thread_links = 6e9;
constexpr double thread_sweeps = 8e9;
constexpr double passes = 10e9;  // bytes per second, of a first pass
constexpr double overhead_seconds = 0.004;
constexpr double page_check_seconds = 200e-9;  // of each small page of a split

double parallel(std::uint64_t bytes, double each, int hands) {
  return static_cast<double>(bytes) / std::min(each * std::max(1, hands), node_touches);
}

}  // namespace

// A kernel touches as many regions as it has streams; those of the last placement are kept.
std::uint64_t Costs::fresh_of_split(const Run& run, std::size_t share) {
  if (std::string name = placement(run); split_ != name) {
    split_ = std::move(name);
    split_touched_.assign(run.shares.size(), 0);
  }
  const model::Case& spec = run.cases[share];
  const kernels::Kernel* kernel = kernels::named(spec.kernel);
  const auto streams = kernel == nullptr ? 0 : std::ranges::count_if(kernel->stream_bytes, std::identity());
  const std::uint64_t bytes = region_bytes(spec.bytes, page_unit(spec.pages), static_cast<int>(streams));
  std::uint64_t& touched = split_touched_[share];
  const std::uint64_t before = std::exchange(touched, std::max(bytes, touched));
  return (touched - before) * static_cast<std::uint64_t>(spec.threads);
}

Cost Costs::next(const Run& run) {
  Cost cost = {run.visit_seconds + overhead_seconds, 0};
  double shared = 0;  // on one node: the sum of all shares
  std::vector<Names>& names = names_[&run];
  for (std::size_t i = names.size(); i < run.shares.size(); ++i)
    names.push_back({region_name(run, i), chase_name(run, i)});
  for (std::size_t i = 0; i < run.shares.size(); ++i) {
    const Share& share = run.shares[i];
    const MemoryNeed need = need_of(run, i);
    std::uint64_t fresh = 0;
    const auto touch = [&](const std::string& region, std::uint64_t bytes) {
      std::uint64_t& known = touched_[region];
      if (bytes > known) fresh += bytes - std::exchange(known, bytes);
    };
    double set_up = 0;
    if (share.node_percent >= 0) {
      fresh = fresh_of_split(run, i);
      set_up += page_check_seconds * static_cast<double>(fresh) / 4096 / std::max(1, share.hands);
    } else {
      touch(names[i].streams, need.streams);
      if (const auto linked = linked_.find(names[i].streams); need.streams > 0 && linked != linked_.end()) {
        set_up += parallel(linked->second, thread_sweeps, share.hands);
        linked_.erase(linked);
      }
    }
    if (need.chase > 0) {
      touch(names[i].chase, need.chase);
      if (std::exchange(linked_[names[i].chase], need.chase) != need.chase)
        set_up += parallel(need.chase, thread_links, share.hands);
      if (need.chase <= run.swept_bytes) set_up += 2 * static_cast<double>(need.chase) / thread_sweeps;
    }
    set_up += parallel(fresh, thread_touches, share.hands);
    shared += static_cast<double>(fresh) / node_touches;
    cost.set_up = std::max(cost.set_up, set_up);
  }
  cost.set_up = std::max(cost.set_up, shared);
  if (run.first_pass)  // the clusters at the same time
    cost.set_up += static_cast<double>(run.cases.front().bytes) * run.cases.front().threads / passes;
  if (run.at_once && compared_.insert(&run).second) cost.visit *= 2;
  return cost;
}

void set_costs(Plan& plan) {
  std::map<const Run*, double> seconds;
  Costs costs;
  for (const OpenVisit& visit : open_visits(plan, {})) {
    if (!visit.run->skip.empty()) continue;
    const Cost cost = costs.next(*visit.run);
    plan.seconds += cost.total();
    plan.set_up_seconds += cost.set_up;
    seconds[visit.run] += cost.total();
  }
  for (Run& run : plan.runs) run.seconds = seconds[&run] / std::max(1, run.rounds);
}

}  // namespace gable::bench

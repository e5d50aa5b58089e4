#include "bench/threads/core_width.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace gable::bench {

namespace {

constexpr double least = 0.1, step = 1.01;
constexpr std::size_t steps = 500;   // up to 14 additions per cycle
constexpr std::ptrdiff_t alike = 5;  // steps: probes of cores that are not shared differ by 2 %
constexpr std::uint64_t one_in = 100;

}  // namespace

void CoreWidth::saw(int cluster, double adds_per_cycle) {
  if (adds_per_cycle <= least) return;
  Probes& probes = probes_[cluster];
  probes.steps.resize(steps);
  const auto at = static_cast<std::size_t>(std::log(adds_per_cycle / least) / std::log(step));
  ++probes.steps[std::min(at, steps - 1)];
  ++probes.all;
}

double CoreWidth::most(int cluster) const {
  const auto found = probes_.find(cluster);
  if (found == probes_.end()) return 0;
  const auto& [all, counts] = found->second;
  const std::uint64_t enough = std::max<std::uint64_t>(std::min<std::uint64_t>(2, all), all / one_in);
  for (auto end = counts.end(); end - counts.begin() >= alike; --end) {
    if (std::accumulate(end - alike, end, std::uint64_t{0}) < enough) continue;
    const auto often = std::max_element(end - alike, end);
    return least * std::pow(step, static_cast<double>(often - counts.begin()) + 0.5);
  }
  return 0;
}

}  // namespace gable::bench

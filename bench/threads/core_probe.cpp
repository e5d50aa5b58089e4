#include "bench/threads/core_probe.hpp"

#include <time.h>
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

constexpr int clock_probes = 3;
constexpr std::uint64_t clock_probe_additions = 40'000;
constexpr double probe_ns = 500;  // of each of the two kernels, on a core that does three additions per ns
constexpr double longer_than_step = 100;  // so that the steps of the system's clock change a probe by 2 %
constexpr double additions_per_ns = 3;

const kernels::Kernel& general(const char* op) {
  return *kernels::find(op, kernels::general_isa);
}

// The shortest time between two readings of the system's clock.
double clock_step_ns() {
  std::int64_t least = longest_probe_ns;
  for (int i = 0; i < 20; ++i) {
    const std::int64_t begin = now_ns();
    std::int64_t end = begin;
    while (end == begin) end = now_ns();
    least = std::min(least, end - begin);
  }
  return static_cast<double>(least);
}

std::uint64_t probe_additions() {
  static const double ns =
      std::min(std::max(probe_ns, longer_than_step * clock_step_ns()), longest_probe_ns / 4.0);
  return static_cast<std::uint64_t>(ns * additions_per_ns);
}

// The seconds of one addition.
double run_additions(const kernels::Kernel& kernel, kernels::Arguments& arguments, std::uint64_t additions) {
  const std::uint64_t iterations = std::max<std::uint64_t>(1, additions / kernel.additions);
  return run_for(kernel, arguments, iterations) / static_cast<double>(iterations * kernel.additions);
}

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

std::int64_t now_ns() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}

double run_for(const kernels::Kernel& kernel, kernels::Arguments& arguments, std::uint64_t iterations) {
  arguments.iterations = iterations;
  const std::int64_t begin = now_ns();
  kernel.code(&arguments);
  return static_cast<double>(std::max<std::int64_t>(1, now_ns() - begin));
}

double measure_clock_ghz() {
  kernels::Arguments arguments;
  double best = 0;
  for (int i = 0; i < clock_probes; ++i)
    best = std::max(best, 1 / run_additions(general("clock"), arguments, clock_probe_additions));
  return best;
}

CoreProbe::CoreProbe() : clock_(general("clock")), adds_(general("adds")) {}

double CoreProbe::adds_per_cycle() {
  constexpr std::uint64_t longer_than_any_window = 2000;  // loads of the measured loop have ended then
  run_additions(clock_, arguments_, longer_than_any_window);
  constexpr std::uint64_t a_few = 200;  // the measured loop may have evicted the code
  run_additions(adds_, arguments_, a_few);
  const std::uint64_t additions = probe_additions();
  const double cycle_ns = run_additions(clock_, arguments_, additions);
  constexpr std::uint64_t expected_per_cycle = 4;  // so that both kernels take about equally long
  return cycle_ns / run_additions(adds_, arguments_, expected_per_cycle * additions);
}

}  // namespace gable::bench

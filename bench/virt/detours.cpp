#include "bench/virt/detours.hpp"

#include <fmt/core.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include "base/clocks.hpp"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace gable::bench {

namespace {

struct Gap {
  std::uint64_t before, after;  // readings of the clock
};

// The cheapest clock that counts evenly.
inline std::uint64_t clock_ticks() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
#endif
}

// Ticks a second, from a pause that is long enough for the purpose.
double ticks_per_second() {
  constexpr double pause = 0.005;
  const double begin = monotonic_seconds();
  const std::uint64_t first = clock_ticks();
  while (monotonic_seconds() < begin + pause) {
  }
  const std::uint64_t last = clock_ticks();
  return static_cast<double>(last - first) / (monotonic_seconds() - begin);
}

// The shortest pass, of many.
std::uint64_t shortest_pass() {
  constexpr int passes = 20'000;
  std::uint64_t shortest = std::numeric_limits<std::uint64_t>::max(), before = clock_ticks();
  for (int i = 0; i < passes; ++i) {
    const std::uint64_t now = clock_ticks();
    if (now > before) shortest = std::min(shortest, now - before);
    before = now;
  }
  return shortest;
}

}  // namespace

DetourRecord record_detours(double seconds, double threshold, const std::atomic<bool>& stop) {
  constexpr double least_us = 0.15;
  const double first_rate = ticks_per_second();
  const std::uint64_t pass = shortest_pass();
  const auto limit = static_cast<std::uint64_t>(
      std::max(threshold * static_cast<double>(pass), least_us * 1e-6 * first_rate));
  std::vector<Gap> gaps;
  gaps.reserve(most_detours);
  const double begin_seconds = monotonic_seconds();
  const std::uint64_t begin = clock_ticks();
  const auto end = begin + static_cast<std::uint64_t>(seconds * first_rate);
  std::uint64_t before = begin, now = begin, passes = 0;
  while (now < end && gaps.size() < most_detours) {
    now = clock_ticks();
    if (now - before > limit) {
      gaps.push_back({before, now});
      if (stop.load(std::memory_order_relaxed)) break;
      now = clock_ticks();  // what the bookkeeping took is no detour
    }
    before = now;
    ++passes;
  }
  // The rate over the whole record is the most exact one.
  const double rate = static_cast<double>(clock_ticks() - begin) / (monotonic_seconds() - begin_seconds);
  DetourRecord record;
  record.seconds = static_cast<double>(now - begin) / rate;
  record.passes = std::max<std::uint64_t>(1, passes);
  record.pass_ns = static_cast<double>(pass) / rate * 1e9;
  record.threshold_us = static_cast<double>(limit) / rate * 1e6;
  for (const Gap& gap : gaps)
    record.detours.push_back({static_cast<double>(gap.before - begin) / rate * 1e6,
                              static_cast<double>(gap.after - gap.before - pass) / rate * 1e6});
  return record;
}

std::map<std::string, double> interrupts_of(unsigned cpu) {
  std::ifstream file("/proc/interrupts");
  std::string line, word;
  std::getline(file, line);
  std::istringstream header(line);
  std::size_t column = 0, columns = 0;
  bool known = false;
  for (; header >> word; ++columns) {
    if (word != fmt::format("CPU{}", cpu)) continue;
    column = columns;
    known = true;
  }
  std::map<std::string, double> counts;
  while (known && std::getline(file, line)) {
    std::istringstream in(line);
    std::string name, text;
    in >> name;
    double count = 0;
    for (std::size_t i = 0; i < columns; ++i) {
      double value = 0;
      if (!(in >> value)) break;
      if (i == column) count = value;
    }
    in.clear();
    while (in >> word) text += " " + word;
    if (!name.empty() && name.back() == ':') name.pop_back();
    // "TLB: ... TLB shootdowns" has its name twice.
    if (count > 0) counts[text.starts_with(" " + name + " ") ? text.substr(1) : name + text] += count;
  }
  return counts;
}

double stolen_seconds(unsigned cpu) {
  std::ifstream file("/proc/stat");
  const std::string wanted = fmt::format("cpu{} ", cpu);
  for (std::string line; std::getline(file, line) && line.starts_with("cpu");) {
    if (!line.starts_with(wanted)) continue;
    std::istringstream in(line.substr(wanted.size()));
    double value = 0;
    for (int field = 0; field < 8; ++field) in >> value;  // user nice system idle iowait irq softirq steal
    return value / static_cast<double>(sysconf(_SC_CLK_TCK));
  }
  return 0;
}

}  // namespace gable::bench

#include "kmaf/live/samplers/store_counter.hpp"

#include <linux/perf_event.h>

#include <array>
#include <cerrno>
#include <cmath>

#include "base/error.hpp"
#include "machines/files.hpp"

namespace gable::kmaf::live {

namespace {

constexpr double tolerance = 0.2;

perf_event_attr attributes(const CountedEvent& event) {
  perf_event_attr attr = {};
  attr.type = event.type;
  attr.config = event.config;
  return attr;
}

// 0 if the event counts the work right, otherwise an errno.
int error_of(CountedEvent event, const KnownWork& work) {
  try {
    PerfCounters counter({attributes(event)}, PerfCounters::Whom::this_thread);
    counter.start();
    work.run();
    const double counted = counter.read().front().count;
    return std::abs(counted - work.events) <= tolerance * work.events ? 0 : ERANGE;
  } catch (const std::system_error& error) {
    return error.code().value();
  }
}

}  // namespace

std::vector<CountedEvent> store_events() {
  std::vector<CountedEvent> events = {{PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_L1D |
                                                               PERF_COUNT_HW_CACHE_OP_WRITE << 8 |
                                                               PERF_COUNT_HW_CACHE_RESULT_ACCESS << 16}};
  const std::string vendor = machines::read_field("/proc/cpuinfo", "vendor_id", ':');
  if (vendor == "AuthenticAMD" || vendor == "HygonGenuine") events.push_back({PERF_TYPE_RAW, 0x0629});
  return events;
}

KnownWork known_stores() {
  constexpr int rounds = 62500;
  const auto run = [] {
    std::array<volatile int, 16> cells;
    for (int round = 0; round < rounds; ++round) {
      for (volatile int& cell : cells) cell = round;
    }
  };
  return {run, 16.0 * rounds};
}

FoundEvent find_event(const std::vector<CountedEvent>& tried, const KnownWork& work) {
  FoundEvent found;
  for (const CountedEvent& event : tried) {
    const int error = error_of(event, work);
    if (error == 0) return {event, 0};
    if (found.error == 0) found.error = error;
  }
  return found;
}

StoreCounter::StoreCounter(pid_t program, CountedEvent event)
    : counters_({attributes(event)}, PerfCounters::Whom::from_exec, program) {}

std::optional<double> StoreCounter::count() const {
  const PerfReading reading = counters_.read().front();
  if (reading.share_counted > 0) return reading.count;
  return {};
}

}  // namespace gable::kmaf::live

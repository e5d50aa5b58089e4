#include "base/perf/counters.hpp"

#include <sys/ioctl.h>

#include <cstdint>
#include <utility>

#include "base/perf/ring.hpp"

namespace gable {

PerfCounters::PerfCounters(const std::vector<perf_event_attr>& events, Whom whom, pid_t process) {
  for (perf_event_attr attributes : events) {
    attributes.size = sizeof attributes;
    attributes.disabled = 1;
    attributes.exclude_kernel = attributes.exclude_hv = 1;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    attributes.inherit = attributes.enable_on_exec = whom == Whom::from_exec;
    constexpr int any_cpu = -1;
    Descriptor counter(open_perf_event(attributes, process, any_cpu));
    if (!counter) fail("perf_event_open");
    counters_.push_back(std::move(counter));
  }
}

void PerfCounters::start() {
  for (const Descriptor& counter : counters_) {
    ioctl(counter.get(), PERF_EVENT_IOC_RESET, 0);
    ioctl(counter.get(), PERF_EVENT_IOC_ENABLE, 0);
  }
}

std::vector<PerfReading> PerfCounters::read() const {
  std::vector<PerfReading> readings;
  for (const Descriptor& counter : counters_) {
    std::uint64_t values[3] = {};  // count, time enabled, time running
    if (::read(counter.get(), values, sizeof values) != static_cast<ssize_t>(sizeof values))
      fail("reading a counter");
    PerfReading reading{static_cast<double>(values[0]), 0};  // never enabled, so nothing was counted
    if (values[1] > 0)
      reading.share_counted = static_cast<double>(values[2]) / static_cast<double>(values[1]);
    if (reading.share_counted > 0) reading.count /= reading.share_counted;
    readings.push_back(reading);
  }
  return readings;
}

}  // namespace gable

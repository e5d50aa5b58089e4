#include "kmaf/live/samplers/store_counter.hpp"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>

#include "base/error.hpp"
#include "machines/files.hpp"

namespace gable::kmaf::live {

namespace {

constexpr double tolerance = 0.2;

int open_counter(pid_t pid, CountedEvent event, bool from_exec) {
  perf_event_attr attr = {};
  attr.size = sizeof attr;
  attr.type = event.type;
  attr.config = event.config;
  attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  attr.disabled = attr.inherit = 1;
  attr.enable_on_exec = from_exec ? 1 : 0;
  attr.exclude_kernel = attr.exclude_hv = 1;
  return static_cast<int>(syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

std::optional<double> count_of(const Descriptor& counter) {
  std::array<std::uint64_t, 3> value_enabled_running = {};
  if (::read(counter.get(), value_enabled_running.data(), sizeof value_enabled_running) !=
      sizeof value_enabled_running)
    return {};
  const auto [value, enabled, running] = value_enabled_running;
  if (running == 0) return {};
  return static_cast<double>(value) * static_cast<double>(enabled) / static_cast<double>(running);
}

// 0 if the event counts the work right, otherwise an errno.
int error_of(CountedEvent event, const KnownWork& work) {
  const Descriptor counter(open_counter(0, event, false));
  if (counter.get() < 0) return errno;
  ioctl(counter.get(), PERF_EVENT_IOC_ENABLE, 0);
  work.run();
  ioctl(counter.get(), PERF_EVENT_IOC_DISABLE, 0);
  const double counted = count_of(counter).value_or(0);
  return std::abs(counted - work.events) <= tolerance * work.events ? 0 : ERANGE;
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

StoreCounter::StoreCounter(pid_t program, CountedEvent event) : event_(open_counter(program, event, true)) {
  if (event_.get() < 0) fail("perf_event_open");
}

std::optional<double> StoreCounter::count() const {
  return count_of(event_);
}

}  // namespace gable::kmaf::live

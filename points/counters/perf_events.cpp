#include "points/counters/perf_events.hpp"

#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace gable::points {

PerfEvents::PerfEvents(const std::vector<perf_event_attr>& events, Whom whom) {
  for (perf_event_attr attributes : events) {
    attributes.size = sizeof attributes;
    attributes.disabled = 1;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    attributes.inherit = whom == Whom::started_programs;
    attributes.enable_on_exec = whom == Whom::started_programs;
    const long file = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (file < 0) {
      const int error = errno;
      close_all();
      throw std::system_error(error, std::generic_category(), "perf_event_open");
    }
    files_.push_back(static_cast<int>(file));
  }
}

PerfEvents::~PerfEvents() {
  close_all();
}

void PerfEvents::close_all() {
  for (const int file : files_) close(file);
  files_.clear();
}

void PerfEvents::start() {
  for (const int file : files_) {
    ioctl(file, PERF_EVENT_IOC_RESET, 0);
    ioctl(file, PERF_EVENT_IOC_ENABLE, 0);
  }
}

std::vector<PerfReading> PerfEvents::read() const {
  std::vector<PerfReading> readings;
  for (const int file : files_) {
    std::uint64_t values[3] = {};  // count, time enabled, time running
    if (::read(file, values, sizeof values) != static_cast<ssize_t>(sizeof values))
      throw std::system_error(errno, std::generic_category(), "reading a counter");
    PerfReading reading{static_cast<double>(values[0]), 0};  // never enabled, so nothing was counted
    if (values[1] > 0)
      reading.share_counted = static_cast<double>(values[2]) / static_cast<double>(values[1]);
    if (reading.share_counted > 0) reading.count /= reading.share_counted;
    readings.push_back(reading);
  }
  return readings;
}

}  // namespace gable::points

#include "kmaf/live/samplers/store_counter.hpp"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace gable::kmaf::live {

namespace {

int open_counter(pid_t pid, CountedEvent event) {
  perf_event_attr attr = {};
  attr.size = sizeof attr;
  attr.type = event.type;
  attr.config = event.config;
  attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  attr.disabled = attr.enable_on_exec = attr.inherit = 1;
  attr.exclude_kernel = attr.exclude_hv = 1;
  return static_cast<int>(syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

CountedEvent l1_stores() {
  return {PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_OP_WRITE << 8 |
                                  PERF_COUNT_HW_CACHE_RESULT_ACCESS << 16};
}

int StoreCounter::refusal(CountedEvent event) {
  const Descriptor tried(open_counter(0, event));
  return tried.get() >= 0 ? 0 : errno;
}

StoreCounter::StoreCounter(pid_t program, CountedEvent event) : event_(open_counter(program, event)) {
  if (event_.get() < 0) throw std::system_error(errno, std::generic_category(), "perf_event_open");
}

std::optional<double> StoreCounter::count() const {
  std::array<std::uint64_t, 3> value_enabled_running = {};
  if (::read(event_.get(), value_enabled_running.data(), sizeof value_enabled_running) !=
      sizeof value_enabled_running)
    return {};
  const auto [value, enabled, running] = value_enabled_running;
  if (running == 0) return {};
  return static_cast<double>(value) * static_cast<double>(enabled) / static_cast<double>(running);
}

}  // namespace gable::kmaf::live

#include "points/counters/perf_events.hpp"

#include <fmt/format.h>
#include <perfmon/pfmlib_perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/error.hpp"

#ifdef GABLE_LIBPFM
#endif

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
    if (::read(file, values, sizeof values) != static_cast<ssize_t>(sizeof values)) fail("reading a counter");
    PerfReading reading{static_cast<double>(values[0]), 0};  // never enabled, so nothing was counted
    if (values[1] > 0)
      reading.share_counted = static_cast<double>(values[2]) / static_cast<double>(values[1]);
    if (reading.share_counted > 0) reading.count /= reading.share_counted;
    readings.push_back(reading);
  }
  return readings;
}

std::vector<std::string> pmu_events(const std::string& vendor) {
  std::vector<std::string> events;
  if (vendor == "GenuineIntel") {
    for (const char* width :
         {"SCALAR_SINGLE", "SCALAR_DOUBLE", "128B_PACKED_SINGLE", "128B_PACKED_DOUBLE", "256B_PACKED_SINGLE",
          "256B_PACKED_DOUBLE", "512B_PACKED_SINGLE", "512B_PACKED_DOUBLE"})
      events.push_back(std::string("FP_ARITH_INST_RETIRED:") + width);
    for (const char* access : {"ALL_LOADS", "ALL_STORES"}) {
      events.push_back(std::string("MEM_INST_RETIRED:") + access);
      events.push_back(std::string("MEM_UOPS_RETIRED:") + access);  // before Skylake
    }
  }
  if (vendor == "AuthenticAMD") {
    events.push_back("RETIRED_SSE_AVX_FLOPS:ANY");
    for (const char* kind : {"MULT_ADD", "DIV", "MULT", "ADD_SUB"}) {  // Zen 1
      for (const char* precision : {"DP", "SP"})
        events.push_back(fmt::format("RETIRED_SSE_AVX_OPERATIONS:{}_{}_FLOPS", precision, kind));
    }
    events.push_back("LS_DISPATCH:LD_DISPATCH");
    events.push_back("LS_DISPATCH:STORE_DISPATCH");
  }
  if (vendor == "Arm") events = {"FP_FIXED_OPS_SPEC", "FP_SCALE_OPS_SPEC", "LD_SPEC", "ST_SPEC"};
  return events;
}

#ifdef GABLE_LIBPFM

namespace {

bool is_there(const KnownEvents& known, const perf_event_attr& wanted) {
  return std::ranges::any_of(known.events, [&](const NamedEvent& event) {
    return event.attributes.type == wanted.type && event.attributes.config == wanted.config;
  });
}

}  // namespace

std::string events_unavailable() {
  return {};
}

KnownEvents known_events(const std::string& vendor) {
  KnownEvents known;
  if (pfm_initialize() != PFM_SUCCESS) return known;
  for (const std::string& name : pmu_events(vendor)) {
    NamedEvent event{name};
    pfm_perf_encode_arg_t argument = {};
    argument.attr = &event.attributes;
    argument.size = sizeof argument;
    const int failed =
        pfm_get_os_event_encoding(name.c_str(), PFM_PLM3, PFM_OS_PERF_EVENT, &argument) != PFM_SUCCESS;
    if (!failed && !is_there(known, event.attributes)) known.events.push_back(event);
    if (failed && name.find(":512B") != std::string::npos) known.none.push_back(name);
  }
  if (known.events.empty()) known.none.clear();
  return known;
}

#else

std::string events_unavailable() {
  return "built without libpfm4: install libpfm4-dev and build again";
}

KnownEvents known_events(const std::string&) {
  return {};
}

#endif

}  // namespace gable::points

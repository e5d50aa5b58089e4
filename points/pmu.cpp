#include "points/pmu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <system_error>

#include "machines/files.hpp"
#include "points/events.hpp"
#include "points/perf_events.hpp"
#include "points/run.hpp"

#ifdef GABLE_LIBPFM
#include <perfmon/pfmlib_perf_event.h>
#endif

namespace gable::points {

namespace {

struct NamedEvent {
  std::string name;
  perf_event_attr attributes;
};

#ifdef GABLE_LIBPFM
// The events of this processor that libpfm4 can write down for the kernel.
std::vector<NamedEvent> encoded_events() {
  std::vector<NamedEvent> events;
  if (pfm_initialize() != PFM_SUCCESS) return events;
  for (const std::string& name : pmu_events(machines::read_field("/proc/cpuinfo", "vendor_id", ':'))) {
    NamedEvent event{name, {}};
    pfm_perf_encode_arg_t argument = {};
    argument.attr = &event.attributes;
    argument.size = sizeof argument;
    if (pfm_get_os_event_encoding(name.c_str(), PFM_PLM3, PFM_OS_PERF_EVENT, &argument) == PFM_SUCCESS)
      events.push_back(event);
  }
  return events;
}
constexpr const char* without_library = "";
#else
std::vector<NamedEvent> encoded_events() {
  return {};
}
constexpr const char* without_library =
    "built without libpfm4, which names the processor's events (package libpfm4-dev), then build again";
#endif

std::vector<perf_event_attr> attributes_of(const std::vector<NamedEvent>& events) {
  std::vector<perf_event_attr> attributes;
  for (const NamedEvent& event : events) attributes.push_back(event.attributes);
  return attributes;
}

std::string reason(const std::error_code& code) {
  if (code == std::errc::permission_denied || code == std::errc::operation_not_permitted) {
    return fmt::format(
        "the kernel does not allow it (kernel.perf_event_paranoid is {}); as root: sysctl "
        "kernel.perf_event_paranoid=2",
        machines::read_text("/proc/sys/kernel/perf_event_paranoid"));
  }
  return fmt::format("this machine shows no such hardware counters ({}), as is usual in a guest",
                     code.message());
}

struct Sums {
  EventSums sums;
  double least_share = 1;
};

Sums sums_from(const std::vector<NamedEvent>& events, const std::vector<PerfReading>& readings) {
  std::map<std::string, double> counts;
  Sums all;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (readings[i].share_counted <= 0)
      throw CountError(fmt::format("{} never had its turn to count: the run is too short", events[i].name));
    counts[event_name(events[i].name)] += readings[i].count;
    all.least_share = std::min(all.least_share, readings[i].share_counted);
  }
  all.sums = sums_of(counts);
  return all;
}

std::vector<NamedEvent> events_or_throw() {
  if (const std::string why = pmu_unavailable(); !why.empty()) throw CountError("pmu: " + why);
  return encoded_events();
}

}  // namespace

std::vector<std::string> pmu_events(const std::string& vendor) {
  std::vector<std::string> events;
  if (vendor == "GenuineIntel") {
    for (const char* width :
         {"SCALAR_SINGLE", "SCALAR_DOUBLE", "128B_PACKED_SINGLE", "128B_PACKED_DOUBLE", "256B_PACKED_SINGLE",
          "256B_PACKED_DOUBLE", "512B_PACKED_SINGLE", "512B_PACKED_DOUBLE"})
      events.push_back(std::string("FP_ARITH_INST_RETIRED:") + width);
    for (const char* access : {"MEM_INST_RETIRED:ALL_LOADS", "MEM_INST_RETIRED:ALL_STORES"})
      events.push_back(access);
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
  return events;
}

std::string pmu_unavailable() {
  if (*without_library != '\0') return without_library;
  const std::vector<NamedEvent> events = encoded_events();
  std::map<std::string, double> counted;
  for (const NamedEvent& event : events) counted[event_name(event.name)] = 0;
  if (sums_of(counted).flops.empty()) return "no event of this processor, known to libpfm4, counts flops";
  try {
    const PerfEvents opened(attributes_of(events), PerfEvents::Whom::this_thread);
  } catch (const std::system_error& error) {
    return reason(error.code());
  }
  return {};
}

Counts count_with_pmu(const Program& program) {
  const std::vector<NamedEvent> events = events_or_throw();
  const PerfEvents counters(attributes_of(events), PerfEvents::Whom::started_programs);
  require_success(program.command.at(0), run(program.command, program.environment));
  const auto [sums, least_share] = sums_from(events, counters.read());
  Counts counts;
  counts.counter = "pmu";
  counts.total.flops = sums.flops;
  if (sums.loads && sums.stores) {
    counts.notes.push_back(fmt::format(
        "{:.4g} loads and {:.4g} stores, whose widths the counters do not tell", *sums.loads, *sums.stores));
  }
  if (!sums.missing.empty())
    counts.notes.push_back("not counted, so its flops may be more: FP_ARITH_INST_RETIRED of " + sums.missing);
  if (least_share < 0.999) {
    counts.notes.push_back(
        fmt::format("counters took turns: one counted {:.0f} % of the time, the rest is in proportion",
                    100 * least_share));
  }
  if (program.functions) counts.notes.push_back("pmu counts no single functions");
  return counts;
}

std::vector<CounterError> test_pmu(const std::vector<KnownWork>& known) {
  const std::vector<NamedEvent> events = events_or_throw();
  std::vector<CounterError> errors;
  for (const KnownWork& work : known) {
    PerfEvents counters(attributes_of(events), PerfEvents::Whom::this_thread);
    counters.start();
    work.run();
    Work counted;
    counted.flops = sums_from(events, counters.read()).sums.flops;
    errors.push_back({work.name, static_cast<double>(counted.flop_count()), work.flops});
  }
  return errors;
}

}  // namespace gable::points

#include "points/counters/pmu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>

#include "base/error.hpp"
#include "machines/files.hpp"
#include "points/counters/event_names.hpp"
#include "points/counters/events.hpp"
#include "points/orphans.hpp"
#include "points/run.hpp"

namespace gable::points {

namespace {

KnownEvents events_here() {
  const std::string vendor = machines::read_field("/proc/cpuinfo", "vendor_id", ':');
  const bool arm = !machines::read_field("/proc/cpuinfo", "CPU implementer", ':').empty();
  return known_events(arm ? "Arm" : vendor);
}

std::vector<perf_event_attr> attributes_of(const std::vector<NamedEvent>& events) {
  std::vector<perf_event_attr> attributes;
  attributes.reserve(events.size());
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
  return fmt::format("this machine has no such hardware counters ({}), which is usual in a guest",
                     code.message());
}

struct Sums {
  EventSums sums;
  double least_share = 1;
};

Sums sums_from(const EventSource& source, const std::vector<PerfReading>& readings) {
  std::map<std::string, double> counts;
  for (const std::string& name : source.none) counts[event_name(name)] = 0;
  Sums all;
  for (std::size_t i = 0; i < source.names.size(); ++i) {
    const PerfReading& reading = readings.at(i);
    if (reading.share_counted <= 0) {
      throw Error::failed(fmt::format("{} was never scheduled: the run is too short", source.names[i]));
    }
    counts[event_name(source.names[i])] += reading.count;
    all.least_share = std::min(all.least_share, reading.share_counted);
  }
  all.sums = sums_of(counts);
  return all;
}

// Reads the kernel's counters.
EventSource kernel_events() {
  if (const std::string why = pmu_unavailable(); !why.empty()) throw Error::failed("pmu: " + why);
  const KnownEvents known = events_here();
  EventSource source;
  for (const NamedEvent& event : known.events) source.names.push_back(event.name);
  source.none = known.none;
  source.read = [attributes = attributes_of(known.events)](PerfCounters::Whom whom,
                                                           const std::function<void()>& work) {
    PerfCounters counters(attributes, whom);
    if (whom == PerfCounters::Whom::this_thread) counters.start();
    work();
    return counters.read();
  };
  return source;
}

// The kernel silently stops counting a program that gets rights which its caller lacks.
void check_rights(const std::string& program) {
  const std::string file = find_program(program);
  if (const std::string more = privileges_of(file); !more.empty()) {
    throw Error::program(
        fmt::format("{}: it {}, and the kernel's counters do not follow such a program: count a copy "
                    "without these rights",
                    file, more),
        126);
  }
}

}  // namespace

std::string pmu_unavailable() {
  if (std::string why = events_unavailable(); !why.empty()) return why;
  const std::vector<NamedEvent> events = events_here().events;
  std::map<std::string, double> counted;
  for (const NamedEvent& event : events) counted[event_name(event.name)] = 0;
  if (sums_of(counted).flops.empty()) return "no event of this processor, known to libpfm4, counts flops";
  try {
    const PerfCounters opened(attributes_of(events), PerfCounters::Whom::this_thread);
  } catch (const std::system_error& error) {
    return reason(error.code());
  }
  return {};
}

Counts count_events(const EventSource& source, const Program& program) {
  check_rights(program.command.at(0));
  const auto readings = source.read(PerfCounters::Whom::from_exec, [&] {
    Orphans orphans;
    const Ending ending = run(program.command, {});
    require_success(program.command.front(), ending);
    orphans.require_ended(program.command.front(), ending);
  });
  const auto [sums, least_share] = sums_from(source, readings);
  Counts counts;
  counts.counter = "pmu";
  counts.total.flops = sums.flops;
  if (sums.loads && sums.stores)
    counts.notes.push_back({model::NoteCode::no_widths, {*sums.loads, *sums.stores}});
  if (!sums.missing.empty()) counts.notes.push_back({model::NoteCode::flops_not_counted, {sums.missing}});
  if (least_share < 0.999) counts.notes.push_back({model::NoteCode::multiplexed, {100 * least_share}});
  if (program.functions) counts.notes.emplace_back(model::NoteCode::no_single_functions);
  return counts;
}

std::vector<CounterError> test_events(const EventSource& source, const std::vector<KnownWork>& known) {
  std::vector<CounterError> errors;
  for (const KnownWork& work : known) {
    Work counted;
    counted.flops = sums_from(source, source.read(PerfCounters::Whom::this_thread, work.run)).sums.flops;
    errors.push_back({work.name, static_cast<double>(counted.flop_count()), work.flops});
  }
  return errors;
}

Counts count_with_pmu(const Program& program) {
  return count_events(kernel_events(), program);
}

std::vector<CounterError> test_pmu(const std::vector<KnownWork>& known) {
  return test_events(kernel_events(), known);
}

}  // namespace gable::points

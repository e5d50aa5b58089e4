#include "points/samples/code_sampler.hpp"

#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "base/clocks.hpp"
#include "base/error.hpp"
#include "base/sorting.hpp"
#include "points/profile/build_id.hpp"
#include "points/run.hpp"
#include "points/samples/spin_loops.hpp"

namespace gable::points {

namespace {

// If a loop takes about as long as the step between two samples, or a simple fraction of it, the samples
// would meet the same few places of the loop again and again. So four clocks take a quarter of the samples
// each, and none of their steps (nanoseconds) is near a simple multiple of another. Together they take a
// sample each millisecond.
constexpr std::uint64_t steps[] = {3'370'111, 3'789'473, 4'261'237, 4'790'231};

perf_event_attr attributes_of_sampler(std::uint64_t period, bool is_first) {
  perf_event_attr attr = {};
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_TASK_CLOCK;
  attr.sample_period = period;
  attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
  attr.disabled = attr.enable_on_exec = attr.inherit = 1;
  attr.exclude_kernel = attr.exclude_hv = 1;  // else perf_event_paranoid must be 1 or less
  attr.mmap = attr.mmap2 = attr.task = attr.comm = attr.comm_exec = is_first ? 1 : 0;
  attr.sample_id_all = 1;
  attr.use_clockid = 1;
  attr.clockid = CLOCK_MONOTONIC;
  attr.watermark = 1;
  attr.wakeup_watermark = std::numeric_limits<std::uint32_t>::max();
  return attr;
}

double spinning_in(const std::string& file, const std::map<std::uint64_t, double>& offsets) {
  SpinLoops loops(file);
  double sum = 0;
  for (const auto& [offset, count] : offsets) sum += loops.contain(offset) ? count : 0;
  return sum;
}

}  // namespace

CodeSamples& CodeSamples::operator+=(const CodeSamples& more) {
  if (!more.missing.empty() || !missing.empty()) {
    if (missing.empty()) *this = more;
    return *this;
  }
  all += more.all;
  kernel += more.kernel;
  without_file += more.without_file;
  seconds = std::max(seconds, more.seconds);
  for (const auto& [file, offsets] : more.in_files) {
    for (const auto& [offset, count] : offsets) in_files[file][offset] += count;
  }
  for (const auto& [file, count] : more.spinning) spinning[file] += count;
  builds.insert(more.builds.begin(), more.builds.end());
  return *this;
}

CodeSampler::CodeSampler(pid_t program) {
  constexpr std::size_t pages = 16;  // two seconds of samples
  for (int cpu = 0; cpu <= last_cpu(); ++cpu) {
    Descriptor event(open_perf_event(attributes_of_sampler(steps[0], true), program, cpu));
    if (event.get() < 0 && errno == ENODEV) continue;  // the hardware thread is offline
    if (event.get() < 0) fail("perf_event_open");
    PerfRing buffer(event.get(), pages);
    rings_.push_back({std::move(event), std::move(buffer), cpu});
  }
  for (const std::uint64_t period : std::span(steps).subspan(1)) {
    if (!open_more(program, period)) break;
  }
}

// Each event is an open file. On machines with many hardware threads, the limit may not suffice for all
// clocks.
bool CodeSampler::open_more(pid_t program, std::uint64_t period) {
  for (const Ring& ring : rings_) {
    Descriptor event(open_perf_event(attributes_of_sampler(period, false), program, ring.cpu));
    if (event.get() < 0 && errno == EMFILE) {
      while (!more_.empty() && more_.back().period == period) more_.pop_back();
      return false;
    }
    if (event.get() < 0 || ioctl(event.get(), PERF_EVENT_IOC_SET_OUTPUT, ring.event.get()) != 0)
      fail("perf_event_open");
    more_.push_back({std::move(event), period});
  }
  ++clocks_;
  return true;
}

// A buffer read early may lack events that are older than some in a buffer read later, so events newer than
// the start of this call wait for the next one.
void CodeSampler::read() {
  const auto now = static_cast<std::uint64_t>(monotonic_seconds() * 1e9);
  for (Ring& ring : rings_) {
    ring.buffer.read(bytes_);
    parse_code_records(bytes_, records_);
  }
  take_until(now);
}

void CodeSampler::take_until(std::uint64_t time) {
  std::vector<CodeEvent>& events = records_.events;
  sort_by(events, &CodeEvent::time);
  const auto newer = std::ranges::upper_bound(events, time, {}, &CodeEvent::time);
  for (auto event = events.begin(); event != newer; ++event) {
    if (event->kind != CodeEvent::Kind::sample) {
      code_.take(*event);
      continue;
    }
    ++in_user_;
    const auto place = code_.place_of(event->pid, event->address);
    ++(place ? samples_.in_files[place->file][place->offset] : samples_.without_file);
  }
  events.erase(events.begin(), newer);
}

CodeSamples CodeSampler::finish() {
  read();
  take_until(std::numeric_limits<std::uint64_t>::max());
  double expected = 0, seconds = 0;
  const auto add = [&](const Descriptor& event, std::uint64_t period) {
    std::uint64_t nanoseconds = 0;
    if (::read(event.get(), &nanoseconds, sizeof nanoseconds) != sizeof nanoseconds) return;
    expected += static_cast<double>(nanoseconds) / static_cast<double>(period);
    seconds += static_cast<double>(nanoseconds) * 1e-9 / clocks_;
  };
  for (const Ring& ring : rings_) add(ring.event, steps[0]);
  for (const MoreEvents& each : more_) add(each.event, each.period);
  // The kernel keeps no samples of itself, so the missing samples are its own.
  samples_.kernel = std::max(0.0, std::floor(expected) - in_user_ - static_cast<double>(records_.lost));
  samples_.all = in_user_ + samples_.kernel;
  if (samples_.all > 0) samples_.seconds = seconds / samples_.all;
  for (const auto& [file, offsets] : samples_.in_files) {
    samples_.builds[file] = code_identity(file);
    if (const double spinning = spinning_in(file, offsets); spinning > 0) samples_.spinning[file] = spinning;
  }
  return std::move(samples_);
}

SampledRun run_sampled(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
  constexpr double pause = 0.5;
  SampledRun run;
  run.ending = gable::points::run(command, environment, [&](RunningProgram& program) {
    std::optional<CodeSampler> sampler;
    try {
      sampler.emplace(program.pid());
    } catch (const std::system_error& error) {
      run.samples.missing = {model::NoteCode::sampling_refused, {std::string(error.code().message())}};
    }
    program.go();
    while (sampler && program.wait(pause)) sampler->read();
    const Ending ending = program.finish();
    if (sampler) run.samples = sampler->finish();
    return ending;
  });
  return run;
}

}  // namespace gable::points

// The kernel's NUMA hint faults: its balancing periodically hides pages of a program. An access to a hidden
// page faults, which perf reports from outside. Nothing is injected into the program.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>
#include <vector>

#include "base/clocks.hpp"
#include "base/error.hpp"
#include "base/numbers.hpp"
#include "kmaf/live/samplers/perf_events.hpp"
#include "kmaf/live/shared_memory/shared_objects.hpp"

namespace gable::kmaf::live {

namespace {

// Seconds per page of some batches. Throws std::system_error.
std::vector<double> batches_of_faults(std::size_t batches) {
  constexpr std::size_t pages = 32;
  const auto page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t bytes = batches * pages * page_bytes;
  void* const address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) fail("mmap");
  const Mapped memory({static_cast<std::byte*>(address), bytes});
  madvise(address, bytes, MADV_NOHUGEPAGE);
  PerfEvents events(PerfEvents::What::page_faults, getpid());
  events.enable();
  auto* touched = static_cast<volatile char*>(address);
  std::vector<double> seconds;
  for (std::size_t batch = 0; batch < batches; ++batch) {
    const double before = monotonic_seconds();
    for (std::size_t page = 0; page < pages; ++page, touched += page_bytes) *touched = 1;
    seconds.push_back((monotonic_seconds() - before) / static_cast<double>(pages));
  }
  return seconds;
}

// Seconds of a sampled page fault, measured now with first touches; 0 if perf is refused or lacks
// descriptors or memory.
double sampled_fault_seconds() {
  if (PerfEvents::refusal(PerfEvents::What::page_faults) != 0) return 0;
  // The median of batches, because this process may be interrupted.
  constexpr std::size_t batches = 31;
  try {
    return upper_median(batches_of_faults(batches));
  } catch (const std::system_error&) {
    return 0;
  }
}

constexpr double scans_per_second = 10;  // maximum; beyond it, more pages per scan
constexpr double least_window_mib = 4, most_window_mib = 1024;
constexpr double least_period_ms = 10, most_period_ms = 600'000;
constexpr double worth_writing = 0.2;  // relative change of the period
constexpr double least_yield = 1.0 / 16;

std::string whole(double number) {
  return std::to_string(std::llround(number));
}

class HintFaults : public PerfSampler {
 public:
  explicit HintFaults(Settings& settings) : settings_(settings) {
    knobs_ = settings.can_write(knob("scan_period_min_ms"));
  }

  void attach(pid_t program) override {
    events_.emplace(PerfEvents::What::page_faults, program);
    switch_balancing_on(settings_);
    if (settings_.journal() != nullptr) shared_.emplace(*settings_.journal());
  }

  Events read() override {
    Events events = PerfSampler::read();
    came_ += static_cast<double>(std::ranges::count(events, Event::Kind::access, &Event::kind));
    return events;
  }
  double sample_seconds() override { return sampled_fault_seconds(); }

  void mapped(pid_t pid, const std::vector<MappedRange>& mappings) override {
    if (shared_) shared_->look(pid, mappings);
  }
  std::optional<Moves> shared_objects() const override {
    if (!shared_) return {};
    return shared_->counts();
  }

  // Hidden pages and first touches still fault, but the faults are not
  // reported.
  void pause() override {
    if (std::exchange(pauses_, true)) return;
    events_->pause();
  }

  void resume() override {
    if (!std::exchange(pauses_, false)) return;
    events_->resume();
  }

  // The kernel hides a window of `scan_size_mb` at a time. It aims to scan all of a process's memory in a
  // period of its threads' CPU time, which it adapts between the two limits.
  void set_rate(double per_second, double resident_pages) override {
    observe(resident_pages);
    if (!knobs_) return;
    const double wanted = 1000 * yield_ * resident_pages / per_second;
    const double period =
        per_second > 0 ? std::clamp(wanted, least_period_ms, most_period_ms) : most_period_ms;
    if (std::abs(period - period_ms_) <= worth_writing * period_ms_) return;
    const double pages_of_mib = static_cast<double>(1 << 20) / static_cast<double>(sysconf(_SC_PAGESIZE));
    const double window =
        std::clamp(per_second / pages_of_mib / scans_per_second, least_window_mib, most_window_mib);
    // Written in an order in which the smaller limit never exceeds the larger one.
    const char* const first = period > period_ms_ ? "scan_period_max_ms" : "scan_period_min_ms";
    const char* const second = period > period_ms_ ? "scan_period_min_ms" : "scan_period_max_ms";
    settings_.write(knob("scan_delay_ms"), whole(std::min(period, 1000.0)));
    settings_.write(knob("scan_size_mb"), whole(window));
    settings_.write(knob(first), whole(period));
    settings_.write(knob(second), whole(period));
    period_ms_ = period;
  }

 private:
  // A hidden page that is not accessed gives no sample. The share that does is updated whenever all pages
  // should have been hidden once.
  void observe(double resident_pages) {
    const double now = monotonic_seconds();
    const double samples = std::exchange(came_, 0);
    const double seconds = now - std::exchange(observed_at_, now);
    if (period_ms_ <= 0 || pauses_) return;  // the rate during a flood is not representative
    hidden_ += 1000 * seconds / period_ms_ * resident_pages;
    seen_ += samples;
    if (hidden_ < resident_pages || hidden_ <= 0) return;
    yield_ = std::clamp(seen_ / hidden_, least_yield, 1.0);
    hidden_ = seen_ = 0;
  }

  static std::string knob(const char* name) { return std::string(scan_knobs) + name; }

  Settings& settings_;
  std::optional<SharedObjects> shared_;
  bool knobs_ = false;
  bool pauses_ = false;
  double period_ms_ = 0;
  double yield_ = 1;                   // samples per hidden page
  double hidden_ = 0, seen_ = 0;       // pages and samples since it was last calculated
  double observed_at_ = 0, came_ = 0;  // when, and samples since
};

Missing missing(const Settings& settings) {
  const auto balancing = settings.read(numa_balancing);
  if (!balancing) return {"this kernel has no NUMA balancing (CONFIG_NUMA_BALANCING)", ""};
  if (const int error = PerfEvents::refusal(PerfEvents::What::page_faults))
    return perf_missing(settings, error);
  if (!balancing_is_on(settings) && !settings.can_write(numa_balancing))
    return {"kernel.numa_balancing is " + *balancing, "sudo sysctl kernel.numa_balancing=1"};
  return {};
}

Offer make_hint_faults(Settings& settings, double) {
  if (const Missing lacks = missing(settings)) return {nullptr, lacks};
  return {std::make_unique<HintFaults>(settings), {}};
}

}  // namespace

const SamplerEntry hint_faults_sampler = {
    "hint-faults", "the kernel's NUMA hint faults, read through perf from outside the program", true, true,
    make_hint_faults};

}  // namespace gable::kmaf::live

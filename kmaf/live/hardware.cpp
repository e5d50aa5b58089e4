// The processor's own sampling of memory accesses: PEBS (Intel), IBS (AMD). No page is hidden, so the
// kernel's balancing may stay off and moves none.

#include <algorithm>

#include "kmaf/live/perf_events.hpp"
#include "kmaf/live/period.hpp"
#include "kmaf/live/precise_events.hpp"
#include "kmaf/live/samplers.hpp"
#include "kmaf/live/self_test.hpp"

namespace gable::kmaf::live {

namespace {

constexpr std::uint64_t first_period = 16411;  // prime: loops that keep step with it are rare
constexpr std::uint64_t test_period = 1024;
constexpr std::uint64_t least_period = 256, most_period = std::uint64_t{1} << 26;  // IBS has 27 bits
constexpr double least_interval = 0.05;  // seconds, between two looks at the rate

struct Tested {
  std::vector<PerfSource> sources;
  std::string missing;  // empty: they have passed
  double sample_seconds = 0;
};

class Hardware : public Sampler {
 public:
  explicit Hardware(Tested tested)
      : tested_(std::move(tested)),
        control_(first_period, least_period, most_period,
                 tested_.sources.empty() ? 1 : tested_.sources.front().period_step) {}

  void attach(pid_t program) override {
    for (PerfSource& source : tested_.sources) source.period = control_.period();
    events_.emplace(tested_.sources, program);
    looked_at_ = monotonic_seconds();
  }
  double sample_seconds() override { return tested_.sample_seconds; }
  // Ops without an operand in memory have no address.
  Events read() override {
    Events events = events_->read();
    std::erase_if(events,
                  [](const Event& event) { return event.kind == Event::Kind::access && event.address == 0; });
    samples_ += static_cast<double>(std::count_if(
        events.begin(), events.end(), [](const Event& event) { return event.kind == Event::Kind::access; }));
    return events;
  }
  std::optional<double> cpu_seconds() override { return events_->cpu_seconds(); }
  std::vector<int> descriptors() const override { return events_->descriptors(); }
  std::uint64_t lost() const override { return events_ ? events_->lost() : 0; }

  void set_rate(double per_second, double) override {
    const double now = monotonic_seconds(), passed = now - looked_at_;
    if (!events_ || passed < least_interval) return;
    if (control_.adapt(per_second, samples_, passed)) events_->set_period(control_.period());
    samples_ = 0;
    looked_at_ = now;
  }

 private:
  Tested tested_;
  PeriodControl control_;
  std::optional<PerfEvents> events_;
  double samples_ = 0, looked_at_ = 0;
};

// The precision is taken down where the highest is refused.
Tested tested(const Settings& settings) {
  Tested result;
  PreciseEvents events = precise_events(settings);
  result.missing = events.missing;
  for (PerfSource& source : events.sources) {
    source.period = test_period;
    SelfTest test = self_test(source, beyond_caches());
    if (!test.fault.empty() && source.precise > 2) {
      source.precise = 2;
      test = self_test(source, beyond_caches());
    }
    if (!test.fault.empty()) return {{}, "no samples to rely on: " + test.fault, 0};
    result.sample_seconds = std::max(result.sample_seconds, test.sample_seconds);
    result.sources.push_back(source);
  }
  return result;
}

Missing missing(const Settings& settings) {
  if (const int error = PerfEvents::refusal(PerfEvents::What::tasks)) return perf_missing(settings, error);
  return {tested(settings).missing, ""};
}

std::unique_ptr<Sampler> make(Settings& settings) {
  return std::make_unique<Hardware>(tested(settings));
}

}  // namespace

const SamplerEntry hardware_sampler = {
    "hardware", "loads that the processor samples itself (Intel's mem-loads, AMD's ibs_op)", false, missing,
    make};

}  // namespace gable::kmaf::live

// Hardware sampling of memory accesses: PEBS (Intel), IBS (AMD). No page is hidden, so the
// kernel's balancing may stay off. Not yet validated on hardware with PEBS or IBS, so `auto`
// does not select it.

#include <algorithm>

#include "kmaf/live/samplers/perf_events.hpp"
#include "kmaf/live/samplers/precise_events.hpp"
#include "kmaf/live/samplers/self_test.hpp"
#include "machines/files.hpp"

namespace gable::kmaf::live {

namespace {

constexpr std::uint64_t test_period = 1024;

struct Tested {
  std::vector<PerfSource> sources;
  std::string missing;  // empty: the self-tests passed
  double sample_seconds = 0;
};

// Running threads keep the event with which they started, so its rate cannot change.
class Hardware : public PerfSampler {
 public:
  Hardware(Tested tested, std::uint64_t frequency) : tested_(std::move(tested)), frequency_(frequency) {
    for (PerfSource& source : tested_.sources) source.frequency = frequency;
  }

  void attach(pid_t program) override { events_.emplace(tested_.sources, program); }
  double sample_seconds() override { return tested_.sample_seconds; }
  std::optional<double> fixed_rate() const override { return static_cast<double>(frequency_); }
  bool tells_stores() const override {
    return std::ranges::all_of(tested_.sources, &PerfSource::samples_stores);
  }
  // Ops without a memory operand have no address.
  Events read() override {
    Events events = PerfSampler::read();
    std::erase_if(events,
                  [](const Event& event) { return event.kind == Event::Kind::access && event.address == 0; });
    return events;
  }

 private:
  Tested tested_;
  std::uint64_t frequency_;
};

// Lowers the precision if the highest is refused.
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
    if (!test.fault.empty()) return {{}, "no reliable samples: " + test.fault, 0};
    result.sample_seconds = std::max(result.sample_seconds, test.sample_seconds);
    result.sources.push_back(source);
  }
  return result;
}

// The kernel's limit of samples per second.
std::uint64_t most_frequent(const Settings& settings) {
  constexpr std::uint64_t usual = 100'000;
  const std::string text = settings.read("/proc/sys/kernel/perf_event_max_sample_rate").value_or("");
  const std::uint64_t most = machines::to_number(text).value_or(0);
  return most > 0 ? most : usual;
}

Offer make(Settings& settings, double budget) {
  if (const int error = PerfEvents::refusal(PerfEvents::What::tasks))
    return {nullptr, perf_missing(settings, error)};
  Tested result = tested(settings);
  if (!result.missing.empty()) return {nullptr, {result.missing, ""}};
  const std::uint64_t frequency =
      frequency_within(budget, consequences * result.sample_seconds, most_frequent(settings));
  return {std::make_unique<Hardware>(std::move(result), frequency), {}};
}

}  // namespace

const SamplerEntry hardware_sampler = {"hardware",
                                       "loads sampled by the processor (Intel's mem-loads, AMD's "
                                       "ibs_op); only when named, not validated yet",
                                       false, false, make};

}  // namespace gable::kmaf::live

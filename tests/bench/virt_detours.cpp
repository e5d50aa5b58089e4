// Noise that the test injects is found.

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <numeric>
#include <vector>

#include "bench/virt/detours.hpp"
#include "model/virt/noise.hpp"

namespace {

using namespace gable::bench;

const std::atomic<bool> record_goes_on{false};

// The signal's handler spins: a source of noise of known period and length.
constexpr double injected_us = 900, period_us = 20'000;
std::vector<double> injections;  // us, with room for all

void spin(int) {
  const auto begin = std::chrono::steady_clock::now();
  double us = 0;
  while (us < injected_us)
    us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  if (injections.size() < injections.capacity()) injections.push_back(us);
}

gable::model::VirtSample recorded_under_noise() {
  injections.clear();
  injections.reserve(1000);
  struct sigaction action = {};
  action.sa_handler = spin;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR2, &action, nullptr);
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGUSR2;
  event._sigev_un._tid = static_cast<int>(syscall(SYS_gettid));
  timer_t timer = nullptr;
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  const timespec period = {0, static_cast<long>(period_us * 1000)};
  const itimerspec both = {period, period};
  timer_settime(timer, 0, &both, nullptr);
  // This thread runs before all other processes, where that is allowed.
  sched_param first = {}, usual = {};
  first.sched_priority = 1;
  sched_setscheduler(0, SCHED_FIFO, &first);
  DetourRecord record = record_detours(0.9, 9, record_goes_on);
  sched_setscheduler(0, SCHED_OTHER, &usual);
  timer_delete(timer);
  gable::model::VirtSample sample;
  sample.spec = {gable::model::VirtKind::noise, "detours", gable::model::VirtPages::none, 0, 0};
  sample.seconds = {record.seconds};
  sample.work = {static_cast<double>(record.passes)};
  sample.detours = std::move(record.detours);
  return sample;
}

// All that is injected is in the record, whatever others do; but for what comes before and after it.
void expect_injections(const gable::model::Noise& noise) {
  constexpr std::size_t outside = 4;
  if (injections.size() <= outside) return;  // so many detours of others ended the record early
  std::ranges::sort(injections);
  const double least = std::accumulate(injections.begin(), injections.end() - outside, 0.0);
  EXPECT_GT(noise.share.value * noise.seconds * 1e6, 0.98 * least) << injections.size();
}

TEST(VirtDetours, InjectedNoiseIsFound) {
  double others = 0;
  for (int attempt = 0; attempt < 8; ++attempt) {
    const auto noise = gable::model::noise_of({recorded_under_noise()}).front();
    expect_injections(noise);
    const bool found = std::ranges::any_of(noise.sources, [](const auto& source) {
      return std::abs(source.period_us / period_us - 1) < 0.05 &&
             std::abs(source.length_us / injected_us - 1) < 0.05;
    });
    if (found) return;
    // Others lengthen detours, and hide some.
    others = noise.share.value - injected_us / period_us;
    ASSERT_GT(others, 0.005) << noise.detours << " detours";
  }
  GTEST_SKIP() << "others take " << 100 * others << " % of the CPU";
}

}  // namespace

// The virtualization set: its programs are right and notice what is wrong, its walks visit every line once,
// and noise that the test injects is found.

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "bench/apps/cg.hpp"
#include "bench/apps/dgemm.hpp"
#include "bench/apps/gups.hpp"
#include "bench/virt/detours.hpp"
#include "bench/virt/environment.hpp"
#include "bench/virt/mapping.hpp"
#include "bench/virt/pages.hpp"
#include "bench/virt/programs.hpp"
#include "bench/virt/virt_cells.hpp"
#include "bench/virt/walk.hpp"
#include "model/virt/noise.hpp"

namespace {

using namespace gable::bench;

const std::atomic<bool> go_on{false};

TEST(VirtPrograms, RandomAccessFollowsTheRules) {
  std::uint64_t x = 1;
  for (std::int64_t i = 0; i < 5000; ++i) {
    if (i % 37 == 0) {
      ASSERT_EQ(random_access_number(i), x) << i;
    }
    x = (x << 1) ^ (x >> 63 != 0 ? 7 : 0);
  }
  EXPECT_EQ(random_access_number(1317624576693539401), 1u);  // the period
  std::vector<std::uint64_t> table(1 << 12);
  const GupsResult result = random_access(table, go_on);
  EXPECT_EQ(result.updates, 4.0 * (1 << 12));
  EXPECT_EQ(result.wrong, 0u);
  EXPECT_TRUE((GupsResult{1, 1, 40}.verified(1 << 12)));
  EXPECT_FALSE((GupsResult{1, 1, 41}.verified(1 << 12)));
  const GupsResult brief = random_access(table, go_on, 1e-9);  // time for a single update at most
  EXPECT_EQ(brief.updates, 128);
  EXPECT_EQ(brief.wrong, 0u);
  const std::atomic<bool> stop{true};
  EXPECT_EQ(random_access(table, stop).updates, 0);
}

TEST(VirtPrograms, DgemmIsAProductAndSabotageIsNoticed) {
  for (const std::size_t n : {1u, 7u, 24u, 61u, 300u}) {
    std::vector<double> a(n * n), b(n * n), c(n * n, 0);
    for (std::size_t i = 0; i < n * n; ++i) {
      a[i] = std::sin(static_cast<double>(i));
      b[i] = std::cos(static_cast<double>(3 * i));
    }
    dgemm(n, a.data(), b.data(), c.data());
    double plain = 0;
    for (std::size_t k = 0; k < n; ++k) plain += a[k * n + n - 1] * b[(n / 2) * n + k];
    EXPECT_NEAR(c[(n / 2) * n + n - 1], plain, 1e-11);
    EXPECT_TRUE(is_product(n, a.data(), b.data(), c.data()));
    c[n * n / 2] += 1e-6;
    EXPECT_FALSE(is_product(n, a.data(), b.data(), c.data())) << n;
  }
}

TEST(VirtPrograms, ConjugateGradientsSolve) {
  const CgMatrix matrix(CgBox{9, 7, 8});
  const CgResult result = conjugate_gradient(matrix, 60);
  EXPECT_TRUE(result.verified);
  EXPECT_LT(result.error, 1e-10);
  EXPECT_EQ(result.seconds.size(), static_cast<std::size_t>(result.iterations));
  EXPECT_EQ(CgMatrix(CgBox{3, 3, 3}).nonzeros(), 343u);  // (2 + 3 + 2)^3
  // Few iterations do not solve it, and the residual says so.
  const CgResult early = conjugate_gradient(matrix, 2);
  EXPECT_GT(early.residual, 1e-6);
  EXPECT_TRUE(early.verified);
  EXPECT_NEAR(early.residual, early.recurrence, 1e-12);
}

TEST(VirtPrograms, SlabsMultiplyAsTheWholeBox) {
  const CgBox whole{5, 4, 6};
  std::vector<double> x(whole.rows());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<double>(i));
  std::vector<double> y(whole.rows()), y_slabs;
  CgMatrix(whole).multiply(x, y);
  const auto plane = static_cast<std::ptrdiff_t>(whole.plane());
  auto from = x.begin();
  for (const CgBox& slab :
       {CgBox{5, 4, 2, false, true}, CgBox{5, 4, 3, true, true}, CgBox{5, 4, 1, true, false}}) {
    const auto to = from + plane * slab.nz;
    std::vector<double> x_slab(from, to), y_slab(slab.rows());
    if (slab.below) x_slab.insert(x_slab.end(), from - plane, from);
    if (slab.above) x_slab.insert(x_slab.end(), to, to + plane);
    ASSERT_EQ(x_slab.size(), slab.columns());
    CgMatrix(slab).multiply(x_slab, y_slab);
    y_slabs.insert(y_slabs.end(), y_slab.begin(), y_slab.end());
    from = to;
  }
  ASSERT_EQ(y_slabs.size(), y.size());
  for (std::size_t i = 0; i < y.size(); ++i) ASSERT_DOUBLE_EQ(y_slabs[i], y[i]) << i;
}

// HPC Challenge's table is the largest power of two within half of the memory; `standard` has a smaller one,
// beyond the reach of the TLB.
TEST(VirtPrograms, TheTableOfGupsIsThatOfItsRulesInFull) {
  constexpr std::uint64_t MiB = 1 << 20, GiB = 1 << 30;
  EXPECT_EQ(random_access_bytes(24 * GiB), 8 * GiB);
  EXPECT_EQ(random_access_bytes(16 * GiB), 8 * GiB);
  EXPECT_EQ(random_access_bytes(16 * GiB - 1), 4 * GiB);
  const auto machine = gable::machines::from_synthetic("core:1 pu:1");
  const auto tables = [&](const gable::machines::Host& host, int level) {
    std::vector<VirtCell> gups;
    for (const VirtCell& cell : virt_cells(machine, host, {level, {gable::model::VirtKind::program}})) {
      if (cell.spec.what == "gups") gups.push_back(cell);
    }
    return gups;
  };
  gable::machines::Host host;
  host.memory_bytes = 24 * GiB - 300 * MiB;
  host.memory_available_bytes = 22 * GiB;
  for (const int level : {1, 2}) {
    const std::vector<VirtCell> gups = tables(host, level);
    ASSERT_EQ(gups.size(), 2u);
    for (const VirtCell& cell : gups) EXPECT_EQ(cell.spec.bytes, level == 1 ? 256 * MiB : 8 * GiB);
    EXPECT_EQ(gups.front().rounds, level == 1 ? 2 : 1) << "a visit takes minutes";
    EXPECT_LE(gups.front().seconds, 3 * gable::bench::random_access_seconds);
  }
  host.memory_available_bytes = 5 * GiB;
  EXPECT_EQ(tables(host, 2).front().spec.bytes, 4 * GiB) << "the rest is in use";
  host.memory_limit_bytes = 4 * GiB;  // of a container
  EXPECT_EQ(gups_bytes_by_rules(host), 2 * GiB);
  EXPECT_EQ(tables(host, 2).front().spec.bytes, 2 * GiB);
  host.memory_limit_bytes = 0;
  host.memory_bytes = host.memory_available_bytes.emplace(1024 * GiB);
  EXPECT_EQ(tables(host, 2).front().spec.bytes, 512 * GiB);
  EXPECT_EQ(tables(host, 2).front().rounds, 1);
}

TEST(VirtPrograms, EachRunsAndIsVerified) {
  for (const char* what : {"gups", "triad", "dgemm", "cg"}) {
    const ProgramRun run = run_program(what, gable::model::VirtPages::small, 1 << 18, go_on);
    EXPECT_FALSE(run.seconds.empty()) << what;
    EXPECT_EQ(run.seconds.size(), run.work.size());
    EXPECT_FALSE(run.verified.empty());
    EXPECT_EQ(run.wrong, "") << what;
  }
}

TEST(VirtWalk, VisitsEveryLineOnce) {
  for (const Lines lines : {Lines::spread, Lines::packed}) {
    for (const std::uint64_t bytes : {1u << 20, 3u << 19}) {
      Pages memory(gable::model::VirtPages::small, bytes);
      const Walk walk(memory.data(), bytes, lines);
      ASSERT_EQ(walk.lines(), bytes / 4096);
      // The first line is that of block 0: follow it by hand.
      std::byte* first = memory.data();
      while (*reinterpret_cast<void**>(first) == nullptr) first += 64;
      std::set<void*> seen;
      std::set<std::uintptr_t> blocks;
      void* at = first;
      do {
        seen.insert(at);
        blocks.insert(reinterpret_cast<std::uintptr_t>(at) / (lines == Lines::spread ? 4096 : 128));
        at = *static_cast<void**>(at);
      } while (at != first && seen.size() <= walk.lines());
      EXPECT_EQ(seen.size(), walk.lines());
      EXPECT_EQ(blocks.size(), walk.lines());
    }
  }
  EXPECT_THROW(Pages(gable::model::VirtPages::giant, std::size_t{1} << 44), gable::Error);
}

TEST(VirtMapping, EveryCostIsThere) {
  for (const gable::model::VirtMeasure& measure : gable::model::virt_measures) {
    if (measure.kind != gable::model::VirtKind::map) continue;
    const std::string_view what = measure.what;
    const MappingCost cost = mapping_cost(what, gable::model::VirtPages::small, 1 << 20, 2);
    ASSERT_EQ(cost.seconds.size(), 2u) << what;
    EXPECT_GT(cost.seconds.front(), 0) << what;
    EXPECT_GE(cost.calls.front(), 1) << what;
  }
}

// A child that outlives its errand would go on with the caller's work.
TEST(VirtMapping, NoChildReturns) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t caller = fork();
  if (caller == 0) {
    try {
      mapping_cost("fork", gable::model::VirtPages::small, 1 << 20, 2);
      mapping_cost("context switch", gable::model::VirtPages::small, 1 << 20, 2);
    } catch (...) {
    }
    _exit(write(ends[1], "x", 1) == 1 ? 0 : 1);
  }
  close(ends[1]);
  char came[8];
  ssize_t total = 0;
  for (ssize_t count = 1; count > 0; total += count) count = read(ends[0], came, sizeof came);
  close(ends[0]);
  int status = -1;
  waitpid(caller, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(total, 1) << "one process came back";
}

TEST(VirtEnvironment, ReadsWhatTheSystemTells) {
  const gable::TemporaryFolder folder("virt-environment");
  const std::filesystem::path& root = folder.path;
  std::filesystem::create_directories(root / "proc");
  std::filesystem::create_directories(root / "sys/bus/virtio/drivers/virtio_balloon");
  std::ofstream(root / "proc/stat") << "cpu  50 0 20 20 0 0 0 10 0 0\n";
  std::ofstream(root / "proc/vmstat") << "nr_free_pages 5\nballoon_inflate 300\nballoon_deflate 44\n";
  gable::machines::Host host;
  host.hypervisor = "kvm";
  host.page_bytes = {4096, 2 << 20};
  auto facts = environment_facts(host, root);
  EXPECT_EQ(facts["hypervisor"], "kvm");
  EXPECT_EQ(facts["balloon"], "virtio_balloon, holds 1 MiB");
  EXPECT_EQ(facts["steal"], "10.00 % since boot");
  EXPECT_EQ(facts["guest pages"], "4 KiB, 2 MiB");
  EXPECT_EQ(hypervisor_of(host), gable::model::Hypervisor::virtualizes);
  host.hypervisor = "";
  EXPECT_EQ(hypervisor_of(host), gable::model::Hypervisor::none);
  EXPECT_EQ(environment_facts(host, root)["hypervisor"], "none seen");
}

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
  DetourRecord record = record_detours(0.9, 9, go_on);
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

// Visits: a Sample reports what happened, and cells that cannot be measured are skipped with a reason.

#include "bench/visit/visit.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <thread>

#include "visit_fixture.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::cpus;
using gable::bench::tests::Fixture;
using gable::bench::tests::MiB;
using gable::bench::tests::tiny_options;
using gable::bench::tests::total;
using gable::bench::tests::usable;
using gable::bench::tests::wide;
using gable::kernels::Kernel;
using gable::model::Pattern;
using gable::model::Sample;
using gable::model::Status;

void expect_consistent(const Sample& sample) {
  EXPECT_EQ(sample.round, 3);
  EXPECT_EQ(sample.work.size(), sample.seconds.size());
  for (const double work : sample.work) EXPECT_GT(work, 0);
  for (const double seconds : sample.seconds) EXPECT_GT(seconds, 0);
  EXPECT_EQ(sample.cpus.size(), static_cast<std::size_t>(sample.spec.threads));
  EXPECT_FALSE(sample.stopped.empty());
  EXPECT_FALSE(sample.started.empty());
  EXPECT_GT(sample.clock_ghz, 0);
  if (has_load(sample.spec.kind)) {
    EXPECT_EQ(sample.load_bytes.size(), sample.work.size());
  }
}

TEST(Visit, ASampleSaysWhatHappened) {
  for (const char* only : {"flops,fma", "L1,bandwidth", "L2,latency", "kind=branch"}) {
    Fixture fixture(tiny_options({only}));
    for (const auto& run : fixture.plan().runs) {
      for (const Sample& sample : fixture.visit(run)) {
        if (sample.status == Status::skipped) continue;
        if (usable(sample)) expect_consistent(sample);
        if (in_registers(sample.spec.kind)) {
          EXPECT_TRUE(sample.node_bytes.empty());
        } else {
          ASSERT_EQ(sample.node_bytes.size(), 1u);
          EXPECT_EQ(sample.node_bytes.begin()->first, sample.spec.node);
        }
      }
    }
  }
}

TEST(Visit, ALoadRunsDuringTheChase) {
  Fixture fixture(tiny_options({"loaded_latency"}));
  for (auto run : fixture.plan().runs) {
    if (run.cases.front().load_percent == 50) continue;
    for (auto& spec : run.cases) spec.bytes = 8 << 20;
    const Sample sample = fixture.visit(run).front();
    if (sample.status == Status::skipped) GTEST_SKIP() << sentence(sample.reason);
    for (const double load : sample.load_bytes) EXPECT_EQ(load > 0, sample.spec.load_percent > 0);
  }
}

TEST(Visit, RandomLoadsCountLines) {
  Fixture fixture(tiny_options({"random"}));
  const Plan plan = fixture.plan();
  ASSERT_FALSE(plan.runs.empty());
  for (auto run : plan.runs) {
    for (auto& spec : run.cases) spec.bytes = 8 * MiB;
    for (const Sample& sample : fixture.visit(run)) {
      if (sample.status == Status::skipped || !usable(sample)) continue;
      expect_consistent(sample);
      for (std::size_t i = 0; i < sample.work.size(); ++i) {
        const double ns = sample.seconds[i] * 1e9 / sample.work[i];
        EXPECT_GT(ns, 0.01) << "a core chooses a line in several cycles";
        EXPECT_EQ(sample.work[i], std::round(sample.work[i]));
      }
    }
  }
}

TEST(Visit, AnInterruptionBeforeTheFirstBurstIsInvalid) {
  Fixture fixture(tiny_options({"L1,load"}));
  const Plan plan = fixture.plan();
  fixture.stop = true;
  for (const Sample& sample : fixture.visit(plan.runs.front())) {
    EXPECT_EQ(sample.status, Status::invalid);
    EXPECT_EQ(sample.stopped, "interrupted");
  }
}

TEST(Visit, ACpuThatIsNotThereIsSkippedByName) {
  Fixture fixture(tiny_options({"L1,load"}));
  fixture.machine.clusters.front().cores.front().pus = {100'000};
  for (const Sample& sample : fixture.visit(fixture.plan().runs.front())) {
    EXPECT_EQ(sample.status, Status::skipped);
    EXPECT_NE(sentence(sample.reason).find("100000"), std::string::npos) << sentence(sample.reason);
  }
}

TEST(Visit, ANodeThatIsNotThereIsSkippedByName) {
  SKIP_WITHOUT_NUMA();
  Fixture fixture(tiny_options({"L1,load"}));
  Plan plan = fixture.plan();
  plan.runs.front().shares.front().nodes = {9999};
  for (int again = 0; again < 2; ++again) {
    for (const Sample& sample : fixture.visit(plan.runs.front())) {
      EXPECT_NE(sample.status, Status::ok);
      EXPECT_NE(sentence(sample.reason).find("9999"), std::string::npos) << sentence(sample.reason);
    }
  }
}

// Cells on the same node share their buffers, but one that is too large does not shrink those of the
// others.
TEST(Visit, LittleMemorySkipsOnlyWhatIsLarge) {
  Fixture fixture(tiny_options({"memory,local,load", "L1,load"}));
  gable::machines::Host host;
  host.memory_available_bytes = 32 << 20;
  Bench bench(fixture.machine, host, fixture.options, wide, fixture.stop);
  for (int round = 0; round < 2; ++round) {
    for (const auto& run : fixture.plan().runs) {
      const Sample sample = bench.visit(run, round).front();
      if (is_memory(sample.spec.level)) {
        EXPECT_EQ(sample.status, Status::skipped);
        EXPECT_NE(sentence(sample.reason).find("not enough free memory"), std::string::npos)
            << sentence(sample.reason);
      } else {
        usable(sample);
      }
    }
  }
}

// One MiB of one thread on one node twice, which every machine has.
gable::bench::Run split_run(Fixture& fixture) {
  auto run = fixture.plan().runs.front();
  auto& spec = run.cases.front();
  spec.threads = 1;
  spec.bytes = MiB;
  spec.other_node = spec.node;
  spec.node_percent = 50;
  const auto node = static_cast<unsigned>(spec.node);
  run.shares.front() = {spec.cluster, {node, node}, 50};
  return run;
}

TEST(Visit, EverySplitRunHasPagesOfItsOwn) {
  SKIP_WITHOUT_NUMA();
  Fixture fixture(tiny_options({"memory,local,load"}));
  auto small = split_run(fixture);
  small.cases.front().pattern = Pattern::hybrid;
  auto large = small, crowded = small;
  large.cases.front().bytes = 4 * MiB;
  crowded.cases.front().threads = static_cast<int>(cpus().size());
  for (const auto& run : {small, large, large, small, crowded, small}) {
    const Sample sample = fixture.visit(run).front();
    usable(sample);
    EXPECT_EQ(total(sample.node_bytes), sample.spec.bytes * static_cast<std::uint64_t>(sample.spec.threads));
  }
}

// During the visit a hypervisor takes time, or its account goes backwards. One thread has this /proc/stat.
TEST(Visit, TheSampleHasTheTimeThatTheHypervisorTook) {
  const std::string path = testing::TempDir() + "gable-stat-" + std::to_string(getpid());
  const auto taken = [&](int ticks) {
    std::ofstream(path) << "cpu  0 0 0 0 0 0 0 " << ticks << " 0 0\ncpu0 0 0 0 0 0 0 0 " << ticks << " 0 0\n";
  };
  taken(500);
  bool allowed = false;
  std::thread([&] {
    allowed = unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
              mount(path.c_str(), "/proc/stat", nullptr, MS_BIND, nullptr) == 0;
    if (!allowed) return;
    gable::machines::Host emulated;  // all repetitions count, so that the half width is asked for
    emulated.emulated = true;
    Fixture fixture(tiny_options({"L1,load"}));
    for (const int then : {900, 100}) {
      taken(500);
      const auto meanwhile = [&](const std::vector<double>&) {
        taken(then);
        return 1.0;
      };
      Bench bench(fixture.machine, emulated, fixture.options, meanwhile, fixture.stop);
      const Sample sample = bench.visit(fixture.plan().runs.front(), 0).front();
      EXPECT_EQ(sample.steal_percent > 0, then > 500) << sample.steal_percent;
      EXPECT_GE(sample.steal_percent, 0);
    }
  }).join();
  std::remove(path.c_str());
  if (!allowed) GTEST_SKIP() << "another /proc/stat is not allowed here";
}

// Buffers of split runs are kept for the next visit, but not where the next run got none.
TEST(Visit, ASplitRunThatIsTooLargeHasNoPagesOfAnother) {
  SKIP_WITHOUT_NUMA();
  Fixture fixture(tiny_options({"memory,local,load"}));
  gable::machines::Host host;
  host.memory_available_bytes = 64 << 20;
  Bench bench(fixture.machine, host, fixture.options, wide, fixture.stop);
  auto small = split_run(fixture);
  auto large = small;
  large.cases.front().bytes = 256 * MiB;
  for (const auto* run : {&large, &small, &large, &large, &large}) {
    const Sample sample = bench.visit(*run, 0).front();
    if (run == &small) {
      usable(sample);
    } else {
      EXPECT_EQ(sample.status, Status::skipped);
    }
  }
}

std::atomic<std::uint64_t> in_forced{0}, in_other{0};
const Kernel* forced = nullptr;

// Counts the code in which threads were interrupted.
void sample_program_counter(int, siginfo_t*, void* context) {
  const auto at = static_cast<std::uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
  for (const Kernel& kernel : gable::kernels::all()) {
    if (at < reinterpret_cast<std::uintptr_t>(kernel.code) ||
        at >= reinterpret_cast<std::uintptr_t>(kernel.code_end))
      continue;
    if (kernel.additions > 0) return;
    ++(&kernel == forced ? in_forced : in_other);
  }
}

// A profiling timer shows which code the threads really execute.
TEST(Visit, TheForcedIsaIsTheOneThatRuns) {
  struct sigaction action = {};
  action.sa_sigaction = sample_program_counter;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGPROF, &action, nullptr);
  for (const std::string& isa : gable::kernels::isas()) {
    Fixture fixture(tiny_options({"L1,load"}, isa));
    const auto run = fixture.plan().runs.front();
    EXPECT_EQ(run.cases.front().kernel, "load_" + isa);
    forced = gable::kernels::find("load", isa);
    in_forced = in_other = 0;
    const itimerval often = {{0, 1000}, {0, 1000}}, never = {};
    setitimer(ITIMER_PROF, &often, nullptr);
    for (int i = 0; i < 500 && in_forced < 5; ++i) {
      for (const Sample& sample : fixture.visit(run)) EXPECT_TRUE(sample.spec.kernel.ends_with("_" + isa));
    }
    setitimer(ITIMER_PROF, &never, nullptr);
    EXPECT_GE(in_forced, 5u) << isa;
    EXPECT_EQ(in_other, 0u) << isa;
  }
  signal(SIGPROF, SIG_IGN);
}

}  // namespace

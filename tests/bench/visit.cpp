// Bursts and visits: what a Sample says is what happened, and what goes wrong behind its back makes it
// invalid.

#include "bench/visit.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "machines.hpp"

namespace {

using namespace gable::bench;
using gable::kernels::Kernel;
using gable::kernels::Kind;
using gable::machines::Machine;
using gable::model::Sample;
using gable::model::Status;

constexpr std::uint64_t KiB = 1 << 10;

const Preset tiny = {.name = "tiny",
                     .summary = "",
                     .rounds = 2,
                     .visit_seconds = 0.02,
                     .tight = 0,
                     .ladder_rounds = 1,
                     .ladder_seconds = 0.01,
                     .steps_per_octave = 1,
                     .load_steps = 2,
                     .grid_level = 1,
                     .grid_pairs = 1,
                     .grid_rounds = 1,
                     .validation = false,
                     .all_operations = false,
                     .all_pages = false};

Options options_of(std::vector<std::string> only, const std::string& isa = "") {
  Options options;
  options.preset = &tiny;
  options.pages = {"4k"};
  options.only = std::move(only);
  options.isa = isa;
  return options;
}

double wide(const std::vector<double>&) {
  return 1;
}

std::vector<unsigned> cpus() {
  return pus_of(gable::machines::this_machine().clusters.at(0), 0, false);
}

Work work_on(unsigned cpu, const Kernel& kernel, std::vector<double>& memory) {
  Work work;
  work.cpu = cpu;
  work.kernel = &kernel;
  work.per_iteration = kernel.load_bytes + kernel.store_bytes;
  work.arguments.scalar = 1;
  memory.assign(3 * 4096 + 8, 1.0);
  auto* base = reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(memory.data()) + 63) / 64 * 64);
  work.arguments.load[0] = base;
  work.arguments.load[1] = base + 32 * KiB;
  work.arguments.store = base + 64 * KiB;
  work.arguments.iterations_per_pass = 8;
  return work;
}

void expect_timeline(const Trace& trace, const Work& work, double seconds) {
  const auto& ticks = trace.timeline.ticks;
  ASSERT_GE(ticks.size(), 2u);
  EXPECT_EQ(ticks.front().iterations, 0u);
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    EXPECT_GE(ticks[i].ns, ticks[i - 1].ns);
    EXPECT_GE(ticks[i].iterations, ticks[i - 1].iterations);
    EXPECT_EQ(ticks[i].iterations % std::max<std::uint64_t>(1, work.chunk), 0u);
  }
  EXPECT_GE(static_cast<double>(ticks.back().ns - ticks.front().ns), 0.9 * seconds * 1e9);
  EXPECT_EQ(trace.timeline.work_per_iteration, work.per_iteration);
}

TEST(Burst, EveryThreadKeepsATimeline) {
  Team team;
  const std::vector<unsigned> all = cpus();
  std::vector<std::vector<double>> memory(all.size());
  std::vector<Work> work;
  for (std::size_t i = 0; i < all.size(); ++i) {
    work.push_back(work_on(all[i], *gable::kernels::best("load"), memory[i]));
  }
  const std::atomic<bool> stop{false};
  const auto traces = run_burst(team, work, 0.01, stop);
  ASSERT_EQ(traces.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    expect_timeline(traces[i], work[i], 0.01);
    EXPECT_GT(traces[i].timeline.ticks.back().iterations, 0u);
    EXPECT_EQ(traces[i].cpus_seen, std::vector<unsigned>{all[i]});
  }
}

TEST(Burst, AThreadAtNoLoadWaits) {
  Team team;
  std::vector<double> memory;
  std::vector<Work> work = {work_on(cpus().front(), *gable::kernels::best("store"), memory)};
  work.front().percent = 0;
  std::ranges::fill(memory, 7.0);
  const std::atomic<bool> stop{false};
  const auto traces = run_burst(team, work, 0.005, stop);
  expect_timeline(traces.front(), work.front(), 0.005);
  EXPECT_EQ(traces.front().timeline.ticks.back().iterations, 0u);
  for (const double each : memory) EXPECT_EQ(each, 7.0);
}

// A chunk of work is never begun before the one before it and its pause are over.
TEST(Burst, AThrottledThreadKeepsToItsShare) {
  Team team;
  for (const int percent : {10, 50, 90}) {
    std::vector<double> memory;
    std::vector<Work> work = {work_on(cpus().front(), *gable::kernels::best("load"), memory)};
    work.front().percent = percent;
    const std::atomic<bool> stop{false};
    const auto traces = run_burst(team, work, 0.01, stop);
    const auto& ticks = traces.front().timeline.ticks;
    const double chunks =
        static_cast<double>(ticks.back().iterations) / static_cast<double>(work.front().chunk);
    const double ns = static_cast<double>(ticks.back().ns - ticks.front().ns);
    EXPECT_LE(chunks * work.front().chunk_ns, percent / 100.0 * ns + work.front().chunk_ns) << percent;
    EXPECT_GT(chunks, 0) << percent;
  }
}

TEST(Burst, StopsWhenAsked) {
  Team team;
  std::vector<double> memory;
  std::vector<Work> work = {work_on(cpus().front(), *gable::kernels::best("load"), memory)};
  std::atomic<bool> stop{false};
  std::thread asks([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop = true;
  });
  const auto traces = run_burst(team, work, 60, stop);
  asks.join();
  const auto& ticks = traces.front().timeline.ticks;
  EXPECT_LT(ticks.back().ns - ticks.front().ns, 30'000'000'000);
}

TEST(Burst, TheClockIsMeasured) {
  const double clock = measure_clock_ghz();
  EXPECT_GT(clock, 0.01);
  EXPECT_LT(clock, 20);
}

/// A bench on this host, and what it needs to outlive it.
struct Fixture {
  explicit Fixture(Options chosen, gable::machines::Host described = {})
      : options(std::move(chosen)), host(std::move(described)) {}
  std::vector<Sample> visit(const gable::bench::Run& run) { return bench.visit(run, 3); }
  Plan plan() const { return make_plan(machine, {}, options); }

  Machine machine = gable::machines::this_machine();
  Options options;
  gable::machines::Host host;
  std::atomic<bool> stop{false};
  Bench bench{machine, host, options, wide, stop};
};

// A busy machine may spoil a figure, but only for this reason.
bool usable(const Sample& sample) {
  if (sample.status == Status::ok) return true;
  EXPECT_TRUE(sample.reason.starts_with("other processes") ||
              sample.reason.find("stood still") != std::string::npos)
      << sample.reason;
  return false;
}

void expect_consistent(const Sample& sample) {
  EXPECT_EQ(sample.round, 3);
  EXPECT_EQ(sample.work.size(), sample.seconds.size());
  for (const double work : sample.work) EXPECT_GT(work, 0);
  for (const double seconds : sample.seconds) EXPECT_GT(seconds, 0);
  EXPECT_EQ(sample.cpus.size(), static_cast<std::size_t>(sample.asked.threads));
  EXPECT_FALSE(sample.stopped.empty());
  EXPECT_FALSE(sample.started.empty());
  EXPECT_GT(sample.clock_ghz, 0);
  if (sample.asked.kind == "loaded_latency") {
    EXPECT_EQ(sample.load_bytes.size(), sample.work.size());
  }
}

TEST(Visit, ASampleSaysWhatHappened) {
  for (const char* only : {"flops,fma", "L1,bandwidth", "L2,latency"}) {
    Fixture fixture(options_of({only}));
    for (const auto& run : fixture.plan().runs) {
      for (const Sample& sample : fixture.visit(run)) {
        if (sample.status == Status::skipped) continue;
        if (usable(sample)) expect_consistent(sample);
        if (sample.asked.kind == "flops") {
          EXPECT_TRUE(sample.node_bytes.empty());
        } else {
          ASSERT_EQ(sample.node_bytes.size(), 1u);
          EXPECT_EQ(sample.node_bytes.begin()->first, sample.asked.node);
        }
      }
    }
  }
}

TEST(Visit, ALoadIsMadeBesideTheChase) {
  Fixture fixture(options_of({"loaded_latency"}));
  for (auto run : fixture.plan().runs) {
    if (run.cases.front().load_percent == 50) continue;
    for (auto& asked : run.cases) asked.bytes = run.capacity_bytes = run.first_capacity_bytes = 8 << 20;
    const Sample sample = fixture.visit(run).front();
    if (sample.status == Status::skipped) GTEST_SKIP() << sample.reason;
    for (const double load : sample.load_bytes) EXPECT_EQ(load > 0, sample.asked.load_percent > 0);
  }
}

TEST(Visit, AnInterruptionBeforeTheFirstBurstIsInvalid) {
  Fixture fixture(options_of({"L1,load"}));
  const Plan plan = fixture.plan();
  fixture.stop = true;
  for (const Sample& sample : fixture.visit(plan.runs.front())) {
    EXPECT_EQ(sample.status, Status::invalid);
    EXPECT_EQ(sample.stopped, "interrupted");
  }
}

TEST(Visit, ACpuThatIsNotThereIsSkippedByName) {
  Fixture fixture(options_of({"fma"}));
  fixture.machine.clusters.front().cores.front().pus = {100'000};
  for (const Sample& sample : fixture.visit(fixture.plan().runs.front())) {
    EXPECT_EQ(sample.status, Status::skipped);
    EXPECT_NE(sample.reason.find("100000"), std::string::npos) << sample.reason;
  }
}

TEST(Visit, ANodeThatIsNotThereIsSkippedByName) {
  Fixture fixture(options_of({"L1,load"}));
  Plan plan = fixture.plan();
  plan.runs.front().shares.front().nodes = {9999};
  for (int again = 0; again < 2; ++again) {
    for (const Sample& sample : fixture.visit(plan.runs.front())) {
      EXPECT_NE(sample.status, Status::ok);
      EXPECT_NE(sample.reason.find("9999"), std::string::npos) << sample.reason;
    }
  }
}

// Cells that lie on the same node share their buffers, but one that is too large takes nothing from the
// others.
TEST(Visit, LittleMemorySkipsOnlyWhatIsLarge) {
  Fixture fixture(options_of({"memory,local,load", "L1,load"}));
  gable::machines::Host host;
  host.memory_available_bytes = 32 << 20;
  Bench bench(fixture.machine, host, fixture.options, wide, fixture.stop);
  for (int round = 0; round < 2; ++round) {
    for (const auto& run : fixture.plan().runs) {
      const Sample sample = bench.visit(run, round).front();
      if (sample.asked.level == "memory") {
        EXPECT_EQ(sample.status, Status::skipped);
        EXPECT_NE(sample.reason.find("not enough free memory"), std::string::npos) << sample.reason;
      } else {
        usable(sample);
      }
    }
  }
}

// Threads of this process that are pinned to `cpu` alone.
std::vector<pid_t> pinned_to(unsigned cpu) {
  std::vector<pid_t> found;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    const pid_t tid = std::stoi(task.path().filename());
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(tid, sizeof set, &set) != 0) continue;
    if (CPU_COUNT(&set) == 1 && CPU_ISSET(cpu, &set)) found.push_back(tid);
  }
  return found;
}

void expect_moved_thread_is_seen(const gable::machines::Host& host) {
  const std::vector<unsigned> all = cpus();
  if (all.size() < 2) GTEST_SKIP() << "one CPU: nowhere to move a thread to";
  Fixture fixture(options_of({"L1,latency"}), host);
  const auto run = fixture.plan().runs.front();
  fixture.visit(run);
  std::atomic<bool> over{false};
  std::thread saboteur([&] {
    cpu_set_t other;
    CPU_ZERO(&other);
    CPU_SET(all[1], &other);
    while (!over) {
      for (const pid_t tid : pinned_to(all[0])) sched_setaffinity(tid, sizeof other, &other);
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  });
  const Sample sample = fixture.visit(run).front();
  over = true;
  saboteur.join();
  EXPECT_EQ(sample.status, Status::invalid);
  EXPECT_NE(sample.reason.find("ran on CPU " + std::to_string(all[1])), std::string::npos) << sample.reason;
  usable(fixture.visit(run).front());  // the next visit has its threads where they belong
}

gable::machines::Host emulated_host() {
  gable::machines::Host host;
  host.emulated = true;
  return host;
}

TEST(Visit, AThreadThatIsMovedSpoilsTheSample) {
  expect_moved_thread_is_seen({});
}

TEST(Visit, AThreadThatIsMovedSpoilsTheSampleOfAnEmulatedMachine) {
  expect_moved_thread_is_seen(emulated_host());
}

// Whatever else runs: time is not what an emulated machine is measured for.
TEST(Visit, ACoRunnerSpoilsNothingUnderEmulation) {
  Fixture fixture(options_of({"L1"}), emulated_host());
  std::atomic<bool> over{false};
  std::thread runner([&] {
    while (!over) {
    }
  });
  for (const auto& run : fixture.plan().runs) {
    for (const Sample& sample : fixture.visit(run)) {
      if (sample.status == Status::skipped) continue;
      EXPECT_EQ(sample.status, Status::ok) << sample.reason;
      EXPECT_EQ(sample.disturbed, 0);
      ASSERT_FALSE(sample.notes.empty());
      EXPECT_NE(sample.notes.front().find("emulated"), std::string::npos);
    }
  }
  over = true;
  runner.join();
}

TEST(Visit, ACoRunnerDisturbsRepetitions) {
  Fixture fixture(options_of({"L1,latency"}));
  const auto run = fixture.plan().runs.front();
  const pid_t child = fork();
  if (child == 0) {
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET(cpus().front(), &here);
    sched_setaffinity(0, sizeof here, &here);
    while (getppid() != 1) {
    }
    _exit(0);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  int disturbed = 0;
  for (int i = 0; i < 5; ++i) disturbed += fixture.visit(run).front().disturbed;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_GT(disturbed, 0);
}

std::atomic<std::uint64_t> in_forced{0}, in_other{0};
const Kernel* forced = nullptr;

// Counts whose code the interrupted thread was in.
void sample_program_counter(int, siginfo_t*, void* context) {
  const auto at = static_cast<std::uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
  for (const Kernel& kernel : gable::kernels::all()) {
    if (at < reinterpret_cast<std::uintptr_t>(kernel.code) ||
        at >= reinterpret_cast<std::uintptr_t>(kernel.code_end))
      continue;
    if (kernel.kind == Kind::clock) return;
    ++(&kernel == forced ? in_forced : in_other);
  }
}

// A profiling timer shows where the threads really are.
TEST(Visit, TheForcedIsaIsTheOneThatRuns) {
  struct sigaction action = {};
  action.sa_sigaction = sample_program_counter;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGPROF, &action, nullptr);
  for (const std::string& isa : gable::kernels::isas()) {
    Fixture fixture(options_of({"L1,load"}, isa));
    const auto run = fixture.plan().runs.front();
    EXPECT_EQ(run.cases.front().kernel, "load_" + isa);
    forced = gable::kernels::find("load", isa);
    in_forced = in_other = 0;
    const itimerval often = {{0, 1000}, {0, 1000}}, never = {};
    setitimer(ITIMER_PROF, &often, nullptr);
    for (int i = 0; i < 20 && in_forced < 5; ++i) {
      for (const Sample& sample : fixture.visit(run)) EXPECT_TRUE(sample.asked.kernel.ends_with("_" + isa));
    }
    setitimer(ITIMER_PROF, &never, nullptr);
    EXPECT_GE(in_forced, 5u) << isa;
    EXPECT_EQ(in_other, 0u) << isa;
  }
  signal(SIGPROF, SIG_IGN);
}

}  // namespace

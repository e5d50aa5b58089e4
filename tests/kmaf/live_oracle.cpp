// The oracle of a running program: threads are recognized by name, pages are moved once they are in memory.

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "kmaf/live/policies/known_pages.hpp"
#include "kmaf/live/policies/known_threads.hpp"
#include "kmaf/live/policies/learner.hpp"
#include "kmaf/live/policies/oracle.hpp"
#include "kmaf/live/program/inherited.hpp"
#include "kmaf/live/samplers/perf_events.hpp"
#include "machines.hpp"
#include "played_kernel.hpp"

namespace gable::kmaf::live {
namespace {

Event started(pid_t pid, pid_t tid, pid_t parent, double seconds = 0) {
  return {Event::Kind::started, pid, tid, parent, parent, 0, 0, seconds};
}
Event ended(pid_t pid, pid_t tid) {
  return {Event::Kind::ended, pid, tid, 0, 0, 0, 0, 0};
}
Event replaced(pid_t pid, double seconds = 0) {
  return {Event::Kind::replaced, pid, pid, 0, 0, 0, 0, seconds};
}

const pid_t self = getpid();
std::string own_image() {
  return std::filesystem::read_symlink("/proc/self/exe");
}

TEST(Names, AreByOrderOfCreation) {
  Names names(self);
  names.follow(replaced(self));
  names.follow(started(self, 500, self));
  names.follow(started(self, 400, self));  // thread IDs are reused
  EXPECT_EQ(names.program(self), (KnownProgram{"0+1", own_image()}));
  EXPECT_EQ(names.task(self)->number, 0);
  EXPECT_EQ(names.task(500)->number, 1);
  EXPECT_EQ(names.task(400)->number, 2);
  names.follow(ended(self, 500));
  EXPECT_FALSE(names.task(500));
  names.follow(started(self, 500, self));
  EXPECT_EQ(names.task(500)->number, 3) << "another thread of that number";
  EXPECT_FALSE(names.task(77)) << "never seen";
}

TEST(Names, OfProcessesTellWhoStartedThem) {
  Names names(77);  // any number: pids need not exist
  names.follow(started(80, 80, 77));
  names.follow(started(self, self, 80));
  names.follow(started(90, 90, 80));
  names.follow(ended(90, 90));
  names.follow(started(91, 91, 80));
  EXPECT_EQ(names.program(self)->name, "0.1.1");
  names.follow(replaced(self));
  EXPECT_EQ(names.program(self)->name, "0.1.1+1");
  EXPECT_FALSE(names.program(90));
}

TEST(Names, OfAnExecAreNewOnes) {
  Names names(self);
  names.follow(started(self, 500, self));
  const auto before = names.task(self)->instance;
  names.follow(replaced(self));
  EXPECT_NE(names.task(self)->instance, before);
  names.follow(started(self, 501, self));
  EXPECT_EQ(names.task(501)->number, 1);
}

// Two runs with different pids, thread IDs and addresses give the same record.
TEST(Learner, LearnsTheSameFromTheSameProgram) {
  const auto learn = [](pid_t other, std::uint64_t object) {
    Learner learner(self, 4096, 1024);
    learner.follow(replaced(self));
    learner.follow(started(self, other, self));
    for (const auto& [tid, address] :
         {std::pair(self, 0x5000), {other, 0x5008}, {other, 0x9000}, {self, 0x5010}}) {
      const auto at = static_cast<std::uint64_t>(address);
      learner.sample({Event::Kind::access, self, tid, 0, 0, at, 0, 0}, {object, at});
    }
    learner.follow(ended(self, other));
    learner.sample({Event::Kind::access, self, other, 0, 0, 0x5000, 0, 0}, {object, 0x5000});  // too late
    return learner.knowledge();
  };
  const Knowledge known = learn(500, 1);
  EXPECT_EQ(known, learn(900, 6));
  EXPECT_EQ(known.tasks, (std::vector<KnownTask>{{0, 0, 2}, {0, 1, 2}}));
  EXPECT_EQ(known.sharing, (std::vector<KnownSharing>{{0, 1, 2}}));
  EXPECT_EQ(known.pages.size(), 2u);
  EXPECT_EQ(known.samples_left_out, 1u) << "the one that came too late";
}

class Known : public testing::Test {
 protected:
  Known() : journal_(Journal::unnamed()), binder_(kernel_, journal_, all_), names_(self) {
    for (const pid_t tid : {self, 500, 501, 502}) kernel_.masks[tid] = all_;
    knowledge_.programs = {{"0+1", own_image()}};
    knowledge_.tasks = {{0, 0, 9}, {0, 1, 9}, {0, 2, 9}};
    knowledge_.tasks_at_once = 3;
  }
  void follow(KnownThreads& threads, const Event& event) {
    if (event.kind != Event::Kind::ended) names_.follow(event);
    threads.follow(event, names_);
    if (event.kind == Event::Kind::ended) names_.follow(event);
  }
  unsigned pu(pid_t tid) { return kernel_.masks[tid].size() == 1 ? kernel_.masks[tid][0] : 99; }

  const std::vector<unsigned> all_ = {0, 1, 2, 3};
  const Hierarchy hierarchy_ = hierarchy_of(test::small());
  const Mapping leaves_ = {3, 0, 2};
  Knowledge knowledge_;
  PlayedKernel kernel_;
  Journal journal_;
  Binder binder_;
  Names names_;
};

TEST_F(Known, ThreadsGoToWhereTheRecordSendsThem) {
  KnownThreads threads(knowledge_, leaves_, hierarchy_, binder_, self, 0, true);
  follow(threads, replaced(self, 1));
  threads.advance(1.05, names_);
  EXPECT_EQ(pu(self), 99u) << "alone, and asks how many hardware threads there are";
  follow(threads, started(self, 500, self));
  EXPECT_EQ(pu(self), 3u);
  EXPECT_EQ(pu(500), 0u);
  follow(threads, started(self, 501, self));
  EXPECT_EQ(pu(501), 2u);
  EXPECT_EQ(threads.recognized(), 3u);
  EXPECT_EQ(threads.missed(), 0u);
  follow(threads, started(self, 502, self));
  EXPECT_EQ(pu(502), 99u) << "not in the record";
  EXPECT_EQ(threads.unknown(), 1u);
}

TEST_F(Known, ProgramsOfAnotherImageAreLeft) {
  knowledge_.programs[0].image = "/bin/other";
  KnownThreads threads(knowledge_, leaves_, hierarchy_, binder_, self, 0, true);
  follow(threads, replaced(self));
  follow(threads, started(self, 500, self));
  EXPECT_EQ(pu(500), 99u);
  EXPECT_EQ(threads.recognized(), 0u);
  EXPECT_EQ(threads.unknown(), 2u);
  EXPECT_EQ(threads.missed(), 3u);
}

TEST_F(Known, OnePlaceIsNotGivenTwiceAtATime) {
  const Mapping same = {3, 3, 3};  // they ran one after another
  knowledge_.tasks_at_once = 1;
  KnownThreads threads(knowledge_, same, hierarchy_, binder_, self, 0, true);
  follow(threads, replaced(self));
  follow(threads, started(self, 500, self));
  EXPECT_EQ(pu(self), 3u);
  EXPECT_EQ(pu(500), 2u) << "the nearest";
  follow(threads, ended(self, 500));
  follow(threads, started(self, 501, self));
  EXPECT_EQ(pu(501), 2u) << "is free again";
}

TEST_F(Known, AnExecFreesWhatWasBound) {
  KnownThreads threads(knowledge_, leaves_, hierarchy_, binder_, self, 0, true);
  follow(threads, replaced(self, 1));
  threads.advance(1.2, names_);
  EXPECT_EQ(pu(self), 3u);
  follow(threads, replaced(self, 2));
  threads.advance(2.2, names_);
  EXPECT_EQ(pu(self), 99u) << "the second program is not in the record";
}

TEST_F(Known, ThreadsAreLeftWhereDataAreAllThatIsPlaced) {
  KnownThreads threads(knowledge_, leaves_, hierarchy_, binder_, self, 0, false);
  follow(threads, replaced(self));
  follow(threads, started(self, 500, self));
  EXPECT_EQ(pu(500), 99u);
  EXPECT_EQ(threads.recognized(), 2u);
}

class PlayedFollower : public Sampler {
 public:
  void attach(pid_t) override {}
  Events read() override { return {}; }
  std::uint64_t lost() const override { return lost_events; }

  std::uint64_t lost_events = 0;
};

// What the record says of their accesses, from where its threads are to where its pages are. A first touch
// does not count: all of them are recorded, but few of the later accesses.
TEST_F(Known, TheReportTellsTheRecordedAccesses) {
  PlayedFollower follower;
  constexpr std::uint64_t first = 0x10000000, second = 0x20000000, never = 0x30000000;
  knowledge_.pages = {{0, first, {{0, 31}, {1, 10}}, 0}, {0, second, {{2, 60}}}, {0, never, {{2, 99}}}};
  kernel_.errors[never] = -ENOENT;
  const Mapping leaves = leaves_of(knowledge_, hierarchy_);
  Oracle oracle({knowledge_, true, true, 0.01, self, 0}, hierarchy_, follower, kernel_, binder_);
  oracle.take({replaced(self, 1)}, 1);
  Report report;
  oracle.finish(report);
  std::map<std::pair<int, int>, double> shares, wanted;
  for (const AccessShare& access : report.access) shares[{access.cluster, access.node}] = access.share;
  const auto cluster = [&](int task) {
    return hierarchy_.leaves[static_cast<std::size_t>(leaves[static_cast<std::size_t>(task)])].node;
  };
  wanted[{cluster(0), kernel_.node[first]}] += 0.3;
  wanted[{cluster(1), kernel_.node[first]}] += 0.1;
  wanted[{cluster(2), kernel_.node[second]}] += 0.6;
  EXPECT_EQ(shares.size(), wanted.size());
  for (const auto& [place, share] : wanted) EXPECT_NEAR(shares[place], share, 1e-12);
  EXPECT_NEAR(report.access_samples, 30 + 10 + 60, 1e-9);
}

// Many samples of neighbouring pages tell little of the others. First touches, which all pages have, do not
// count.
TEST_F(Known, TheReportTellsInHowMuchOfItsMemorySamplesAre) {
  PlayedFollower follower;
  constexpr std::uint64_t far = 64 << 20, near = 4096, base = 0x10000000;
  const auto seen_in = [&](const std::vector<KnownPage>& pages) {
    knowledge_.pages = pages;
    Oracle oracle({knowledge_, true, true, 0.01, self, 0}, hierarchy_, follower, kernel_, binder_);
    oracle.take({replaced(self, 1)}, 1);
    Report report;
    oracle.finish(report);
    return report.access_seen_in;
  };
  const KnownPage touched = {0, base + far, {{2, 1}}, 2};
  EXPECT_EQ(seen_in({{0, base, {{0, 1000}}, 0}, touched}), 0.5);
  EXPECT_EQ(seen_in({{0, base, {{0, 2}}, 0}, touched, {0, base + far + near, {{1, 2}}, 1}}), 1);
  EXPECT_EQ(seen_in({{0, base, {{0, 1}}, 0}, touched, {0, base + 2 * far, {{2, 1}}, 2, 5}}), 1.0 / 3);
}

// A page has room for few tasks. Its other accesses come from the clusters whose tasks have more accesses
// than the pages tell.
TEST_F(Known, AccessesBeyondTheTasksOfAPageAreSharedByWhatIsLacking) {
  PlayedFollower follower;
  constexpr std::uint64_t page = 0x10000000;
  knowledge_.pages = {{0, page, {{0, 20}}, -1, 80}};
  for (KnownTask& task : knowledge_.tasks) task.accesses = 0;
  knowledge_.tasks[0].accesses = 20;
  knowledge_.tasks[1].accesses = 60;
  knowledge_.tasks[2].accesses = 20;
  const Mapping leaves = leaves_of(knowledge_, hierarchy_);
  Oracle oracle({knowledge_, true, true, 0.01, self, 0}, hierarchy_, follower, kernel_, binder_);
  oracle.take({replaced(self, 1)}, 1);
  Report report;
  oracle.finish(report);
  std::map<int, double> shares, wanted;
  for (const AccessShare& access : report.access) shares[access.cluster] += access.share;
  const double share_of_task[] = {0.2, 0.6, 0.2};
  for (int task = 0; task < 3; ++task)
    wanted[hierarchy_.leaves[static_cast<std::size_t>(leaves[static_cast<std::size_t>(task)])].node] +=
        share_of_task[task];
  for (const auto& [cluster, share] : wanted) EXPECT_NEAR(shares[cluster], share, 1e-12) << cluster;
  EXPECT_NEAR(report.access_samples, 100, 1e-9);
}

// The third thread cannot be identified: the event of an earlier one may be lost.
TEST_F(Known, AfterLostEventsNewThreadsAreUnknown) {
  PlayedFollower follower;
  Oracle oracle({knowledge_, true, true, 0.01, self, 0}, hierarchy_, follower, kernel_, binder_);
  oracle.take({replaced(self, 1), started(self, 500, self, 1)}, 1);
  EXPECT_NE(pu(500), 99u);
  follower.lost_events = 7;
  oracle.take({started(self, 501, self, 1)}, 1.1);
  EXPECT_EQ(pu(501), 99u);
  Report report;
  oracle.finish(report);
  EXPECT_EQ(report.lost, 7u);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(report.notes[0], gable::model::Note(gable::model::NoteCode::starts_lost, {7.0}));
  EXPECT_EQ(report.recognized->tasks, 2u);
  EXPECT_EQ(report.recognized->tasks_unknown, 1u);
}

TEST(Names, AreGivenNoMoreOnceCountIsLost) {
  Names names(self);
  EXPECT_TRUE(names.program(self));
  names.lose_count();
  EXPECT_TRUE(names.program(self)) << "it began before";
  names.follow(replaced(self));
  EXPECT_FALSE(names.program(self));
}

// More threads start and end on one hardware thread than its buffer holds, without a read.
TEST(Follower, CountsLostEvents) {
  if (PerfEvents::refusal(PerfEvents::What::tasks) != 0) GTEST_SKIP() << "perf is not allowed here";
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t program = fork();
  if (program == 0) {
    char go = 0;
    const int cpu = sched_getcpu();
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(cpu), &one);
    sched_setaffinity(0, sizeof one, &one);
    if (read(ends[0], &go, 1) == 1)
      execlp("sh", "sh", "-c", "i=0; while [ $i -lt 7000 ]; do (:); i=$((i+1)); done; kill -STOP $$; (:)",
             nullptr);
    _exit(1);
  }
  const auto follower = make_follower();
  follower->attach(program);
  EXPECT_EQ(write(ends[1], "g", 1), 1);
  int status = -1;
  waitpid(program, &status, WUNTRACED);
  EXPECT_TRUE(WIFSTOPPED(status));
  follower->read();
  kill(program, SIGCONT);  // the kernel reports it with the next event
  waitpid(program, &status, 0);
  EXPECT_EQ(status, 0);
  follower->read();
  close(ends[0]);
  close(ends[1]);
  EXPECT_GT(follower->lost(), 0u);
}

TEST_F(Known, PagesGoHomeOnceTheyAreThere) {
  constexpr std::size_t bytes = 4096, count = 4;
  void* const memory =
      mmap(nullptr, count * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const auto at = [&](std::size_t page) { return reinterpret_cast<std::uint64_t>(memory) + page * bytes; };
  for (std::size_t page = 0; page < count; ++page) {
    knowledge_.pages.push_back({0, at(page), {{0, 1}}});
    kernel_.errors[at(page)] = -ENOENT;
  }
  names_.follow(replaced(self));
  KnownPages pages(knowledge_, {1, 1, 0, 1}, {0, 1, 2, 3}, kernel_);
  double now = 0;
  const auto work = [&] {
    for (int i = 0; i < 10; ++i) pages.work({self}, names_, now += 2);
  };
  work();
  EXPECT_TRUE(kernel_.calls.empty()) << "nothing is in memory yet";
  EXPECT_EQ(pages.missed(), count);

  for (const std::size_t page : {0, 1, 2}) kernel_.errors.erase(at(page));  // they are now, on node 0
  work();
  EXPECT_EQ(kernel_.node[at(0)], 1);
  EXPECT_EQ(kernel_.node[at(1)], 1);
  EXPECT_EQ(kernel_.node[at(2)], 0);
  EXPECT_EQ(pages.moves().done, 2u);
  EXPECT_EQ(pages.in_place(), 3u);
  EXPECT_EQ(pages.missed(), 1u);

  kernel_.node[at(1)] = 0;  // freed and reallocated
  work();
  EXPECT_EQ(kernel_.node[at(1)], 1);

  kernel_.stubborn.insert(at(0));
  kernel_.node[at(0)] = 0;
  const std::size_t before = kernel_.calls.size();
  for (int i = 0; i < 40; ++i) work();
  EXPECT_LE(kernel_.calls.size() - before, 20u * 4) << "what never works is given up";
  EXPECT_EQ(pages.elsewhere(), 1u);

  kernel_.stubborn.clear();
  kernel_.node[at(1)] = 0;
  names_.follow(replaced(self));  // executes another program
  work();
  EXPECT_EQ(kernel_.node[at(1)], 0);
  munmap(memory, count * bytes);
}

TEST_F(Known, PagesOfWhatIsNotInTheRecordAreLeft) {
  knowledge_.pages = {{0, 0x1000, {{0, 1}}}};
  KnownPages pages(knowledge_, {1}, {0, 1, 2, 3}, kernel_);
  for (int i = 0; i < 10; ++i) pages.work({self}, names_, 2.0 * i);  // "0", and not "0+1"
  EXPECT_TRUE(kernel_.node.empty()) << "not even asked for";
  EXPECT_EQ(pages.missed(), 1u);
  EXPECT_GT(pages.unknown_bytes(), 0u);
}

// A program that inherits it has its stack at the same address in both runs.
TEST(Inherited, AddressesAreFixed) {
  if (fix_addresses_refusal() != 0) GTEST_SKIP() << "personality is refused here";
  const auto stack_of_a_program = [] {
    int ends[2];
    if (pipe(ends) != 0) return std::string();
    if (fork() == 0) {
      fix_addresses();
      dup2(ends[1], STDOUT_FILENO);
      execlp("grep", "grep", "-F", "[stack]", "/proc/self/maps", nullptr);
      _exit(1);
    }
    close(ends[1]);
    std::string text(256, 0);
    const ssize_t got = read(ends[0], text.data(), text.size());
    close(ends[0]);
    return text.substr(0, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  };
  const std::string first = stack_of_a_program();
  EXPECT_NE(first, "");
  for (int i = 0; i < 4; ++i) EXPECT_EQ(stack_of_a_program(), first);
}

}  // namespace
}  // namespace gable::kmaf::live

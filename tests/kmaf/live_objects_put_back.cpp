// Removing the policies of shared memory, wherever it can still be reached.

#include <sys/wait.h>

#include <filesystem>
#include <fstream>

#include "kmaf/live/guardian/bounded.hpp"
#include "object_kinds.hpp"

namespace gable::kmaf::live {
namespace {

class ObjectsPutBack : public Objects {};

TEST(ObjectChange, LinesOfTheJournal) {
  const ObjectChange change{
      {27 | system_v, 64, "/dev/shm/a  name\\012of two lines"}, 8192, {hidden, {0, 3, 12}}};
  EXPECT_EQ(change_from(to_line(change)), change);
  EXPECT_EQ(to_line({{27, 64, "/dev/shm/x"}, 0, {8194, {0, 1}}}), "27 64 0 8194 0,1 /dev/shm/x");
  for (const char* const line :
       {"", "27 64 0 8194", "27 64 0 8194 0,1", "27 64 0 8194 0,x /a", "a b c d e f"})
    EXPECT_THROW(change_from(line), std::runtime_error) << line;
}

TEST_P(ObjectsPutBack, GetThePolicyAndArePutBack) {
  SharedObjects objects(journal_);
  look(objects);
  if (const std::string lacks = lacking(objects); !lacks.empty()) GTEST_SKIP() << lacks;
  EXPECT_EQ(mode_at(memory_), hidden);
  EXPECT_EQ(mode_at(memory_ + bytes), 0) << "where the memory of the other pages comes from stays as it is";
  EXPECT_EQ(pages_in_memory(memory_), 0) << "no page is touched";
  look(objects);
  EXPECT_EQ(objects.counts().done, 1u) << "once";
  EXPECT_TRUE(put_back(journal_.text(), "/").empty());
  EXPECT_EQ(mode_at(memory_), 0);
  EXPECT_EQ(pages_in_memory(memory_), 0);
}

TEST_P(ObjectsPutBack, PoliciesOfOthersAreKept) {
  SharedObjects objects(journal_);
  look(objects);
  if (const std::string lacks = lacking(objects); !lacks.empty()) GTEST_SKIP() << lacks;
  const unsigned long node = 1;
  ASSERT_EQ(syscall(SYS_mbind, memory_, bytes, 2, &node, 64, 0), 0);
  EXPECT_TRUE(put_back(journal_.text(), "/").empty());
  EXPECT_EQ(mode_at(memory_), 2);
}

TEST_P(ObjectsPutBack, AreReachedThroughOtherProcesses) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t other = fork();
  if (other == 0) {
    char byte = 0;
    close(ends[1]);
    while (read(ends[0], &byte, 1) > 0) continue;
    _exit(mode_at(memory_));
  }
  close(ends[0]);
  SharedObjects objects(journal_);
  look(objects);
  const std::string lacks = lacking(objects);
  munmap(memory_, bytes * pages);
  memory_ = nullptr;
  EXPECT_TRUE(put_back(journal_.text(), "/").empty());
  close(ends[1]);
  int status = 0;
  waitpid(other, &status, 0);
  if (!lacks.empty()) GTEST_SKIP() << lacks;
  EXPECT_FALSE(refused(objects));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// A damaged line, first or in the middle, does not keep others from being restored.
TEST_P(ObjectsPutBack, ThoughALineIsDamaged) {
  SharedObjects objects(journal_);
  look(objects);
  if (const std::string lacks = lacking(objects); !lacks.empty()) GTEST_SKIP() << lacks;
  const std::filesystem::path root = testing::TempDir() + "/gable-put-back-" + std::to_string(getpid());
  std::filesystem::create_directories(root);
  std::ofstream(root / "knob") << 1;
  const auto left = put_back(
      "object 27 64 0 8194  /dev/shm/none\nsetting /knob 0\nwrote /knob 1\nobject\n" + journal_.text(), root);
  ASSERT_EQ(left.size(), 2u);
  EXPECT_NE(left[0].find("object 27 64 0 8194  /dev/shm/none"), std::string::npos) << left[0];
  EXPECT_EQ(mode_at(memory_), 0);
  int knob = -1;
  std::ifstream(root / "knob") >> knob;
  EXPECT_EQ(knob, 0);
  std::filesystem::remove_all(root);
}

// Without a child process to search others, it finds what it can and reports the rest.
TEST_P(ObjectsPutBack, ObjectsNotFoundAreReported) {
  SharedObjects objects(journal_);
  look(objects);
  if (const std::string lacks = lacking(objects); !lacks.empty()) GTEST_SKIP() << lacks;
  const pid_t child = fork();
  if (child == 0) {
    if (!forbid({SYS_clone, SYS_clone3, SYS_fork})) _exit(77);
    _exit(static_cast<int>(put_back(journal_.text(), "/").size()));
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "no seccomp here";
  const std::string name = GetParam().name;
  const bool is_found = name == "file" || name == "systemv";
  EXPECT_EQ(WEXITSTATUS(status), is_found ? 0 : 1);
  EXPECT_EQ(mode_at(memory_), is_found ? 0 : hidden);
}

INSTANTIATE_TEST_SUITE_P(Every, ObjectsPutBack, testing::ValuesIn(kinds),
                         [](const testing::TestParamInfo<Kind>& kind) { return kind.param.name; });

TEST(SharedObjectsPutBack, UnmappedFilesArePutBack) {
  SKIP_WITHOUT_POLICIES();
  const std::string name = "/dev/shm/gable-test-unmapped-" + std::to_string(getpid());
  const auto mode = [&](const auto& act) {  // of the first page, after something was done with it
    const Descriptor file(open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    EXPECT_EQ(ftruncate(file.get(), bytes), 0);
    void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    act(reinterpret_cast<std::uint64_t>(at));
    const int now = mode_at(at);
    munmap(at, bytes);
    return now;
  };
  Journal journal = Journal::unnamed();
  SharedObjects objects(journal);
  const int seen =
      mode([&](std::uint64_t at) { objects.look(getpid(), {mapping_at(reinterpret_cast<void*>(at))}); });
  EXPECT_EQ(objects.counts().done, 1u);
  EXPECT_EQ(seen, hidden);
  EXPECT_TRUE(put_back(journal.text(), "/").empty());
  EXPECT_EQ(mode([](std::uint64_t) {}), 0);
  unlink(name.c_str());
}

TEST(SharedObjectsPutBack, ThatAreOpenAndNotMappedArePutBack) {
  SKIP_WITHOUT_POLICIES();
  const Descriptor file(memfd_create("gable-test", MFD_CLOEXEC));
  ASSERT_EQ(ftruncate(file.get(), bytes), 0);
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  Journal journal = Journal::unnamed();
  SharedObjects objects(journal);
  objects.look(getpid(), {mapping_at(at)});
  EXPECT_EQ(objects.counts().done, 1u);
  EXPECT_EQ(mode_at(at), hidden);
  munmap(at, bytes);
  EXPECT_TRUE(put_back(journal.text(), "/").empty());
  at = mmap(nullptr, bytes, PROT_NONE, MAP_SHARED, file.get(), 0);
  EXPECT_EQ(mode_at(at), 0);
  munmap(at, bytes);
}

TEST(SharedObjectsPutBack, UnmappedSegmentsArePutBack) {
  SKIP_WITHOUT_POLICIES();
  const int id = shmget(IPC_PRIVATE, bytes * pages, 0600);
  ASSERT_GE(id, 0);
  void* const at = shmat(id, nullptr, 0);
  Journal journal = Journal::unnamed();
  SharedObjects objects(journal);
  objects.look(getpid(), {mapping_at(at)});
  shmdt(at);
  const Moves counts = objects.counts();
  EXPECT_TRUE(put_back(journal.text(), "/").empty());
  void* const again = shmat(id, nullptr, SHM_RDONLY);
  EXPECT_EQ(mode_at(again), 0);
  shmdt(again);
  shmctl(id, IPC_RMID, nullptr);
  if (counts.failures() > 0 && counts.failed.begin()->first.find("CAP_") != std::string::npos)
    GTEST_SKIP() << counts.failed.begin()->first;
  EXPECT_EQ(counts.done, 1u);
}

TEST(SharedObjectsPutBack, ThatAreGoneNeedNothing) {
  EXPECT_TRUE(put_back("object 27 18446744073709551615 0 8194 0 /dev/shm/never\n"
                       "object 1 18446744073709551614 0 8194 0 /dev/zero (deleted)\n"
                       "object 9223372036854775809 2147483647 0 8194 0 /SYSV00000000 (deleted)\n",
                       "/")
                  .empty());
}

TEST(SaidWithin, WhatTakesTooLongIsEndedAndWhatItSaidIsKept) {
  const auto says = [](int words, const char* text) { EXPECT_EQ(write(words, text, 1), 1); };
  Said stuck;
  for (double limit = 0.1; limit < 100 && stuck.text.empty(); limit *= 4) {  // which a busy machine may need
    stuck = said_within(limit, [&](int words) {
      says(words, "a");
      for (;;) pause();
    });
  }
  EXPECT_EQ(stuck.text, "a");
  EXPECT_FALSE(stuck.finished);
  const Said done = said_within(60, [&](int words) { says(words, "b"); });
  EXPECT_EQ(done.text, "b");
  EXPECT_TRUE(done.finished);
  EXPECT_FALSE(said_within(60, [](int) { throw 1; }).finished);
  EXPECT_FALSE(said_within(60, [](int) { abort(); }).finished);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "no child is left";
}

}  // namespace
}  // namespace gable::kmaf::live

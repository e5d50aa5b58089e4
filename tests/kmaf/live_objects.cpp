// Shared memory whose policy is changed so that it is seen into, and put back: objects of this process, on
// the kernel that runs. None of them is touched by that.

#include "kmaf/live/object_policy.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "kmaf/live/shared_objects.hpp"

namespace gable::kmaf::live {
namespace {

constexpr std::size_t bytes = 4096, pages = 64;
constexpr int hidden = 2 | 1 << 13;  // MPOL_BIND | MPOL_F_NUMA_BALANCING

MappedRange mapping(const char* rights, const char* device, const char* name) {
  const std::string line =
      std::string("7f0000000000-7f0000100000 ") + rights + " 00002000 " + device + " 99      " + name + "\n";
  return parse_maps(line).at(0);
}

TEST(SharedObjects, OnlyWritableSharedMemoryThatMayLieInMemory) {
  EXPECT_TRUE(may_be_seen_into(mapping("rw-s", "00:01", "/dev/zero (deleted)")));
  EXPECT_TRUE(may_be_seen_into(mapping("rw-s", "00:01", "/SYSV00000000 (deleted)")));
  EXPECT_TRUE(may_be_seen_into(mapping("rw-s", "00:01", "/memfd:name (deleted)")));
  EXPECT_TRUE(may_be_seen_into(mapping("rw-s", "00:1b", "/dev/shm/a name")));
  EXPECT_FALSE(may_be_seen_into(mapping("rw-p", "00:01", "/memfd:name (deleted)"))) << "a copy of its own";
  EXPECT_FALSE(may_be_seen_into(mapping("r--s", "00:1b", "/dev/shm/name")))
      << "the kernel hides none of these";
  EXPECT_FALSE(may_be_seen_into(mapping("rwxs", "00:1b", "/dev/shm/name"))) << "code is not managed";
  EXPECT_FALSE(may_be_seen_into(mapping("rw-s", "fe:01", "/home/file"))) << "a disk's";
  EXPECT_FALSE(may_be_seen_into(mapping("rw-s", "00:0e", "anon_inode:[io_uring]")));
  EXPECT_FALSE(may_be_seen_into(mapping("rw-s", "00:05", "/dev/dri/card0"))) << "a device";
}

// Their inode is a number that another kind may have as well.
TEST(SharedObjects, SystemVSegmentsAreNoOtherObjects) {
  const MappedRange segment = mapping("rw-s", "00:01", "/SYSV00000000 (deleted)");
  const MappedRange other = mapping("rw-s", "00:01", "/dev/zero (deleted)");
  EXPECT_NE(segment.device, other.device);
  EXPECT_EQ(segment.device & ~system_v, other.device);
}

TEST(ObjectChange, LinesOfTheJournal) {
  const ObjectChange change{
      {27 | system_v, 64, "/dev/shm/a  name\\012of two lines"}, 8192, {hidden, {0, 3, 12}}};
  EXPECT_EQ(change_from(to_line(change)), change);
  EXPECT_EQ(to_line({{27, 64, "/dev/shm/x"}, 0, {8194, {0, 1}}}), "27 64 0 8194 0,1 /dev/shm/x");
  for (const char* const line :
       {"", "27 64 0 8194", "27 64 0 8194 0,1", "27 64 0 8194 0,x /a", "a b c d e f"})
    EXPECT_THROW(change_from(line), std::runtime_error) << line;
}

// An object of each kind, in this process.
struct Kind {
  const char* name;
  std::function<char*()> make;  // `pages` pages, or nullptr
};

void PrintTo(const Kind& kind, std::ostream* out) {
  *out << kind.name;
}

char* mapped(int fd) {
  if (fd >= 0 && ftruncate(fd, bytes * pages) != 0) return nullptr;
  void* const at =
      mmap(nullptr, bytes * pages, PROT_READ | PROT_WRITE, MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);
  if (fd >= 0) close(fd);
  return at == MAP_FAILED ? nullptr : static_cast<char*>(at);
}

std::string file_name() {
  return "/dev/shm/gable-test-" + std::to_string(getpid());
}

const Kind kinds[] = {
    {"anonymous", [] { return mapped(-1); }},
    {"memfd", [] { return mapped(memfd_create("gable-test", MFD_CLOEXEC)); }},
    {"file", [] { return mapped(open(file_name().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)); }},
    {"removed",
     [] {
       const int fd = open(file_name().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
       unlink(file_name().c_str());
       return mapped(fd);
     }},
    {"systemv", [] {
       const int id = shmget(IPC_PRIVATE, bytes * pages, 0600);
       void* const at = shmat(id, nullptr, 0);
       shmctl(id, IPC_RMID, nullptr);
       return at == reinterpret_cast<void*>(-1) ? nullptr : static_cast<char*>(at);
     }}};

int mode_at(const void* at) {
  int mode = -1;
  constexpr int of_address = 2;
  return syscall(SYS_get_mempolicy, &mode, nullptr, 0, at, of_address) == 0 ? mode : -errno;
}

int pages_in_memory(char* at) {
  unsigned char in_memory[pages] = {};
  mincore(at, bytes * pages, in_memory);
  int count = 0;
  for (const unsigned char page : in_memory) count += page & 1;
  return count;
}

class Objects : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    if (hiding_policy().mode == 0) GTEST_SKIP() << "memory policies are not allowed here";
    memory_ = GetParam().make();
    ASSERT_NE(memory_, nullptr);
  }
  ~Objects() override {
    if (memory_ != nullptr) munmap(memory_, bytes * pages);
    unlink(file_name().c_str());
  }
  MappedRange mapping() const {
    for (const MappedRange& each : mappings_of(getpid())) {
      if (each.begin == reinterpret_cast<std::uint64_t>(memory_)) return each;
    }
    return {};
  }
  // Of these alone: what else this process has mapped is not this test's.
  void look(SharedObjects& objects) { objects.look(getpid(), {mapping()}); }
  static bool refused(const SharedObjects& objects) { return objects.counts().done == 0; }
  // The privilege for want of which there is nothing to be tested: opening what has no name takes one,
  // setting policies in a container another.
  static std::string lacking(const SharedObjects& objects) {
    for (const auto& [reason, count] : objects.counts().failed) {
      if (reason.find("CAP_") != std::string::npos) return reason;
    }
    return {};
  }

  char* memory_ = nullptr;
  Journal journal_ = Journal::unnamed();
};

TEST_P(Objects, AreSeenIntoAndPutBack) {
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

TEST_P(Objects, WithAPolicyOfTheirOwnAreLeft) {
  const unsigned long node = 1;
  if (syscall(SYS_mbind, memory_, bytes, 2, &node, 64, 0) != 0) GTEST_SKIP() << "mbind is not allowed here";
  SharedObjects objects(journal_);
  look(objects);
  EXPECT_EQ(objects.counts().done, 0u);
  EXPECT_EQ(objects.counts().failures(), 1u);
  EXPECT_EQ(mode_at(memory_), 2);
  EXPECT_EQ(journal_.text(), "");
  put_back(journal_.text(), "/");
  EXPECT_EQ(mode_at(memory_), 2);
}

TEST_P(Objects, WhatSomebodyElseHasSetMeanwhileIsLeft) {
  SharedObjects objects(journal_);
  look(objects);
  if (const std::string lacks = lacking(objects); !lacks.empty()) GTEST_SKIP() << lacks;
  const unsigned long node = 1;
  ASSERT_EQ(syscall(SYS_mbind, memory_, bytes, 2, &node, 64, 0), 0);
  EXPECT_TRUE(put_back(journal_.text(), "/").empty());
  EXPECT_EQ(mode_at(memory_), 2);
}

// A second mapping begins elsewhere in the object, and the kernel asks where a mapping begins.
TEST_P(Objects, EveryBeginOfAMappingIsSeenInto) {
  SharedObjects objects(journal_);
  look(objects);
  if (const std::string lacks = lacking(objects); !lacks.empty()) GTEST_SKIP() << lacks;
  mprotect(memory_, 7 * bytes, PROT_READ);
  std::vector<MappedRange> parts;
  for (const MappedRange& each : mappings_of(getpid())) {
    if (each.begin == reinterpret_cast<std::uint64_t>(memory_ + 7 * bytes)) parts.push_back(each);
  }
  ASSERT_EQ(parts.size(), 1u);
  objects.look(getpid(), parts);
  EXPECT_EQ(mode_at(memory_ + 7 * bytes), hidden);
  EXPECT_EQ(objects.counts().done, 1u) << "of one object";
  EXPECT_TRUE(put_back(journal_.text(), "/").empty());
  EXPECT_EQ(mode_at(memory_), 0);
  EXPECT_EQ(mode_at(memory_ + 7 * bytes), 0);
}

// That whoever maps them is gone, too: what is left of them is the same as if nobody had looked.
TEST_P(Objects, AreReachedThroughOtherProcesses) {
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

TEST_P(Objects, OfAProcessWithAPolicyOfItsOwnAreLeft) {
  EXPECT_FALSE(has_memory_policy(getpid()));
  const unsigned long node = 1;
  if (syscall(SYS_set_mempolicy, 2, &node, 64) != 0) GTEST_SKIP() << "set_mempolicy is not allowed here";
  EXPECT_TRUE(has_memory_policy(getpid()));
  SharedObjects objects(journal_);
  look(objects);
  EXPECT_EQ(syscall(SYS_set_mempolicy, 0, nullptr, 0), 0);
  EXPECT_TRUE(refused(objects));
  EXPECT_EQ(objects.counts().failures(), 1u);
  EXPECT_EQ(mode_at(memory_), 0);
}

// Without rights what has a name or is open is reached, and of anything else is told what it takes.
TEST_P(Objects, ForAnOrdinaryUser) {
  const bool reachable = std::string(GetParam().name) == "file";
  if (reachable) chmod(file_name().c_str(), 0666);
  const pid_t user = fork();
  if (user == 0) {
    constexpr uid_t nobody = 65534;
    if (getuid() == 0 && setresuid(nobody, nobody, nobody) != 0) _exit(9);
    prctl(PR_SET_DUMPABLE, 1);
    SharedObjects objects(journal_);
    look(objects);
    if (reachable) _exit(refused(objects) ? 1 : 0);
    const Moves counts = objects.counts();
    if (counts.done != 0) _exit(2);
    _exit(counts.failed.begin()->first.find("CAP_CHECKPOINT_RESTORE") == std::string::npos ? 3 : 0);
  }
  int status = 0;
  waitpid(user, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(SharedObjects, ThatAreOpenAreReachedByAnOrdinaryUser) {
  const Descriptor file(memfd_create("gable-test", MFD_CLOEXEC));
  ASSERT_EQ(ftruncate(file.get(), bytes), 0);
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  const pid_t user = fork();
  if (user == 0) {
    constexpr uid_t nobody = 65534;
    if (getuid() == 0 && setresuid(nobody, nobody, nobody) != 0) _exit(9);
    prctl(PR_SET_DUMPABLE, 1);
    Journal journal = Journal::unnamed();
    SharedObjects objects(journal);
    for (const MappedRange& each : mappings_of(getpid())) {
      if (each.begin == reinterpret_cast<std::uint64_t>(at)) objects.look(getpid(), {each});
    }
    _exit(objects.counts().done == 1 && put_back(journal.text(), "/").empty() && mode_at(at) == 0 ? 0 : 1);
  }
  int status = 0;
  waitpid(user, &status, 0);
  munmap(at, bytes);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(SharedObjects, OfHugePagesAreLeft) {
  const Descriptor file(memfd_create("gable-test", MFD_CLOEXEC | MFD_HUGETLB));
  constexpr std::size_t huge = 2u << 20;
  if (!file || ftruncate(file.get(), huge) != 0) GTEST_SKIP() << "no huge pages here";
  void* const at = mmap(nullptr, huge, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file.get(), 0);
  if (at == MAP_FAILED) GTEST_SKIP() << "no huge pages here";
  Journal journal = Journal::unnamed();
  SharedObjects objects(journal);
  for (const MappedRange& each : mappings_of(getpid())) {
    if (each.begin == reinterpret_cast<std::uint64_t>(at)) objects.look(getpid(), {each});
  }
  EXPECT_EQ(objects.counts().done + objects.counts().failures(), 0u);
  EXPECT_EQ(journal.text(), "");
  munmap(at, huge);
}

TEST(SharedObjects, FilesOfADiskAreLeft) {
  std::string name = testing::TempDir() + "/gable-test-XXXXXX";
  const Descriptor file(mkstemp(name.data()));
  ASSERT_EQ(ftruncate(file.get(), bytes), 0);
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  for (const MappedRange& each : mappings_of(getpid())) {
    if (each.begin != reinterpret_cast<std::uint64_t>(at)) continue;
    const int error = open_mapped(getpid(), each).error;
    struct statfs system = {};
    fstatfs(file.get(), &system);
    EXPECT_EQ(error, system.f_type == TMPFS_MAGIC ? 0 : ENOTSUP);
  }
  munmap(at, bytes);
  unlink(name.c_str());
}

INSTANTIATE_TEST_SUITE_P(Every, Objects, testing::ValuesIn(kinds),
                         [](const testing::TestParamInfo<Kind>& kind) { return kind.param.name; });

TEST(SharedObjects, FilesThatNobodyMapsArePutBack) {
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
  const int seen = mode([&](std::uint64_t at) {
    for (const MappedRange& each : mappings_of(getpid())) {
      if (each.begin == at) objects.look(getpid(), {each});
    }
  });
  const bool done = objects.counts().done == 1;
  EXPECT_EQ(seen, done ? hidden : 0);
  EXPECT_TRUE(put_back(journal.text(), "/").empty());
  EXPECT_EQ(mode([](std::uint64_t) {}), 0);
  unlink(name.c_str());
  if (!done) GTEST_SKIP() << "memory policies are not allowed here";
}

TEST(SharedObjects, ThatAreOpenAndNotMappedArePutBack) {
  const Descriptor file(memfd_create("gable-test", MFD_CLOEXEC));
  ASSERT_EQ(ftruncate(file.get(), bytes), 0);
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  Journal journal = Journal::unnamed();
  SharedObjects objects(journal);
  for (const MappedRange& each : mappings_of(getpid())) {
    if (each.begin == reinterpret_cast<std::uint64_t>(at)) objects.look(getpid(), {each});
  }
  const bool done = objects.counts().done == 1;
  EXPECT_EQ(mode_at(at), done ? hidden : 0);
  munmap(at, bytes);
  EXPECT_TRUE(put_back(journal.text(), "/").empty());
  at = mmap(nullptr, bytes, PROT_NONE, MAP_SHARED, file.get(), 0);
  EXPECT_EQ(mode_at(at), 0);
  munmap(at, bytes);
  if (!done) GTEST_SKIP() << "memory policies are not allowed here";
}

TEST(SharedObjects, SegmentsThatNobodyMapsArePutBack) {
  const int id = shmget(IPC_PRIVATE, bytes * pages, 0600);
  ASSERT_GE(id, 0);
  void* const at = shmat(id, nullptr, 0);
  Journal journal = Journal::unnamed();
  SharedObjects objects(journal);
  for (const MappedRange& each : mappings_of(getpid())) {
    if (each.begin == reinterpret_cast<std::uint64_t>(at)) objects.look(getpid(), {each});
  }
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

// Nobody has it any more: nothing is to be done, nothing is said.
TEST(SharedObjects, ThatAreGoneNeedNothing) {
  EXPECT_TRUE(put_back("object 27 18446744073709551615 0 8194 0 /dev/shm/never\n"
                       "object 1 18446744073709551614 0 8194 0 /dev/zero (deleted)\n"
                       "object 9223372036854775809 2147483647 0 8194 0 /SYSV00000000 (deleted)\n",
                       "/")
                  .empty());
}

}  // namespace
}  // namespace gable::kmaf::live

// Shared memory whose policy is changed for hint faults: objects of this process, on the running kernel.
// The change touches no page.

#include "kmaf/live/shared_memory/shared_objects.hpp"

#include <linux/magic.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>

#include "object_kinds.hpp"

namespace gable::kmaf::live {
namespace {

class ObjectsWithPolicy : public Objects {};

MappedRange mapping(const char* rights, const char* device, const char* name) {
  const std::string line =
      std::string("7f0000000000-7f0000100000 ") + rights + " 00002000 " + device + " 99      " + name + "\n";
  return parse_maps(line).at(0);
}

TEST(SharedObjects, OnlyWritableSharedMemoryThatMayLieInMemory) {
  EXPECT_TRUE(may_need_policy(mapping("rw-s", "00:01", "/dev/zero (deleted)")));
  EXPECT_TRUE(may_need_policy(mapping("rw-s", "00:01", "/SYSV00000000 (deleted)")));
  EXPECT_TRUE(may_need_policy(mapping("rw-s", "00:01", "/memfd:name (deleted)")));
  EXPECT_TRUE(may_need_policy(mapping("rw-s", "00:1b", "/dev/shm/a name")));
  EXPECT_FALSE(may_need_policy(mapping("rw-p", "00:01", "/memfd:name (deleted)"))) << "a copy of its own";
  EXPECT_FALSE(may_need_policy(mapping("r--s", "00:1b", "/dev/shm/name")))
      << "the kernel hides none of these";
  EXPECT_FALSE(may_need_policy(mapping("rwxs", "00:1b", "/dev/shm/name"))) << "code is not managed";
  EXPECT_FALSE(may_need_policy(mapping("rw-s", "fe:01", "/home/file"))) << "a disk's";
  EXPECT_FALSE(may_need_policy(mapping("rw-s", "00:0e", "anon_inode:[io_uring]")));
  EXPECT_FALSE(may_need_policy(mapping("rw-s", "00:05", "/dev/dri/card0"))) << "a device";
}

TEST(SharedObjects, SystemVSegmentsAreNoOtherObjects) {
  const MappedRange segment = mapping("rw-s", "00:01", "/SYSV00000000 (deleted)");
  const MappedRange other = mapping("rw-s", "00:01", "/dev/zero (deleted)");
  EXPECT_NE(segment.device, other.device);
  EXPECT_EQ(segment.device & ~system_v, other.device);
}

TEST_P(ObjectsWithPolicy, WithAPolicyOfTheirOwnAreLeft) {
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

TEST_P(ObjectsWithPolicy, EveryBeginOfAMappingGetsThePolicy) {
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

TEST_P(ObjectsWithPolicy, OfAProcessWithAPolicyOfItsOwnAreLeft) {
  const unsigned long node = 1;
  if (syscall(SYS_set_mempolicy, 2, &node, 64) != 0) GTEST_SKIP() << "set_mempolicy is not allowed here";
  SharedObjects objects(journal_);
  look(objects);
  EXPECT_EQ(syscall(SYS_set_mempolicy, 0, nullptr, 0), 0);
  EXPECT_TRUE(refused(objects));
  EXPECT_EQ(objects.counts().failures(), 1u);
  EXPECT_EQ(mode_at(memory_), 0);
}

TEST_P(ObjectsWithPolicy, WithoutPrivileges) {
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
  SKIP_WITHOUT_POLICIES();
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
    objects.look(getpid(), {mapping_at(at)});
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
  objects.look(getpid(), {mapping_at(at)});
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
    HeldFiles held(getpid());
    const int error = open_mapped(getpid(), each, held).error;
    struct statfs system = {};
    fstatfs(file.get(), &system);
    EXPECT_EQ(error, system.f_type == TMPFS_MAGIC ? 0 : ENOTSUP);
  }
  munmap(at, bytes);
  unlink(name.c_str());
}

// Objects that could not be restored are not changed.
TEST_P(ObjectsWithPolicy, NoneWhereTheKernelTellsNoNodes) {
  const pid_t child = fork();
  if (child == 0) {
    if (!forbid({SYS_get_mempolicy})) _exit(77);
    Journal journal = Journal::unnamed();
    SharedObjects objects(journal);
    look(objects);
    if (!lacking(objects).empty()) _exit(77);
    _exit(refused(objects) && objects.counts().failures() == 1 && journal.text().empty() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(mode_at(memory_), 0);
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "no seccomp or no privileges here";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// At the end, an object is searched in the processes that hold it.
TEST_P(ObjectsWithPolicy, EveryProcessThatHoldsThemIsWrittenDown) {
  SharedObjects objects(journal_);
  look(objects);
  if (const std::string lacks = lacking(objects); !lacks.empty()) GTEST_SKIP() << lacks;
  const pid_t other = fork();
  if (other == 0) {
    for (;;) pause();
  }
  objects.look(other, {mapping()});
  look(objects);
  const std::string text = journal_.text();
  for (const pid_t pid : {getpid(), other}) {
    const std::string line = "process " + std::to_string(pid) + " " + std::to_string(start_time(pid)) + "\n";
    EXPECT_NE(text.find(line), std::string::npos) << text;
    EXPECT_EQ(text.find(line), text.rfind(line)) << "once: " << text;
  }
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
}

// No file outside of tmpfs is opened: its server may be unreachable.
TEST(SharedObjects, OfOtherFileSystemsAreNotLookedAt) {
  const Descriptor memory(memfd_create("gable-test", MFD_CLOEXEC));
  struct stat status = {};
  ASSERT_EQ(fstat(memory.get(), &status), 0);
  MappedRange gone = mapping("rw-s", "00:01", "/memfd:gone (deleted)");
  gone.device = device_of(status);
  MappedRange elsewhere = mapping("rw-s", "00:fffff", "/server/file");
  Journal journal = Journal::unnamed();
  SharedObjects objects(journal);
  for (int i = 0; i < 4; ++i) objects.look(getpid(), {gone, elsewhere});
  EXPECT_EQ(objects.counts().failures(), 1u) << "what is not there is told, and not tried for ever";
  EXPECT_EQ(objects.counts().failed.begin()->second, 1u);
}

TEST(SharedObjects, DevicesOfTmpfs) {
  EXPECT_EQ(tmpfs_in("22 27 0:21 / /proc rw,relatime - proc proc rw\n"
                     "25 24 0:23 / /dev/shm rw,relatime shared:4 master:1 - tmpfs tmpfs rw,size=1k\n"
                     "26 24 0:24 / /a\\040-\\040tmpfs rw - nfs4 server:/tmpfs rw\n"
                     "27 1 1048:4095 / /odd rw - tmpfs none rw\nnot a line\n"),
            (std::set{MappedRange::device_of(0, 23), MappedRange::device_of(1048, 4095)}));
}

TEST(HeldFiles, AreFoundByTheNameThatTheirMappingHas) {
  const std::string name = "/dev/shm/gable-test a\nb" + std::to_string(getpid());
  const Descriptor file(open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_EQ(ftruncate(file.get(), bytes), 0);
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  const std::string own = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file.get());
  EXPECT_EQ(HeldFiles(getpid()).called(mapping_at(at).name), std::vector{own});
  unlink(name.c_str());
  EXPECT_EQ(HeldFiles(getpid()).called(mapping_at(at).name), std::vector{own});
  EXPECT_TRUE(HeldFiles(getpid()).called("/none").empty());
  munmap(at, bytes);
}

INSTANTIATE_TEST_SUITE_P(Every, ObjectsWithPolicy, testing::ValuesIn(kinds),
                         [](const testing::TestParamInfo<Kind>& kind) { return kind.param.name; });

}  // namespace
}  // namespace gable::kmaf::live

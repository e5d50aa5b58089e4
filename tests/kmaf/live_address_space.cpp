// The objects of addresses, and when a process's mappings are read again.

#include "kmaf/live/program/address_space.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "base/clocks.hpp"

namespace gable::kmaf::live {
namespace {

// A mapping of this process.
TEST(AddressSpaces, PrivateMemoryIsPlacedInItsProcess) {
  AddressSpaces spaces;
  std::vector<char> memory(100'000);
  const auto address = reinterpret_cast<std::uint64_t>(memory.data());
  const auto place = spaces.place(getpid(), address, 1);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->offset, address);
  const auto where = spaces.location(place->object, place->offset + 8);
  ASSERT_TRUE(where);
  EXPECT_EQ(where->pid, getpid());
  EXPECT_EQ(where->address, address + 8);
  spaces.forget(getpid());
  EXPECT_FALSE(spaces.location(place->object, place->offset));
  const auto again = spaces.place(getpid(), address, 2);
  ASSERT_TRUE(again);
  EXPECT_NE(again->object, place->object) << "another program in the same process";
}

TEST(AddressSpaces, TwoViewsOfSharedMemoryMeet) {
  constexpr std::size_t bytes = 64 << 10, skipped = 16 << 10;
  const int fd = memfd_create("shared", 0);
  ASSERT_EQ(ftruncate(fd, bytes), 0);
  void* const whole = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  void* const rest = mmap(nullptr, bytes - skipped, PROT_READ, MAP_SHARED, fd, skipped);
  ASSERT_NE(whole, MAP_FAILED);
  ASSERT_NE(rest, MAP_FAILED);
  AddressSpaces spaces;
  const auto first = spaces.place(getpid(), reinterpret_cast<std::uint64_t>(whole) + skipped + 100, 1);
  const auto second = spaces.place(getpid(), reinterpret_cast<std::uint64_t>(rest) + 100, 1);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->object, second->object);
  EXPECT_EQ(first->offset, second->offset);
  EXPECT_EQ(first->offset, skipped + 100);
  munmap(whole, bytes);
  munmap(rest, bytes - skipped);
  close(fd);
}

TEST(AddressSpaces, SharedMemoryLastsUntilItsLastUser) {
  constexpr std::size_t bytes = 64 << 10;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const auto address = reinterpret_cast<std::uint64_t>(memory);
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  AddressSpaces spaces;
  const auto own = spaces.place(getpid(), address, 1), other = spaces.place(child, address, 1);
  const auto its_stack = spaces.place(child, reinterpret_cast<std::uint64_t>(&bytes), 1);
  ASSERT_TRUE(own && other && its_stack);
  EXPECT_EQ(own->object, other->object);
  EXPECT_EQ(spaces.forget(child), std::vector{its_stack->object}) << "the parent still has the shared memory";
  EXPECT_FALSE(spaces.location(its_stack->object, its_stack->offset));
  EXPECT_EQ(spaces.location(own->object, own->offset)->pid, getpid());
  EXPECT_EQ(spaces.forget(getpid()), std::vector{own->object});
  EXPECT_FALSE(spaces.location(own->object, own->offset));
  EXPECT_TRUE(spaces.forget(getpid()).empty());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  munmap(memory, bytes);
}

// Later mappings are found even for a process without new samples.
TEST(AddressSpaces, AreReadAgainTheOldestFirst) {
  const pid_t child = fork();
  if (child == 0) {
    for (;;) pause();
  }
  AddressSpaces spaces;
  std::vector<pid_t> read;
  std::uint64_t last = 0;
  spaces.on_read([&](pid_t pid, const std::vector<MappedRange>& mappings) {
    read.push_back(pid);
    for (const MappedRange& mapping : mappings) {
      if (mapping.shared) last = mapping.begin;
    }
  });
  int local = 0;
  const auto here = reinterpret_cast<std::uint64_t>(&local);
  spaces.place(getpid(), here, 1);
  spaces.place(child, here, 1.5);
  EXPECT_EQ(read, (std::vector{getpid(), child}));
  spaces.refresh(1.9);
  EXPECT_EQ(read.size(), 2u) << "within a second";
  void* const later = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  spaces.refresh(2.3);
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[2], getpid());
  EXPECT_EQ(last, reinterpret_cast<std::uint64_t>(later));
  for (double now = 5; now < 15; now += 2) spaces.refresh(now);
  EXPECT_EQ(read.size(), 3u) << "both map as much as before";
  for (double now = 1000; now < 5000; now += 1000) spaces.refresh(now);
  EXPECT_GE(std::count(read.begin(), read.end(), child), 2) << "and is read again all the same, some time";
  munmap(later, 4096);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

// Expensive reads take at most 1 % of the time, and other processes still get their turn.
TEST(AddressSpaces, SlowReadsAreRare) {
  AddressSpaces spaces;
  std::vector<double> costly;
  double now = 1;
  int others = 0;
  spaces.on_read([&](pid_t pid, const std::vector<MappedRange>&) {
    if (pid != getpid()) ++others;
    if (pid != getpid()) return;
    costly.push_back(now);
    const double begin = thread_seconds();
    while (thread_seconds() - begin < 0.05) continue;
  });
  int local = 0;
  const auto here = reinterpret_cast<std::uint64_t>(&local);
  for (pid_t pid = 1 << 30; pid < (1 << 30) + 50; ++pid) spaces.expect(pid, now);
  for (; now < 30; now += 0.01) {
    spaces.refresh(now);
    spaces.place(getpid(), here, now);
    spaces.place(getpid(), 16, now);
  }
  ASSERT_GE(costly.size(), 2u);
  for (std::size_t i = 1; i < costly.size(); ++i) EXPECT_GE(costly[i] - costly[i - 1], 5 - 1e-6);
  EXPECT_GE(others, 50);
}

TEST(AddressSpaces, TheLastSamplesOfAProcessThatHasEndedArePlaced) {
  void* const shared = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const auto address = reinterpret_cast<std::uint64_t>(shared);
  const pid_t child = fork();
  if (child == 0) {
    for (;;) pause();
  }
  AddressSpaces spaces;
  spaces.on_read([](pid_t, const std::vector<MappedRange>&) {});
  const auto before = spaces.place(child, address, 1);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  spaces.refresh(5);
  const auto after = spaces.place(child, address, 7);
  munmap(shared, 4096);
  ASSERT_TRUE(before && after);
  EXPECT_EQ(before->object, after->object);
}

// A process that lives for less than a second costs nothing.
TEST(AddressSpaces, OfAProcessWithoutSamplesAreReadWhenItHasLivedForASecond) {
  AddressSpaces spaces;
  int read = 0;
  spaces.on_read([&](pid_t, const std::vector<MappedRange>&) { ++read; });
  spaces.expect(getpid(), 1);
  spaces.refresh(1.9);
  EXPECT_EQ(read, 0);
  spaces.refresh(2);
  EXPECT_EQ(read, 1);
  int local = 0;
  AddressSpaces others;
  others.expect(getpid(), 1);
  EXPECT_TRUE(others.place(getpid(), reinterpret_cast<std::uint64_t>(&local), 1)) << "at once for a sample";
}

TEST(AddressSpaces, CodeAndWhatIsNotMappedHaveNoPlace) {
  AddressSpaces spaces;
  EXPECT_FALSE(spaces.place(getpid(), reinterpret_cast<std::uint64_t>(&parse_maps), 1));
  EXPECT_FALSE(spaces.place(getpid(), 16, 1));
  EXPECT_FALSE(spaces.place(1 << 30, 4096, 1)) << "no such process";
}

// One refresh reads all of them if that takes less than its share of the time, which is nearly always so.
TEST(AddressSpaces, OneRefreshReadsSeveralThatAreDue) {
  int most = 0;
  for (int attempt = 0; attempt < 50 && most < 2; ++attempt) {
    AddressSpaces spaces;
    int read = 0;
    spaces.on_read([&](pid_t, const std::vector<MappedRange>&) { ++read; });
    for (pid_t pid = 1 << 30; pid < (1 << 30) + 3; ++pid) spaces.expect(pid, 1);
    spaces.refresh(2);
    most = std::max(most, read);
  }
  EXPECT_GE(most, 2);
}

}  // namespace
}  // namespace gable::kmaf::live

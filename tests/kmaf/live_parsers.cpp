// What the live half reads from the kernel: records of perf, /proc/PID/maps.

#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "kmaf/live/address_space.hpp"
#include "kmaf/live/perf_records.hpp"

namespace gable::kmaf::live {
namespace {

class Bytes {
 public:
  template <typename Value>
  Bytes& add(Value value) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
    return *this;
  }
  // The record with its header in front.
  std::vector<std::byte> record(std::uint32_t type, std::uint16_t misc = 0) const {
    const perf_event_header header{type, misc,
                                   static_cast<std::uint16_t>(sizeof(perf_event_header) + bytes_.size())};
    std::vector<std::byte> whole(header.size);
    std::memcpy(whole.data(), &header, sizeof header);
    std::memcpy(whole.data() + sizeof header, bytes_.data(), bytes_.size());
    return whole;
  }

 private:
  std::vector<std::byte> bytes_;
};

Bytes trailer(std::uint32_t pid, std::uint32_t tid, std::uint64_t ns) {
  return Bytes().add(pid).add(tid).add(ns).add(std::uint32_t{1}).add(std::uint32_t{0});
}

std::vector<std::byte> access_record() {
  return Bytes()
      .add(std::uint32_t{10})
      .add(std::uint32_t{11})
      .add(std::uint64_t{2'500'000'000})
      .add(std::uint64_t{0x7f0012345678})
      .add(std::uint32_t{3})
      .add(std::uint32_t{0})
      .record(PERF_RECORD_SAMPLE);
}

std::vector<std::byte> task_record(std::uint32_t type) {
  Bytes bytes;
  for (const std::uint32_t id : {20u, 10u, 21u, 11u}) bytes.add(id);
  bytes.add(std::uint64_t{1'000'000'000});
  for (const std::uint32_t id : {10u, 11u}) bytes.add(id);
  return bytes.add(std::uint64_t{1'000'000'000}).add(std::uint64_t{0}).record(type);
}

PerfRecords parsed(const std::vector<std::byte>& bytes) {
  PerfRecords records;
  parse_records(bytes, records);
  return records;
}

TEST(PerfRecords, AnAccess) {
  const auto records = parsed(access_record());
  ASSERT_EQ(records.events.size(), 1u);
  EXPECT_EQ(records.events[0], (Event{Event::Kind::access, 10, 11, 0, 0, 0x7f0012345678, 3, 2.5}));
}

TEST(PerfRecords, TasksComeAndGo) {
  const auto started = parsed(task_record(PERF_RECORD_FORK));
  ASSERT_EQ(started.events.size(), 1u);
  EXPECT_EQ(started.events[0], (Event{Event::Kind::started, 20, 21, 10, 11, 0, 0, 1}));
  const auto ended = parsed(task_record(PERF_RECORD_EXIT));
  ASSERT_EQ(ended.events.size(), 1u);
  EXPECT_EQ(ended.events[0].kind, Event::Kind::ended);
}

TEST(PerfRecords, OnlyAnExecReplacesAProgram) {
  Bytes body;
  body.add(std::uint32_t{10}).add(std::uint32_t{10}).add(std::uint64_t{0x6f6c6c6568});
  body.add(std::uint32_t{10}).add(std::uint32_t{10}).add(std::uint64_t{3'000'000'000}).add(std::uint64_t{0});
  const auto replaced = parsed(body.record(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC));
  ASSERT_EQ(replaced.events.size(), 1u);
  EXPECT_EQ(replaced.events[0], (Event{Event::Kind::replaced, 10, 10, 0, 0, 0, 0, 3}));
  EXPECT_TRUE(parsed(body.record(PERF_RECORD_COMM)).events.empty()) << "a thread that renames itself";
}

TEST(PerfRecords, SeveralInARowLostOnesAndUnknownOnes) {
  auto bytes = access_record();
  for (const auto& more : {Bytes().add(std::uint64_t{7}).add(std::uint64_t{5}).record(PERF_RECORD_LOST),
                           trailer(1, 2, 3).record(PERF_RECORD_MMAP2), access_record()})
    bytes.insert(bytes.end(), more.begin(), more.end());
  const auto records = parsed(bytes);
  EXPECT_EQ(records.events.size(), 2u);
  EXPECT_EQ(records.lost, 5u);
}

// Whatever stands in the bytes, nothing is read beyond them (which the sanitizers would tell), and whole
// records in front are kept.
TEST(PerfRecords, CutOffAnywhere) {
  auto bytes = access_record();
  const auto second = task_record(PERF_RECORD_FORK);
  bytes.insert(bytes.end(), second.begin(), second.end());
  const std::size_t first = access_record().size();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const auto records = parsed({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)});
    EXPECT_EQ(records.events.size(), length < first ? 0u : 1u) << length;
  }
  EXPECT_TRUE(parsed(std::vector<std::byte>(64)).events.empty()) << "records of no length";
}

constexpr const char* maps =
    "55d0c0000000-55d0c0001000 r-xp 00001000 fe:01 1234                       /usr/bin/some program\n"
    "55d0c0002000-55d0c0003000 rw-p 00003000 fe:01 1234                       /usr/bin/some program\n"
    "7f0000000000-7f0000100000 rw-s 00002000 00:01 99                         /dev/zero (deleted)\n"
    "7f0000200000-7f0000300000 rw-s 00000000 00:05 7                          /dev/dri/card0\n"
    "not a line of maps\n"
    "7f0000400000-7f0000500000 rw-p 00000000 00:00 0 \n"
    "7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0                          [stack]\n"
    "7ffc00030000-7ffc00032000 r-xp 00000000 00:00 0                          [vdso]\n";

TEST(Maps, EveryLine) {
  const auto mappings = parse_maps(maps);
  ASSERT_EQ(mappings.size(), 7u);
  EXPECT_TRUE(mappings[0].executable);
  EXPECT_EQ(mappings[1].offset, 0x3000u);
  EXPECT_EQ(mappings[1].inode, 1234u);
  EXPECT_EQ(mappings[1].device, 0xfe00001u);
  EXPECT_FALSE(mappings[1].shared);
  EXPECT_TRUE(mappings[2].shared);
  EXPECT_FALSE(mappings[2].special) << "shared anonymous memory";
  EXPECT_TRUE(mappings[3].special) << "a device";
  EXPECT_FALSE(mappings[4].special);
  EXPECT_EQ(mappings[4].end, 0x7f0000500000u);
  EXPECT_FALSE(mappings[5].special) << "a stack";
  EXPECT_TRUE(mappings[6].special) << "the kernel's own";
}

// Of this process: what it has mapped itself.
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

TEST(AddressSpaces, SharedMemoryIsThereForAsLongAsSomebodyUsesIt) {
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

// Also of a process that has no new samples: what it maps later is found.
TEST(AddressSpaces, AreReadAgainOneAtATime) {
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
  spaces.refresh(2.6);
  ASSERT_EQ(read.size(), 3u) << "one at a time";
  EXPECT_EQ(read[2], getpid()) << "the oldest first";
  EXPECT_EQ(last, reinterpret_cast<std::uint64_t>(later));
  spaces.refresh(2.6);
  spaces.refresh(2.6);
  EXPECT_EQ(read.size(), 3u) << "the other one maps as much as before";
  for (int i = 0; i < 5; ++i) spaces.refresh(20);
  EXPECT_EQ(std::count(read.begin(), read.end(), child), 2) << "and is read again all the same, some time";
  munmap(later, 4096);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
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

// One that lives for less than a second costs nothing.
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

}  // namespace
}  // namespace gable::kmaf::live

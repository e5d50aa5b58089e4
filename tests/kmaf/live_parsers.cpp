// Parsers of kernel data: records of perf, /proc/PID/maps.

#include <gtest/gtest.h>
#include <linux/perf_event.h>

#include <cstring>

#include "kmaf/live/program/address_space.hpp"
#include "kmaf/live/samplers/perf_events.hpp"

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

std::vector<std::byte> access_record(std::uint64_t operation = PERF_MEM_OP_NA) {
  return Bytes()
      .add(std::uint32_t{10})
      .add(std::uint32_t{11})
      .add(std::uint64_t{2'500'000'000})
      .add(std::uint64_t{0x7f0012345678})
      .add(std::uint32_t{3})
      .add(std::uint32_t{0})
      .add(operation << PERF_MEM_OP_SHIFT)
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

TEST(PerfRecords, StoresAreToldByTheirSource) {
  for (const auto& [operation, is_store] :
       {std::pair{PERF_MEM_OP_NA, false}, {PERF_MEM_OP_LOAD, false}, {PERF_MEM_OP_STORE, true}})
    EXPECT_EQ(parsed(access_record(static_cast<std::uint64_t>(operation))).events.at(0).is_store, is_store);
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

// For any bytes, nothing is read beyond them (the sanitizers would report it), and complete records
// before them are kept.
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
  const auto nameless = trailer(10, 10, 3).record(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
  EXPECT_TRUE(parsed(nameless).events.empty());
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

}  // namespace
}  // namespace gable::kmaf::live

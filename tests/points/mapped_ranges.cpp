// The ranges of a process from texts in the kernel's format, and of this process.

#include "points/resident_bytes.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace gable::points {
namespace {

using model::MappedRange;
using model::RangeKind;

TEST(MappedRanges, HaveTheirKinds) {
  const std::string maps =
      "1000000-1001000 r-xp 00000000 fe:00 1 /home/me/my app\n"
      "1002000-1003000 rw-p 00002000 fe:00 1 /home/me/my app\n"
      "1003000-9003000 rw-p 00000000 00:00 0 \n"
      "a000000-a100000 rw-p 00000000 00:00 0 [heap]\n"
      "7f0000000000-7f0000400000 rw-p 00000000 00:00 0 \n"
      "7f0010000000-7f0010001000 ---p 00000000 00:00 0 \n"
      "7f0010001000-7f0010801000 rw-p 00000000 00:00 0 \n"
      "7f1000000000-7f1000400000 r--s 00000000 fe:00 2 /data/graph.bin\n"
      "7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0 [stack]\n"
      "7ffc00100000-7ffc00101000 r--p 00000000 00:00 0 [vvar]\n";
  const std::string numa_maps =
      "01000000 default file=/home/me/my\\040app mapped=1 N0=1 kernelpagesize_kB=4\n"
      "01002000 default file=/home/me/my\\040app anon=1 dirty=1 N0=1 kernelpagesize_kB=4\n"
      "01003000 default anon=7 dirty=7 N0=3 N1=4 kernelpagesize_kB=4\n"
      "0a000000 default heap anon=7 dirty=7 N1=7 kernelpagesize_kB=4\n"
      "7f0000000000 interleave:0-1 anon=1024 dirty=1024 N0=512 N1=512 kernelpagesize_kB=4\n"
      "7f0010000000 default\n"
      "7f0010001000 default anon=2 N1=2 kernelpagesize_kB=4\n"
      "7f1000000000 default file=/data/graph.bin mapped=100 N1=100 kernelpagesize_kB=4\n"
      "7ffc00000000 default stack anon=3 dirty=3 N0=3 kernelpagesize_kB=4\n"
      "7ffc00100000 default\n";
  const std::vector<MappedRange> ranges = mapped_ranges(numa_maps, maps);
  const std::vector<std::tuple<RangeKind, std::uint64_t, std::map<int, std::uint64_t>>> expected = {
      {RangeKind::statics, 0x1000, {{0, 4096}}},
      {RangeKind::statics, 0x8000000, {{0, 3 * 4096}, {1, 4 * 4096}}},
      {RangeKind::allocated, 0x100000, {{1, 7 * 4096}}},
      {RangeKind::allocated, 0x400000, {{0, 512 * 4096}, {1, 512 * 4096}}},
      {RangeKind::stack, 0x800000, {{1, 2 * 4096}}},
      {RangeKind::file, 0x400000, {{1, 100 * 4096}}},
      {RangeKind::stack, 0x21000, {{0, 3 * 4096}}}};
  ASSERT_EQ(ranges.size(), expected.size());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    EXPECT_EQ(std::tuple(ranges[i].kind, ranges[i].bytes, ranges[i].node_bytes), expected[i]) << i;
    EXPECT_EQ(ranges[i].file, ranges[i].kind == RangeKind::file ? "/data/graph.bin" : "");
  }
  EXPECT_TRUE(mapped_ranges("", maps).empty());
  EXPECT_TRUE(mapped_ranges(numa_maps, "x-y\n\x01\n").empty());
}

// The pages of this process, as if they were on several nodes.
TEST(MappedRanges, PagesAreLookedAtInOrder) {
  constexpr std::size_t bytes = 8u << 20;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  std::memset(memory, 1, bytes / 2);  // the rest is not in memory
  MappedRange range;
  range.begin = reinterpret_cast<std::uint64_t>(memory);
  range.bytes = bytes;
  range.node_bytes = {{0, bytes / 4}, {1, bytes / 4}};
  std::vector<MappedRange> ranges = {range};
  EXPECT_TRUE(look_at_pages(getpid(), ranges));
  munmap(memory, bytes);
  if (ranges.front().nodes.empty()) GTEST_SKIP() << "move_pages is not permitted";
  const std::vector<int>& nodes = ranges.front().nodes;
  const auto middle = nodes.begin() + static_cast<std::ptrdiff_t>(nodes.size() / 2);
  EXPECT_EQ(nodes.size(), 512u);
  EXPECT_TRUE(std::all_of(nodes.begin(), middle, [](int node) { return node >= 0; }));
  EXPECT_TRUE(std::all_of(middle, nodes.end(), [](int node) { return node == -1; }));
}

TEST(MappedRanges, AProcessThatHasEndedIsTold) {
  const int child = fork();
  if (child == 0) _exit(0);
  ASSERT_GT(child, 0);
  waitpid(child, nullptr, 0);
  MappedRange range;
  range.bytes = 8u << 20;
  range.node_bytes = {{0, 4u << 20}, {1, 4u << 20}};
  std::vector<MappedRange> ranges = {range};
  EXPECT_FALSE(look_at_pages(child, ranges));
  EXPECT_TRUE(ranges.front().nodes.empty());
}

}  // namespace
}  // namespace gable::points

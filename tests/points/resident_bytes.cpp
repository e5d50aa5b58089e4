// Resident bytes from texts in the kernel's format.

#include "points/resident_bytes.hpp"

#include <gtest/gtest.h>

#include <string>

namespace gable::points {
namespace {

constexpr const char* maps =
    "558a00000000-558a00001000 r-xp 00000000 fe:00 1 /home/me/my app\n"
    "558a00002000-558a00003000 rw-p 00002000 fe:00 1 /home/me/my app\n"
    "7f0000000000-7f0000400000 rw-p 00000000 00:00 0 \n"
    "7f1000000000-7f1000400000 r--s 00000000 fe:00 2 /data/graph.bin\n"
    "7f2000000000-7f2000001000 r-xp 00000000 fe:00 3 /usr/lib/libc.so.6\n";

TEST(ResidentBytes, DataCountsAndCodeDoesNot) {
  const std::string numa_maps =
      "558a00000000 default file=/home/me/my\\040app mapped=10 N0=10 kernelpagesize_kB=4\n"
      "558a00002000 default file=/home/me/my\\040app anon=2 dirty=2 N0=2 kernelpagesize_kB=4\n"
      "558a00003000 default heap anon=7 dirty=7 N0=3 N1=4 kernelpagesize_kB=4\n"
      "7f0000000000 interleave:0-1 anon=1024 dirty=1024 N0=512 N1=512 kernelpagesize_kB=4\n"
      "7f0800000000 default huge anon=3 dirty=3 N2=3 kernelpagesize_kB=2048\n"
      "7f1000000000 default file=/data/graph.bin mapped=100 N1=100 kernelpagesize_kB=4\n"
      "7f2000000000 default file=/usr/lib/libc.so.6 mapped=300 mapmax=30 N0=300 kernelpagesize_kB=4\n"
      "7ffc00000000 default stack anon=3 dirty=3 N0=3 kernelpagesize_kB=4\n"
      "7ffc00100000 default\n";
  const std::map<int, std::uint64_t> expected = {
      {0, (3 + 512 + 3) * 4096}, {1, (4 + 512 + 100) * 4096}, {2, 3 * 2097152}};
  const ResidentBytes bytes = resident_bytes(numa_maps, maps);
  EXPECT_EQ(bytes.data, expected);
  EXPECT_EQ(bytes.code, (10 + 2 + 300) * 4096);
  EXPECT_EQ(bytes.pool, 3 * 2097152);
}

TEST(ResidentBytes, NonsenseIsNoPages) {
  EXPECT_TRUE(resident_bytes("", "").data.empty());
  EXPECT_TRUE(resident_bytes("N0 N=3 Nx=3 N1= N1=-4 N1=x file= =\n\n\x01", "x\n").data.empty());
}

TEST(ResidentBytes, HugePagesAreTransparentOnesAndThoseOfPools) {
  EXPECT_EQ(bytes_on_huge_pages(
                "7f00-7fff ---p 00000000 00:00 0    [rollup]\nRss:  9000 kB\nAnonHugePages:  4096 kB\n"
                "ShmemPmdMapped:  2048 kB\nFilePmdMapped:  0 kB\nShared_Hugetlb:  0 kB\n"
                "Private_Hugetlb:  6144 kB\n"),
            12u << 20);
  EXPECT_EQ(bytes_on_huge_pages("AnonHugePages: 0 kB\n"), 0u);
  EXPECT_EQ(bytes_on_huge_pages(""), std::nullopt);
  EXPECT_EQ(bytes_on_huge_pages("Rss: 7 kB\nAnonHugePages: x\n"), std::nullopt);
}

}  // namespace
}  // namespace gable::points

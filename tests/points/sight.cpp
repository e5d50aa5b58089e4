// Whether enough of a program's pages was seen.

#include "points/sight.hpp"

#include <gtest/gtest.h>

#include <string>

namespace gable::points {
namespace {

constexpr std::uint64_t mib = 1 << 20;

// A program of 1 GiB, of which 2 MiB are code. On a machine with many CPUs the kernel's count of a small one
// says little.
struct Case {
  Sight sight;
  Ending ending;

  explicit Case(std::uint64_t seen = 1022 * mib) {
    sight.data_bytes = seen;
    sight.code_bytes = 2 * mib;
    sight.processes = sight.threads = sight.workers = 1;
    sight.seconds = 0.01;
    sight.longest_gap = 0.009;
    ending.seconds = 0.01;
    ending.peak = {1024 * mib, 3 * mib};
  }
  std::string unknown() const { return too_little_seen(sight, ending); }
};

TEST(Sight, WhoSawThePeakMayHaveLookedRarely) {
  EXPECT_EQ(Case(1022 * mib).unknown(), "");
  EXPECT_EQ(Case(900 * mib).unknown(), "");
  EXPECT_EQ(Case(800 * mib).unknown(), "at most 800 MiB of 1022 MiB, and the program ran 10 ms");
  EXPECT_NE(Case(0).unknown(), "");
}

TEST(Sight, WhoMissedThePeakLookedInVain) {
  Case often(800 * mib);
  often.sight.longest_gap = 0.001;
  EXPECT_NE(often.unknown(), "");
}

TEST(Sight, ThreadsAreKnownFromSeveralLooks) {
  Case seen;
  seen.sight.looks = 3;
  seen.ending.usage.user_seconds = 0.01;
  EXPECT_TRUE(are_threads_known(seen.sight, seen.ending));
  seen.sight.looks = 2;
  EXPECT_FALSE(are_threads_known(seen.sight, seen.ending));
  seen.sight.looks = 3;
  seen.ending.usage.kernel_seconds = 0.005;
  EXPECT_FALSE(are_threads_known(seen.sight, seen.ending)) << "another thread ran, too";
}

// The peak is that of this process's copy, of the manager, or not known at all.
TEST(Sight, APeakOfAnotherProcessSaysNothing) {
  Case copied(10 * mib), managed(10 * mib), unknown(10 * mib);
  copied.ending.peak.copy_bytes = 1024 * mib;
  managed.sight.is_managed = true;
  unknown.ending.peak = {};
  for (Case* each : {&copied, &managed, &unknown}) {
    EXPECT_EQ(each->unknown(), "the program ran 10 ms, 9 ms of it between two looks");
    each->sight.longest_gap = 0.001;
    EXPECT_EQ(each->unknown(), "");
  }
}

// The peak of one process, without hugetlb pages, does not tell that of several, or with them.
TEST(Sight, WhatIsInNoPeakHasToBeLookedAtOften) {
  Case several, pool, in_pool(1022 * mib + 4096 * mib);
  several.sight.processes = 2;
  pool.sight.has_pool = in_pool.sight.has_pool = true;
  in_pool.sight.pool_bytes = 4096 * mib;
  for (Case* each : {&several, &pool, &in_pool}) {
    EXPECT_NE(each->unknown(), "");
    each->sight.longest_gap = 0.001;
    EXPECT_EQ(each->unknown(), "");
  }
  in_pool.sight.data_bytes = 4400 * mib;
  EXPECT_EQ(in_pool.unknown(), "") << "nearly all of both together";
  in_pool.sight.data_bytes = 4300 * mib;
  EXPECT_NE(in_pool.unknown(), "");
}

}  // namespace
}  // namespace gable::points

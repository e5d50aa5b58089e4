// What comes one after the other in programs of several threads.

#include <cstdlib>
#include <filesystem>

#include "tests/points/programs.hpp"

namespace gable::points::tests {
namespace {

// Of arrays of 20 000 numbers.
model::Profile profile_of_sums(const std::string& how) {
  return profile_of(how, 20000, 100);
}

TEST(Waits, OneThreadDoesEverythingOneAfterTheOther) {
  SKIP_WITHOUT_VALGRIND();
  EXPECT_NEAR(profile_of_sums("triad").span, 1, 1e-3);
}

TEST(Waits, ThreadsSideBySideAreAsLongAsEachOfThem) {
  SKIP_WITHOUT_VALGRIND();
  const model::Profile profile = profile_of_sums("apart");
  EXPECT_GE(profile.span, profile.busiest_thread - 1e-6);
  EXPECT_NEAR(profile.span, 0.5, 0.1);
}

// Each does half of the work, but waits for the other one meanwhile.
TEST(Waits, ThreadsThatTakeTurnsAreAsLongAsAllOfThem) {
  SKIP_WITHOUT_VALGRIND();
  const model::Profile profile = profile_of_sums("two by turns");
  EXPECT_NEAR(profile.busiest_thread, 0.5, 0.1);
  EXPECT_GT(profile.span, 0.95);
}

model::Profile profile_of_teams(const char* threads, const std::string& in, const std::string& out) {
  setenv("OMP_NUM_THREADS", threads, 1);
  const model::Profile profile = profile_of({program("teams"), "40", "3", "5", "7", in, out});
  unsetenv("OMP_NUM_THREADS");
  return profile;
}

bool has_openmp() {
  return std::filesystem::exists(program("teams"));
}

// A region begins and ends with a barrier, whether there are other threads or not.
TEST(Barriers, AreCountedForAnyNumberOfThreads) {
  SKIP_WITHOUT_VALGRIND();
  if (!has_openmp()) GTEST_SKIP() << "built without OpenMP";
  for (const char* threads : {"1", "3"})
    EXPECT_EQ(profile_of_teams(threads, "0", "0").barriers, 40 * (2 + 3 + 5)) << threads;
  EXPECT_EQ(profile_of_sums("two by turns").barriers, 0) << "threads that take turns are no team";
}

// One thread tells what several would not divide: here, what is outside of regions is a quarter.
TEST(Barriers, WhatIsInNoRegionIsSerial) {
  SKIP_WITHOUT_VALGRIND();
  if (!has_openmp()) GTEST_SKIP() << "built without OpenMP";
  EXPECT_NEAR(profile_of_teams("1", "150000", "50000").serial, 0.25, 0.02);
  EXPECT_EQ(profile_of_teams("2", "0", "0").serial, 0) << "of several threads the clocks tell it";
  EXPECT_EQ(profile_of_sums("triad").serial, 0) << "there are no regions";
}

}  // namespace
}  // namespace gable::points::tests

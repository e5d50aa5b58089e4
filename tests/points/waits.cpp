// What comes one after the other in programs of several threads.

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

// Each turn but the first is waited for, in the condition or for the mutex; at most in both.
TEST(Waits, AreCounted) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int turns = 2 * 100;
  EXPECT_LE(profile_of_sums("apart").waits, 2) << "for the ends of threads";
  const double waits = profile_of_sums("two by turns").waits;
  EXPECT_GE(waits, 0.8 * turns);
  EXPECT_LE(waits, 2.2 * turns);
}

}  // namespace
}  // namespace gable::points::tests

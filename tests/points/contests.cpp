// Accesses of two threads to the same line, at the same time and one after the other.

#include <string>

#include "points/profile/record.hpp"
#include "tests/points/programs.hpp"

namespace gable::points::tests {
namespace {

// Of the function's accesses to a variable.
struct Contested {
  double share = 0, share_apart = 0;
};

Contested contested(const std::string& how, const std::string& function, const std::string& variable) {
  const ProfileRun run = record_profile({{program("contends"), how, "1000000"}, true}, false);
  EXPECT_EQ(run.status, 0) << run.note;
  const model::Profile& profile = run.profile;
  const auto is_of_it = [&](const auto& of) {
    return of.object >= 0 && profile.places[of.place].function == function &&
           profile.objects[of.object].name == variable;
  };
  double all = 0, contested = 0, apart = 0;
  for (const model::ProfileAccesses& of : profile.accesses) {
    if (is_of_it(of)) all += of.loads + of.stores;
  }
  for (const model::ProfileUses& of : profile.uses) {
    if (!is_of_it(of)) continue;
    contested += of.contested;
    apart += of.contested_apart;
  }
  EXPECT_GT(all, 900000) << function << " is not in the profile";
  return {contested / all, apart / all};
}

// How often the threads run at the same time depends on the machine.
constexpr double most = 0.4, few = 0.02;

TEST(Contests, CountersOfTwoThreadsOnOneLineAreContestedApart) {
  SKIP_WITHOUT_VALGRIND();
  const Contested found = contested("apart", "add", "counters");
  EXPECT_GT(found.share, most);
  EXPECT_LT(found.share, 1.1);
  EXPECT_EQ(found.share_apart, found.share) << "each thread has bytes of its own";
}

TEST(Contests, OneCounterOfTwoThreadsIsContested) {
  SKIP_WITHOUT_VALGRIND();
  const Contested found = contested("same", "add", "counters");
  EXPECT_GT(found.share, most);
  EXPECT_EQ(found.share_apart, 0);
}

// Threads that use any counter do not share the line falsely.
TEST(Contests, ATableOfCountersIsContestedOnTheSameBytes) {
  SKIP_WITHOUT_VALGRIND();
  const Contested found = contested("table", "add_to_table", "counters");
  EXPECT_GT(found.share, most);
  EXPECT_LT(found.share_apart, 0.3 * found.share);
}

TEST(Contests, LinesOfTheirOwnAndLinesThatNobodyWritesAreNot) {
  SKIP_WITHOUT_VALGRIND();
  EXPECT_EQ(contested("padded", "add", "counters").share, 0);
  EXPECT_EQ(contested("read", "read_often", "counters").share, 0);
}

TEST(Contests, DataThatIsHandedOverAtABarrierIsRarelyContested) {
  SKIP_WITHOUT_VALGRIND();
  EXPECT_LT(contested("handed", "hand_over", "passed").share, few);
}

}  // namespace
}  // namespace gable::points::tests

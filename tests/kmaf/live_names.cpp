// Programs and threads have the same names in every run, and records of two runs are the same.

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "kmaf/live/policies/learner.hpp"
#include "oracle_test.hpp"

namespace gable::kmaf::live {
namespace {

TEST(Names, AreByOrderOfCreation) {
  Names names(self);
  names.follow(replaced(self));
  names.follow(started(self, 500, self));
  names.follow(started(self, 400, self));  // thread IDs are reused
  EXPECT_EQ(names.program(self), (KnownProgram{"0+1", own_image()}));
  EXPECT_EQ(names.task(self)->number, 0);
  EXPECT_EQ(names.task(500)->number, 1);
  EXPECT_EQ(names.task(400)->number, 2);
  names.follow(ended(self, 500));
  EXPECT_FALSE(names.task(500));
  names.follow(started(self, 500, self));
  EXPECT_EQ(names.task(500)->number, 3) << "another thread of that number";
  EXPECT_FALSE(names.task(77)) << "never seen";
}

TEST(Names, OfProcessesTellWhoStartedThem) {
  Names names(77);  // any number: pids need not exist
  names.follow(started(80, 80, 77));
  names.follow(started(self, self, 80));
  names.follow(started(90, 90, 80));
  names.follow(ended(90, 90));
  names.follow(started(91, 91, 80));
  EXPECT_EQ(names.program(self)->name, "0.1.1");
  names.follow(replaced(self));
  EXPECT_EQ(names.program(self)->name, "0.1.1+1");
  EXPECT_FALSE(names.program(90));
}

TEST(Names, OfAnExecAreNewOnes) {
  Names names(self);
  names.follow(started(self, 500, self));
  const auto before = names.task(self)->instance;
  names.follow(replaced(self));
  EXPECT_NE(names.task(self)->instance, before);
  names.follow(started(self, 501, self));
  EXPECT_EQ(names.task(501)->number, 1);
}

TEST(Names, AreGivenNoMoreOnceCountIsLost) {
  Names names(self);
  EXPECT_TRUE(names.program(self));
  names.lose_count();
  EXPECT_TRUE(names.program(self)) << "it began before";
  names.follow(replaced(self));
  EXPECT_FALSE(names.program(self));
}

// Two runs with different pids, thread IDs and addresses give the same record.
TEST(Learner, LearnsTheSameFromTheSameProgram) {
  const auto learn = [](pid_t other, std::uint64_t object) {
    Learner learner(self, 4096, 1024);
    learner.follow(replaced(self));
    learner.follow(started(self, other, self));
    for (const auto& [tid, address] :
         {std::pair(self, 0x5000), {other, 0x5008}, {other, 0x9000}, {self, 0x5010}}) {
      const auto at = static_cast<std::uint64_t>(address);
      learner.sample({Event::Kind::access, self, tid, 0, 0, at, 0, 0}, {object, at});
    }
    learner.follow(ended(self, other));
    learner.sample({Event::Kind::access, self, other, 0, 0, 0x5000, 0, 0}, {object, 0x5000});  // too late
    return learner.knowledge();
  };
  const Knowledge known = learn(500, 1);
  EXPECT_EQ(known, learn(900, 6));
  EXPECT_EQ(known.tasks, (std::vector<KnownTask>{{0, 0, 2}, {0, 1, 2}}));
  EXPECT_EQ(known.sharing, (std::vector<KnownSharing>{{0, 1, 2}}));
  EXPECT_EQ(known.pages.size(), 2u);
  EXPECT_EQ(known.samples_left_out, 1u) << "the one that came too late";
}

}  // namespace
}  // namespace gable::kmaf::live

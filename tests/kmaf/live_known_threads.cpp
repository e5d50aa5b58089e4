// Threads that the record knows go where it sends them, and others are left.

#include <gtest/gtest.h>

#include "oracle_test.hpp"

namespace gable::kmaf::live {
namespace {

TEST_F(Known, ThreadsGoToWhereTheRecordSendsThem) {
  KnownThreads threads(knowledge_, leaves_, hierarchy_, binder_, self, 0, true);
  follow(threads, replaced(self, 1));
  threads.advance(1.05, names_);
  EXPECT_EQ(pu(self), 99u) << "alone, and asks how many hardware threads there are";
  follow(threads, started(self, 500, self));
  EXPECT_EQ(pu(self), 3u);
  EXPECT_EQ(pu(500), 0u);
  follow(threads, started(self, 501, self));
  EXPECT_EQ(pu(501), 2u);
  EXPECT_EQ(threads.recognized(), 3u);
  EXPECT_EQ(threads.missed(), 0u);
  follow(threads, started(self, 502, self));
  EXPECT_EQ(pu(502), 99u) << "not in the record";
  EXPECT_EQ(threads.unknown(), 1u);
}

TEST_F(Known, ProgramsOfAnotherImageAreLeft) {
  knowledge_.programs[0].image = "/bin/other";
  KnownThreads threads(knowledge_, leaves_, hierarchy_, binder_, self, 0, true);
  follow(threads, replaced(self));
  follow(threads, started(self, 500, self));
  EXPECT_EQ(pu(500), 99u);
  EXPECT_EQ(threads.recognized(), 0u);
  EXPECT_EQ(threads.unknown(), 2u);
  EXPECT_EQ(threads.missed(), 3u);
}

TEST_F(Known, OnePlaceIsNotGivenTwiceAtATime) {
  const Mapping same = {3, 3, 3};  // they ran one after another
  knowledge_.tasks_at_once = 1;
  KnownThreads threads(knowledge_, same, hierarchy_, binder_, self, 0, true);
  follow(threads, replaced(self));
  follow(threads, started(self, 500, self));
  EXPECT_EQ(pu(self), 3u);
  EXPECT_EQ(pu(500), 2u) << "the nearest";
  follow(threads, ended(self, 500));
  follow(threads, started(self, 501, self));
  EXPECT_EQ(pu(501), 2u) << "is free again";
}

TEST_F(Known, AnExecFreesWhatWasBound) {
  KnownThreads threads(knowledge_, leaves_, hierarchy_, binder_, self, 0, true);
  follow(threads, replaced(self, 1));
  threads.advance(1.2, names_);
  EXPECT_EQ(pu(self), 3u);
  follow(threads, replaced(self, 2));
  threads.advance(2.2, names_);
  EXPECT_EQ(pu(self), 99u) << "the second program is not in the record";
}

TEST_F(Known, ThreadsAreLeftWhereDataAreAllThatIsPlaced) {
  KnownThreads threads(knowledge_, leaves_, hierarchy_, binder_, self, 0, false);
  follow(threads, replaced(self));
  follow(threads, started(self, 500, self));
  EXPECT_EQ(pu(500), 99u);
  EXPECT_EQ(threads.recognized(), 2u);
}

}  // namespace
}  // namespace gable::kmaf::live

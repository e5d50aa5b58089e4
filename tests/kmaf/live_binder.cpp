// Threads that are bound: the handling of the kernel's answers, with a simulated kernel.

#include <gtest/gtest.h>

#include "kmaf/live/movers/binder.hpp"
#include "kmaf/live/policies/standing.hpp"
#include "played_kernel.hpp"

namespace gable::kmaf::live {
namespace {

class Threads : public testing::Test {
 protected:
  Threads() : journal_(Journal::unnamed()), binder_(kernel_, journal_, all_) {
    for (const pid_t tid : {10, 11, 12}) kernel_.masks[tid] = all_;
  }
  const std::vector<unsigned> all_ = {0, 1, 2, 3};
  PlayedKernel kernel_;
  Journal journal_;
  Binder binder_;
};

TEST_F(Threads, AreBoundAndBoundAgain) {
  EXPECT_TRUE(binder_.bind(10, 11, 2));
  EXPECT_TRUE(binder_.bind(10, 11, 3));
  EXPECT_EQ(kernel_.masks[11], std::vector<unsigned>{3});
  EXPECT_EQ(binder_.moves().done, 2u);
}

TEST_F(Threads, ThatTheProgramHasBoundAreLeft) {
  kernel_.masks[11] = {1, 2};
  EXPECT_FALSE(binder_.bind(10, 11, 3));
  EXPECT_EQ(kernel_.masks[11], (std::vector<unsigned>{1, 2}));
  EXPECT_TRUE(binder_.bind(10, 12, 3));
  kernel_.masks[12] = {0};  // now the program binds it elsewhere
  EXPECT_FALSE(binder_.bind(10, 12, 2));
  EXPECT_EQ(binder_.moves().failed.at("the program binds the thread itself"), 2u);
}

TEST_F(Threads, AreReleasedWhereTheyAreBound) {
  binder_.bind(10, 11, 2);
  binder_.release(11);
  EXPECT_EQ(kernel_.masks[11], all_);
  binder_.bind(10, 12, 2);
  kernel_.masks[12] = {0, 1};  // bound by the program since
  binder_.release(12);
  EXPECT_EQ(kernel_.masks[12], (std::vector<unsigned>{0, 1}));
  EXPECT_FALSE(binder_.bound_to(12));
}

TEST_F(Threads, InheritNothingFromABoundMaker) {
  binder_.bind(10, 10, 1);
  kernel_.masks[13] = kernel_.masks[10];
  binder_.started({Event::Kind::started, 10, 13, 10, 10, 0, 0, 1});
  EXPECT_EQ(kernel_.masks[13], all_);
  kernel_.masks[14] = {1};  // its parent was not bound: the program's own mask
  binder_.started({Event::Kind::started, 10, 14, 10, 12, 0, 0, 1});
  EXPECT_EQ(kernel_.masks[14], std::vector<unsigned>{1});
  kernel_.masks[15] = {1};  // its parent is not known
  binder_.started({Event::Kind::started, 10, 15, 0, 0, 0, 0, 1});
  EXPECT_EQ(kernel_.masks[15], all_);
}

TEST_F(Threads, ThatAreGoneOrMayNotGoThereAreCounted) {
  kernel_.off_limits.insert(2);
  EXPECT_FALSE(binder_.bind(10, 99, 1));
  EXPECT_FALSE(binder_.bind(10, 11, 2));
  EXPECT_EQ(binder_.moves().failures(), 2u);
  EXPECT_EQ(binder_.moves().failed.size(), 2u);
}

// A run-time system that queries the number of hardware threads sees all of them.
TEST_F(Threads, ThatAreAloneInTheirProcessAreBoundLater) {
  Bound bound({0, 1, 2, 3}, binder_, 10, 5);
  bound.take({}, 5.05);
  EXPECT_EQ(kernel_.masks[10], all_);
  bound.take({{Event::Kind::started, 10, 11, 10, 10, 0, 0, 5.06}}, 5.07);
  EXPECT_EQ(kernel_.masks[10], std::vector<unsigned>{0}) << "no longer alone";
  EXPECT_EQ(kernel_.masks[11], std::vector<unsigned>{1});
  kernel_.masks[12] = kernel_.masks[10];  // inherited
  bound.take({{Event::Kind::started, 12, 12, 10, 10, 0, 0, 5.08}}, 5.09);
  EXPECT_EQ(kernel_.masks[12], all_);
  bound.take({{Event::Kind::replaced, 12, 12, 0, 0, 0, 0, 5.15}}, 5.2);
  EXPECT_EQ(kernel_.masks[12], all_) << "the new program has just begun";
  bound.take({}, 5.3);
  EXPECT_EQ(kernel_.masks[12], std::vector<unsigned>{2});
}

// The event of its start arrives after its parent has been bound elsewhere.
TEST_F(Threads, ThatInheritedAnEarlierBindingAreReleasedToo) {
  binder_.bind(10, 10, 1);
  kernel_.masks[13] = kernel_.masks[10];
  binder_.bind(10, 10, 3);
  binder_.started({Event::Kind::started, 10, 13, 10, 10, 0, 0, 5});
  EXPECT_EQ(kernel_.masks[13], all_);
  kernel_.masks[14] = {2};
  binder_.started({Event::Kind::started, 10, 14, 10, 10, 0, 0, 5});
  EXPECT_EQ(kernel_.masks[14], std::vector<unsigned>{2}) << "its own";
}

// Its parent had itself inherited the mask at that time, and was released since.
TEST_F(Threads, OfProcessesThatInheritedABindingAreReleasedToo) {
  kernel_.masks[20] = kernel_.masks[21] = all_;
  binder_.bind(10, 11, 2);
  kernel_.masks[20] = kernel_.masks[21] = {2};
  binder_.started({Event::Kind::started, 20, 20, 10, 11, 0, 0, 5});
  EXPECT_EQ(kernel_.masks[20], all_);
  binder_.started({Event::Kind::started, 20, 21, 20, 20, 0, 0, 5});
  EXPECT_EQ(kernel_.masks[21], all_);
  EXPECT_TRUE(binder_.bind(20, 21, 1));
}

// A shell: its children must see every hardware thread.
TEST_F(Threads, OfProcessesThatStartOthersWaitWhileAlone) {
  EXPECT_TRUE(binder_.bind(10, 10, 1));
  kernel_.masks[20] = kernel_.masks[10];
  binder_.started({Event::Kind::started, 20, 20, 10, 10, 0, 0, 5});
  EXPECT_EQ(kernel_.masks[10], all_) << "released";
  EXPECT_EQ(kernel_.masks[20], all_);
  EXPECT_TRUE(binder_.waits(10));
  EXPECT_FALSE(binder_.waits(20));
  EXPECT_FALSE(binder_.bind(10, 10, 1));
  EXPECT_EQ(binder_.moves().failures(), 0u);
  binder_.accessed(10, 5.1);
  EXPECT_TRUE(binder_.waits(10));
  binder_.accessed(10, 5.9);
  EXPECT_FALSE(binder_.waits(10)) << "it works itself";
  EXPECT_TRUE(binder_.bind(10, 10, 1));
  kernel_.masks[21] = kernel_.masks[10];
  binder_.started({Event::Kind::started, 21, 21, 10, 10, 0, 0, 6});
  EXPECT_TRUE(binder_.waits(10)) << "and starts another one";
  EXPECT_EQ(kernel_.masks[21], all_);
  binder_.started({Event::Kind::started, 10, 11, 10, 10, 0, 0, 6});
  EXPECT_TRUE(binder_.bind(10, 10, 1)) << "it works itself";
  binder_.ended({Event::Kind::ended, 10, 11, 0, 0, 0, 0, 7});
  EXPECT_TRUE(binder_.waits(10));
}

TEST_F(Threads, AreInTheJournalBeforeTheyAreBound) {
  kernel_.off_limits.insert(2);
  binder_.bind(10, 11, 2);
  EXPECT_NE(journal_.text().find("mask 0 1 2 3\n"), std::string::npos);
  EXPECT_NE(journal_.text().find("bound 10 11 2\n"), std::string::npos);
}

}  // namespace
}  // namespace gable::kmaf::live

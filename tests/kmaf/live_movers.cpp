// Pages that are moved: the handling of the kernel's answers, with a simulated kernel.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <map>

#include "kmaf/live/movers/page_mover.hpp"
#include "played_kernel.hpp"

namespace gable::kmaf::live {
namespace {

class Pages : public testing::Test {
 protected:
  Pages() {
    memory_ = static_cast<char*>(
        mmap(nullptr, pages * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    object_ = spaces_.place(getpid(), address(0), 1)->object;
  }
  ~Pages() override { munmap(memory_, pages * bytes); }

  std::uint64_t address(std::uint64_t page) const {
    return reinterpret_cast<std::uint64_t>(memory_) + page * bytes;
  }
  Page page(std::uint64_t number) const { return {object_, address(number) / bytes}; }
  void order(PageMover& mover, std::uint64_t number, int to) { mover.order(page(number), 0, to); }
  // Works until no order waits: between two attempts the mover pauses for a moment.
  std::vector<PageMover::Failure> finish(PageMover& mover) {
    std::vector<PageMover::Failure> failures;
    while (mover.waiting() > 0) {
      const auto some = mover.work(spaces_, true);
      failures.insert(failures.end(), some.begin(), some.end());
    }
    return failures;
  }

  static constexpr std::uint64_t bytes = 4096, pages = 256;
  const std::vector<unsigned> nodes_ = {0, 1, 2, 3};
  char* memory_ = nullptr;
  std::uint64_t object_ = 0;
  AddressSpaces spaces_;
  PlayedKernel kernel_;
};

TEST_F(Pages, GoTogether) {
  PageMover mover(kernel_, bytes, nodes_);
  for (std::uint64_t i = 0; i < 63; ++i) order(mover, i, 1);
  mover.work(spaces_);
  EXPECT_TRUE(kernel_.calls.empty()) << "63 pages wait for more";
  order(mover, 63, 1);
  mover.work(spaces_);
  ASSERT_EQ(kernel_.calls.size(), 1u);
  EXPECT_EQ(kernel_.calls[0], 64u);
  EXPECT_EQ(mover.moves().done, 64u);
  EXPECT_EQ(mover.waiting(), 0u);
}

TEST_F(Pages, AFewDoNotWaitForever) {
  PageMover mover(kernel_, bytes, nodes_);
  order(mover, 3, 2);
  for (int i = 0; i < 100; ++i) mover.work(spaces_);
  EXPECT_EQ(mover.moves().done, 1u);
  EXPECT_EQ(kernel_.node[address(3)], 2);
}

TEST_F(Pages, AHiddenPageIsTriedAgain) {
  PageMover mover(kernel_, bytes, nodes_);
  kernel_.errors[address(5)] = -ENOENT;
  order(mover, 5, 1);
  EXPECT_TRUE(mover.work(spaces_, true).empty());
  EXPECT_EQ(mover.waiting(), 1u);
  kernel_.errors.clear();
  finish(mover);
  EXPECT_EQ(mover.moves().done, 1u);
  EXPECT_EQ(mover.moves().failures(), 0u);
}

// Among processes that map shared memory, only the one that accessed the page certainly has it; others may
// never have had it.
TEST_F(Pages, MoveThroughTheAccessingProcess) {
  PageMover mover(kernel_, bytes, nodes_);
  constexpr pid_t accessor = 4242;
  mover.order(page(7), 0, 1, AddressSpaces::Location{accessor, 0x70000});
  mover.work(spaces_, true);
  EXPECT_EQ(kernel_.processes, std::vector{accessor});
  EXPECT_EQ(kernel_.node[0x70000], 1);
  EXPECT_EQ(mover.moves().done, 1u);
}

TEST_F(Pages, MoveThroughAnotherWhenThatProcessHasEnded) {
  PageMover mover(kernel_, bytes, nodes_);
  constexpr pid_t accessor = 4242;
  kernel_.ended = {accessor};
  mover.order(page(7), 0, 1, AddressSpaces::Location{accessor, 0x70000});
  finish(mover);
  EXPECT_EQ(kernel_.processes, std::vector{getpid()});
  EXPECT_EQ(kernel_.node[address(7)], 1);
  EXPECT_EQ(mover.moves().done, 1u);
  EXPECT_EQ(mover.moves().failures(), 0u);
}

TEST_F(Pages, PermanentFailuresAreReported) {
  PageMover mover(kernel_, bytes, nodes_);
  kernel_.errors[address(5)] = -EBUSY;
  kernel_.node[address(5)] = 3;
  order(mover, 5, 1);
  const std::vector<PageMover::Failure> failures = finish(mover);
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].page, page(5));
  EXPECT_EQ(failures[0].node, 3);
  EXPECT_EQ(mover.moves().failed.at(reason_of(-EBUSY)), 1u);
  EXPECT_EQ(mover.waiting(), 0u);
}

TEST_F(Pages, ErrorsThatStayAreNotTriedAgain) {
  PageMover mover(kernel_, bytes, nodes_);
  for (const auto& [number, error] : std::map<std::uint64_t, int>{{1, -EACCES}, {2, -ENOMEM}, {3, -EFAULT}}) {
    kernel_.errors[address(number)] = error;
    order(mover, number, 1);
  }
  order(mover, 4, 1);
  mover.work(spaces_, true);
  EXPECT_EQ(mover.moves().done, 1u);
  EXPECT_EQ(mover.moves().failures(), 3u);
  EXPECT_EQ(mover.moves().failed.size(), 3u) << "each with its reason";
  EXPECT_EQ(kernel_.calls.size(), 1u);
}

// The kernel's answer is verified.
TEST_F(Pages, APageThatIsElsewhereWasNotMoved) {
  PageMover mover(kernel_, bytes, nodes_);
  kernel_.stubborn.insert(address(7));
  order(mover, 7, 2);
  finish(mover);
  EXPECT_EQ(mover.moves().done, 0u);
  EXPECT_EQ(mover.moves().failures(), 1u);
}

TEST_F(Pages, TheNewestOrderHolds) {
  PageMover mover(kernel_, bytes, nodes_);
  order(mover, 9, 1);
  order(mover, 9, 2);
  mover.work(spaces_, true);
  EXPECT_EQ(kernel_.node[address(9)], 2);
  EXPECT_EQ(mover.moves().done, 1u);
}

TEST_F(Pages, OfAUnitAllGo) {
  constexpr std::uint64_t unit = 16 * bytes;
  PageMover mover(kernel_, unit, nodes_);
  const std::uint64_t number = address(32) / unit;
  mover.order({object_, number}, 0, 3);
  mover.work(spaces_, true);
  EXPECT_EQ(mover.moves().done, 1u);
  for (std::uint64_t i = 0; i < 16; ++i) EXPECT_EQ(kernel_.node[number * unit + i * bytes], 3) << i;
}

// HBM, CXL: the nodes of the hierarchy are the only ones between which pages move.
TEST_F(Pages, OfOtherMemoriesStay) {
  PageMover mover(kernel_, bytes, nodes_);
  kernel_.node[address(7)] = 4;
  kernel_.node[address(8)] = 3;
  for (const std::uint64_t number : {7, 8}) mover.order(page(number), -1, 1);
  const auto failures = mover.work(spaces_, true);
  EXPECT_EQ(kernel_.node[address(7)], 4);
  EXPECT_EQ(kernel_.node[address(8)], 1);
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].page, page(7));
  EXPECT_EQ(failures[0].node, 4);
  EXPECT_EQ(mover.moves().failed.at("the page is in a memory that is not managed"), 1u);
}

TEST_F(Pages, ThatAPolicyBindsStay) {
  PageMover mover(kernel_, bytes, nodes_);
  kernel_.mappings = {{0, {}}, {address(10), {true, {}}}, {address(20), {true, {0, 2}}}, {address(30), {}}};
  for (const std::uint64_t number : {9, 10, 19, 20, 21, 30}) order(mover, number, number == 21 ? 2 : 1);
  EXPECT_EQ(mover.work(spaces_, true).size(), 3u);
  for (const std::uint64_t number : {10, 19, 20}) EXPECT_EQ(kernel_.node[address(number)], 0) << number;
  for (const std::uint64_t number : {9, 30}) EXPECT_EQ(kernel_.node[address(number)], 1) << number;
  EXPECT_EQ(kernel_.node[address(21)], 2) << "the policy has it balanced";
  EXPECT_EQ(mover.moves().failed.at("a memory policy keeps the page where it is"), 3u);
  EXPECT_TRUE(mover.is_kept({getpid(), address(15)}));
  EXPECT_FALSE(mover.is_kept({getpid(), address(25)}));
  EXPECT_FALSE(mover.is_kept({getpid(), address(5)}));
}

// A mapping without a policy has that of the thread that accesses it.
TEST_F(Pages, OfThreadsWithAPolicyStay) {
  PageMover mover(kernel_, bytes, nodes_);
  kernel_.threads[77] = {true, {}};
  const auto seen = [&](std::uint64_t number) { return AddressSpaces::Location{getpid(), address(number)}; };
  mover.order(page(1), 0, 1, seen(1), 77);
  mover.order(page(2), 0, 1, seen(2), 78);
  mover.work(spaces_, true);
  EXPECT_EQ(kernel_.node[address(1)], 0);
  EXPECT_EQ(kernel_.node[address(2)], 1);
}

// It may be set at any time.
TEST_F(Pages, APolicyIsReadBeforeEachMove) {
  PageMover mover(kernel_, bytes, nodes_);
  order(mover, 1, 1);
  finish(mover);
  EXPECT_EQ(kernel_.node[address(1)], 1);
  kernel_.mappings = {{0, {true, {}}}};
  order(mover, 1, 2);
  finish(mover);
  EXPECT_EQ(kernel_.node[address(1)], 1);
  EXPECT_EQ(kernel_.readings, 2);
}

TEST_F(Pages, WhosePolicyIsNotKnownStay) {
  PageMover mover(kernel_, bytes, nodes_);
  kernel_.mappings.clear();
  order(mover, 1, 1);
  mover.work(spaces_, true);
  EXPECT_EQ(kernel_.node[address(1)], 0);
  EXPECT_EQ(mover.moves().failed.at("its memory policy cannot be read"), 1u);
}

// A unit of 2 MiB may reach into other mappings and memories.
TEST_F(Pages, OfAUnitThoseThatMayGo) {
  constexpr std::uint64_t unit = 16 * bytes;
  PageMover mover(kernel_, unit, nodes_);
  const std::uint64_t number = address(32) / unit, begin = number * unit;
  kernel_.mappings = {{0, {}}, {begin + 4 * bytes, {true, {}}}, {begin + 6 * bytes, {}}};
  kernel_.node[begin] = 4;
  mover.order({object_, number}, 0, 3);
  EXPECT_TRUE(mover.work(spaces_, true).empty());
  EXPECT_EQ(mover.moves().done, 1u);
  EXPECT_EQ(kernel_.node[begin], 4);
  for (std::uint64_t i = 1; i < 16; ++i)
    EXPECT_EQ(kernel_.node[begin + i * bytes], i == 4 || i == 5 ? 0 : 3) << i;
}

TEST_F(Pages, OfAProcessThatIsGoneFail) {
  PageMover mover(kernel_, bytes, nodes_);
  order(mover, 1, 1);
  spaces_.forget(getpid());
  mover.work(spaces_, true);
  EXPECT_EQ(mover.moves().failures(), 1u);
  EXPECT_TRUE(kernel_.calls.empty());
}

// Moving pages that others map too needs a right; without it, the others are moved all the same.
TEST_F(Pages, MoveWithoutRights) {
  if (syscall(SYS_move_pages, 0, 0, nullptr, nullptr, nullptr, 0) != 0)
    GTEST_SKIP() << "move_pages is not allowed here";
  memory_[0] = 1;
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t nobody = 65534;
    if (geteuid() == 0 && setresuid(nobody, nobody, nobody) != 0) _exit(2);
    memory_[0] = 2;  // a page of its own
    for (int i = 0; i < 2; ++i) {
      if (running_kernel().move_pages(getpid(), {address(0)}, {0}) != std::vector{0}) _exit(1);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace gable::kmaf::live

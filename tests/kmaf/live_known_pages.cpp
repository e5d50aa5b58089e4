// Pages that the record knows are moved once they are in memory, and others are left.

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

#include "kmaf/live/policies/known_pages.hpp"
#include "oracle_test.hpp"

namespace gable::kmaf::live {
namespace {

TEST_F(Known, PagesGoHomeOnceTheyAreThere) {
  constexpr std::size_t bytes = 4096, count = 4;
  void* const memory =
      mmap(nullptr, count * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const auto at = [&](std::size_t page) { return reinterpret_cast<std::uint64_t>(memory) + page * bytes; };
  for (std::size_t page = 0; page < count; ++page) {
    knowledge_.pages.push_back({0, at(page), {{0, 1}}});
    kernel_.errors[at(page)] = -ENOENT;
  }
  names_.follow(replaced(self));
  KnownPages pages(knowledge_, {1, 1, 0, 1}, {0, 1, 2, 3}, kernel_);
  double now = 0;
  const auto work = [&] {
    for (int i = 0; i < 10; ++i) pages.work({self}, names_, now += 2);
  };
  work();
  EXPECT_TRUE(kernel_.calls.empty()) << "nothing is in memory yet";
  EXPECT_EQ(pages.missed(), count);

  for (const std::size_t page : {0, 1, 2}) kernel_.errors.erase(at(page));  // they are now, on node 0
  work();
  EXPECT_EQ(kernel_.node[at(0)], 1);
  EXPECT_EQ(kernel_.node[at(1)], 1);
  EXPECT_EQ(kernel_.node[at(2)], 0);
  EXPECT_EQ(pages.moves().done, 2u);
  EXPECT_EQ(pages.in_place(), 3u);
  EXPECT_EQ(pages.missed(), 1u);

  kernel_.node[at(1)] = 0;  // freed and reallocated
  work();
  EXPECT_EQ(kernel_.node[at(1)], 1);

  kernel_.stubborn.insert(at(0));
  kernel_.node[at(0)] = 0;
  const std::size_t before = kernel_.calls.size();
  for (int i = 0; i < 40; ++i) work();
  EXPECT_LE(kernel_.calls.size() - before, 20u * 4) << "what never works is given up";
  EXPECT_EQ(pages.elsewhere(), 1u);

  kernel_.stubborn.clear();
  kernel_.node[at(1)] = 0;
  names_.follow(replaced(self));  // executes another program
  work();
  EXPECT_EQ(kernel_.node[at(1)], 0);
  munmap(memory, count * bytes);
}

TEST_F(Known, PagesOfWhatIsNotInTheRecordAreLeft) {
  knowledge_.pages = {{0, 0x1000, {{0, 1}}}};
  KnownPages pages(knowledge_, {1}, {0, 1, 2, 3}, kernel_);
  for (int i = 0; i < 10; ++i) pages.work({self}, names_, 2.0 * i);  // "0", and not "0+1"
  EXPECT_TRUE(kernel_.node.empty()) << "not even asked for";
  EXPECT_EQ(pages.missed(), 1u);
  EXPECT_GT(pages.unknown_bytes(), 0u);
}

}  // namespace
}  // namespace gable::kmaf::live

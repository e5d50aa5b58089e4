// Buffers: memory is on the requested node, in pages of the requested size.

#include "bench/buffers/buffer.hpp"
#include "base/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "machines.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::first_node;
using gable::bench::tests::MiB;
using gable::bench::tests::total;

TEST(Buffer, LiesOnTheNodeThatWasAskedFor) {
  for (const auto& node : gable::machines::this_machine().nodes) {
    gable::model::Notes notes;
    const Buffer buffer(3 * MiB, {node.os_index}, *gable::model::pages_named("4k"), notes);
    buffer.fill(buffer.size());
    if (!notes.empty()) GTEST_SKIP() << sentence(notes.front());
    const auto found = buffer.residence(buffer.size());
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found.begin()->first, static_cast<int>(node.os_index));
    EXPECT_EQ(found.begin()->second, buffer.size());
  }
}

TEST(Buffer, InterleavesOverAllNodes) {
  std::vector<unsigned> nodes;
  for (const auto& node : gable::machines::this_machine().nodes) nodes.push_back(node.os_index);
  gable::model::Notes notes;
  const Buffer buffer(8 * MiB, nodes, *gable::model::pages_named("4k"), notes);
  buffer.fill(buffer.size());
  if (!notes.empty()) GTEST_SKIP() << sentence(notes.front());
  const auto found = buffer.residence(buffer.size());
  EXPECT_EQ(found.size(), nodes.size());
  EXPECT_EQ(total(found), buffer.size());
}

TEST(Buffer, PagesThatWereNotTouchedAreInNoMemory) {
  gable::model::Notes notes;
  const Buffer buffer(MiB, {}, *gable::model::pages_named("4k"), notes);
  for (const auto& [node, bytes] : buffer.residence(buffer.size())) EXPECT_LT(node, 0);
}

TEST(Buffer, SmallPagesAreSmallAndLargeOnesLarge) {
  gable::model::Notes notes;
  const Buffer small(8 * MiB, {}, *gable::model::pages_named("4k"), notes);
  small.fill(small.size());
  EXPECT_EQ(HugePages().share(small.data(), small.size()), 0);
  if (!huge_pages_can_be_had()) GTEST_SKIP() << "no 2 MiB pages here";
  double share = 0;
  for (int i = 0; i < 10 && share < 0.7; ++i) {  // others may just have taken the last ones
    const Buffer large(4 * MiB, {}, *gable::model::pages_named("2m"), notes);
    large.fill(large.size());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large.data()) % (2 * MiB), 0u);
    share = HugePages().share(large.data(), large.size());
  }
  EXPECT_GT(share, 0.7);
}

TEST(Buffer, IsFilledWithOnesAsFarAsAsked) {
  gable::model::Notes notes;
  const Buffer buffer(5000, {}, *gable::model::pages_named("4k"), notes);
  EXPECT_EQ(buffer.size(), 8192u);
  buffer.fill(4096);
  const auto* doubles = reinterpret_cast<const double*>(buffer.data());
  EXPECT_EQ(std::count(doubles, doubles + 1024, 1.0), 512);
  buffer.fill(1u << 30);
  EXPECT_EQ(std::count(doubles, doubles + 1024, 1.0), 1024);
}

TEST(Buffer, ANodeThatIsNotThereIsAPlacementError) {
  gable::model::Notes notes;
  for (const char* pages : {"4k", "2m"}) {
    try {
      const Buffer buffer(MiB, {9999}, *gable::model::pages_named(pages), notes);
      EXPECT_FALSE(notes.empty()) << "bound to node 9999";
    } catch (const gable::Error& error) {
      EXPECT_NE(std::string(error.what()).find("9999"), std::string::npos) << error.what();
    }
  }
}

TEST(Buffer, MoreThanTheAddressSpaceIsAPlacementError) {
  gable::model::Notes notes;
  for (const char* pages : {"4k", "2m", "1g"}) {
    EXPECT_THROW(Buffer(std::size_t{1} << 60, {}, *gable::model::pages_named(pages), notes), gable::Error)
        << pages;
  }
}

}  // namespace

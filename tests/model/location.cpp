// The location of the objects of a profile in the address space of another run.

#include "model/profile/location.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace gable::model {
namespace {

constexpr std::uint64_t mib = 1u << 20;
const ProfileCache cache = {"L3", 32.0 * mib, true};

// Objects whose lines are read, and a part of them written, `times` each.
class PlacedProgram {
 public:
  PlacedProgram& has(ObjectKind kind, const std::string& name, std::uint64_t bytes, double times,
                     std::uint64_t blocks = 1) {
    ProfileObject object;
    object.kind = kind;
    (kind == ObjectKind::file ? object.image : object.name) = name;
    object.blocks = blocks;
    object.peak_bytes = bytes;
    object.born = 0.01 * static_cast<double>(profile_.objects.size());
    ProfileUses uses;
    uses.object = static_cast<int>(profile_.objects.size());
    uses.all.read[0][never_used] = times * static_cast<double>(bytes) / profile_line_bytes;
    uses.all.written_back[0] = uses.all.read[0][never_used] / 4;
    profile_.objects.push_back(object);
    profile_.uses.push_back(uses);
    profile_.places.resize(1);
    return *this;
  }

  // Shares of the read bytes by node; empty: not known.
  std::map<int, double> reads(const std::vector<MappedRange>& ranges) const {
    std::map<int, double> shares;
    double all = 0;
    for (const NodeAccess& access : accesses_by_location(profile_, cache, ranges)) {
      EXPECT_NEAR(access.store, access.load / 4, 1e-6 * access.load);
      EXPECT_EQ(access.cluster, -1);
      shares[access.node] = access.load;
      all += access.load;
    }
    for (auto& [node, share] : shares) share /= all;
    return shares;
  }

 private:
  Profile profile_;
};

MappedRange range(RangeKind kind, std::uint64_t bytes, const std::vector<int>& parts) {
  MappedRange found;
  found.kind = kind;
  found.bytes = bytes;
  for (const int node : parts) {
    found.node_bytes[node] += bytes / parts.size();
    found.nodes.insert(found.nodes.end(), 512 / parts.size(), node);
  }
  return found;
}

std::vector<int> interleaved(int count) {
  std::vector<int> nodes(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = static_cast<int>(i * 7 % 2);
  return nodes;
}

void expect_shares(const std::map<int, double>& found, const std::map<int, double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (const auto& [node, share] : wanted) EXPECT_NEAR(found.at(node), share, 1e-3) << "node " << node;
}

// Half of the pages of each node, and nine tenths of the accesses to one.
TEST(Location, AHotBlockCountsByItsAccesses) {
  PlacedProgram program;
  program.has(ObjectKind::heap, "hot", 100 * mib, 9).has(ObjectKind::heap, "cold", 101 * mib, 1);
  const std::vector<MappedRange> apart = {range(RangeKind::allocated, 101 * mib + 4096, {0}),
                                          range(RangeKind::allocated, 100 * mib + 4096, {1})};
  expect_shares(program.reads(apart), {{1, 900.0 / 1001}, {0, 101.0 / 1001}});
}

// The kernel joins adjacent ranges; later blocks lie below earlier ones.
TEST(Location, BlocksOfOneRangeAreInTheOrderOfTheirAllocation) {
  PlacedProgram program;
  program.has(ObjectKind::heap, "first", 64 * mib, 8).has(ObjectKind::heap, "second", 64 * mib, 2);
  expect_shares(program.reads({range(RangeKind::allocated, 128 * mib + 8192, {0, 1})}), {{1, 0.8}, {0, 0.2}});
}

// Memory of the C library beside them, which programs map too.
TEST(Location, SmallMappingsMayShareTheRange) {
  PlacedProgram program;
  program.has(ObjectKind::mapping, "", 12288, 0)
      .has(ObjectKind::heap, "first", 64 * mib, 8)
      .has(ObjectKind::heap, "second", 64 * mib, 2);
  const std::uint64_t bytes = 128 * mib + 12288 + 8192;
  expect_shares(program.reads({range(RangeKind::allocated, bytes, {0, 1})}), {{1, 0.8}, {0, 0.2}});
}

// The program may have ended before its pages were looked at. Other ranges say nothing about these blocks.
TEST(Location, BlocksInARangeOfUnknownPartsAreUnknown) {
  PlacedProgram program;
  program.has(ObjectKind::heap, "cold", 64 * mib, 1)
      .has(ObjectKind::heap, "hot", 64 * mib, 9)
      .has(ObjectKind::heap, "small", 1 * mib, 1, 9);
  MappedRange both = range(RangeKind::allocated, 128 * mib + 8192, {0, 1});
  const MappedRange heap = range(RangeKind::allocated, 1 * mib, {0});
  EXPECT_FALSE(program.reads({heap, both}).empty());
  both.nodes.clear();
  EXPECT_TRUE(program.reads({heap, both}).empty());
}

TEST(Location, APartOfABlockMayLieElsewhere) {
  PlacedProgram program;
  program.has(ObjectKind::heap, "a", 80 * mib, 3).has(ObjectKind::heap, "b", 40 * mib, 1);
  const std::vector<MappedRange> apart = {range(RangeKind::allocated, 80 * mib + 4096, {0, 0, 0, 1}),
                                          range(RangeKind::allocated, 40 * mib + 4096, {2})};
  expect_shares(program.reads(apart), {{0, 0.75 * 240 / 280}, {1, 0.25 * 240 / 280}, {2, 40.0 / 280}});
}

TEST(Location, TwoOfTheSameSizeAreNotTakenForEachOther) {
  PlacedProgram program;
  program.has(ObjectKind::heap, "hot", 64 * mib, 9).has(ObjectKind::heap, "cold", 64 * mib, 1);
  const std::vector<MappedRange> apart = {range(RangeKind::allocated, 64 * mib + 4096, {0}),
                                          range(RangeKind::allocated, 64 * mib + 4096, {1})};
  EXPECT_TRUE(program.reads(apart).empty());
}

// Many small blocks: it does not matter which of them lies where.
TEST(Location, WhereAllIsInterleavedEveryObjectIs) {
  PlacedProgram program;
  program.has(ObjectKind::heap, "nodes of a tree", 300 * mib, 4, 100000)
      .has(ObjectKind::heap, "table", 3 * mib, 9, 2);
  expect_shares(program.reads({range(RangeKind::allocated, 304 * mib, interleaved(512))}),
                {{0, 0.5}, {1, 0.5}});
  EXPECT_TRUE(program.reads({range(RangeKind::allocated, 304 * mib, {0, 1})}).empty())
      << "halves are no interleave";
  expect_shares(program.reads({range(RangeKind::allocated, 304 * mib, {1})}), {{1, 1}});
}

TEST(Location, KindsAreToldApart) {
  PlacedProgram program;
  program.has(ObjectKind::variable, "table", 50 * mib, 2)
      .has(ObjectKind::stack, "", 2 * mib, 0)
      .has(ObjectKind::file, "/data/graph", 70 * mib, 1);
  MappedRange file = range(RangeKind::file, 70 * mib, {0});
  file.file = "/data/graph";
  MappedRange other = range(RangeKind::file, 70 * mib, {3});
  other.file = "/data/other";
  const std::vector<MappedRange> ranges = {range(RangeKind::statics, 50 * mib, {1}), file, other,
                                           range(RangeKind::stack, 8 * mib, {0})};
  expect_shares(program.reads(ranges), {{1, 100.0 / 170}, {0, 70.0 / 170}});
}

TEST(Location, WhatCannotBeFoundMakesItUnknown) {
  PlacedProgram program;
  program.has(ObjectKind::heap, "found", 100 * mib, 1).has(ObjectKind::file, "/data/graph", 10 * mib, 1);
  const MappedRange found = range(RangeKind::allocated, 100 * mib, {1});
  EXPECT_TRUE(program.reads({found}).empty());
  PlacedProgram little;
  little.has(ObjectKind::heap, "found", 100 * mib, 1).has(ObjectKind::file, "/data/graph", 1 * mib, 1);
  expect_shares(little.reads({found}), {{1, 1}});
  EXPECT_TRUE(PlacedProgram().reads({}).empty());
}

}  // namespace
}  // namespace gable::model

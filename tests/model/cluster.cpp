// Figures of many nodes: outliers in simulated groups, changes, and the reader of roofs.json lines.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <random>

#include "base/files.hpp"
#include "base/temporary_folder.hpp"
#include "model/cluster/mpi.hpp"
#include "model/cluster/node.hpp"
#include "model/cluster/roof_lines.hpp"
#include "model/cluster/spread.hpp"
#include "model/roofs/roofs.hpp"

namespace {

using namespace gable::model;

std::vector<double> equal_nodes(std::size_t count, std::mt19937& random) {
  std::normal_distribution<double> draw(0, 0.01);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(100 * std::exp(draw(random)));
  return values;
}

TEST(ClusterSpread, ABadNodeIsFoundAndDoesNotHideAnother) {
  std::mt19937 random(2);
  for (const std::size_t count : {16u, 64u, 512u}) {
    std::vector<double> values = equal_nodes(count, random);
    values[3] *= 0.75;
    values[7] *= 1.5;
    const auto found = outliers_of(values, std::vector<double>(count), 40);
    ASSERT_EQ(found.size(), 2u) << count;
    EXPECT_EQ(found[0].node, 3u);
    EXPECT_LT(found[0].change, -0.2);
    EXPECT_EQ(found[1].node, 7u);
  }
}

TEST(ClusterSpread, TheCountOfNodesAndTheOwnIntervalCount) {
  const std::vector<double> few = {100, 100.5, 99.5, 80};
  EXPECT_TRUE(outliers_of(few, std::vector<double>(4), 1).empty()) << "four nodes tell no outlier";
  std::mt19937 random(3);
  std::vector<double> values = equal_nodes(64, random);
  values[5] = 80;
  values[6] = NAN;
  std::vector<double> own(64);
  EXPECT_EQ(outliers_of(values, own, 1).size(), 1u);
  own[5] = 0.2;  // its figure is not certain
  EXPECT_TRUE(outliers_of(values, own, 1).empty());
  const RoofSpread spread = nodes_spread(values);
  EXPECT_EQ(spread.n, 63u);
  EXPECT_EQ(spread.least, 80);
  EXPECT_NEAR(spread.median, 100, 1);
  EXPECT_NEAR(spread.deviation, 0.01, 0.004);
}

TEST(ClusterSpread, ChangesOfAllAndOfOne) {
  std::mt19937 random(4);
  std::normal_distribution<double> draw(0, 0.01);
  std::vector<double> changes, own(32, 0.002);
  for (int i = 0; i < 32; ++i) changes.push_back(draw(random));
  GroupChange same = change_of(changes, own, 40);
  EXPECT_GT(same.p, 0.05);
  EXPECT_TRUE(same.nodes.empty());
  changes[4] = std::log(0.8);
  EXPECT_EQ(change_of(changes, own, 40).nodes.size(), 1u);
  for (double& change : changes) change += std::log(0.85);
  const GroupChange all = change_of(changes, own, 40);
  EXPECT_LT(all.p, 0.05);
  EXPECT_NEAR(all.median, -0.15, 0.01);
  EXPECT_EQ(change_of({std::log(0.8), NAN}, {0.002, 0.002}, 40).nodes.size(), 1u) << "a single node";
  EXPECT_EQ(change_of({NAN}, {0}, 1).n, 0u);
}

TEST(ClusterRoofLines, AgreesWithTheReaderOfRoofsJson) {
  Roofs roofs;  // of several machines, so that a question has several
  for (const char* machine : {"joe0", "knl-snc4-cache", "knl-snc4-flat", "xeon6254-optane"}) {
    const std::string path = fmt::format("{}/machines/{}/roofs.json", GABLE_SOURCE_DIR, machine);
    std::ranges::move(roofs_from_json(gable::read_whole(path), path).roofs, std::back_inserter(roofs.roofs));
  }
  RoofLines lines;
  const auto figures = lines.read(roofs_to_json(roofs), "roofs.json");
  ASSERT_GT(lines.questions().size(), 60u);
  std::size_t ok = 0;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const NodeQuestion& question = lines.questions()[i];
    Case like = question.spec;  // any kernel, pages and threads
    like.kernel = "";
    like.pages = {};
    like.threads = 0;
    like.bytes = 0;
    const Roof* best = best_roof(roofs.roofs, like);
    ASSERT_EQ(best != nullptr, figures[i].value > 0) << question.name;
    if (best == nullptr) continue;
    ++ok;
    EXPECT_EQ(figures[i].value, best->value) << question.name;
    EXPECT_NEAR(figures[i].error, std::log(best->hi / best->lo) / 3.92, 1e-6) << question.name;
  }
  EXPECT_GT(ok, 50u);
  // Another writer's layout has the same figures.
  std::string spaced;
  for (const char letter : roofs_to_json(roofs)) spaced += letter == ',' ? ", " : std::string(1, letter);
  const auto again = lines.read(spaced, "roofs.json");
  ASSERT_EQ(again.size(), figures.size());
  for (std::size_t i = 0; i < figures.size(); ++i)
    if (figures[i].value > 0) {
      EXPECT_EQ(again[i].value, figures[i].value);
    }
  EXPECT_THROW(lines.read("{", "broken.json"), std::exception);
}

TEST(ClusterNode, ARecordIsReadAsItWasWritten) {
  const NodeRecord record{"n1",
                          NodeStatus::left_out,
                          Note("2 of \"its\" group"),
                          "a CPU",
                          1ull << 34,
                          "--preset quick",
                          "srun 1.0",
                          "2026-01-01T00:00:00Z",
                          12.5,
                          60,
                          1e9,
                          2.5,
                          6,
                          {{"hardware", "DIMMs", "8 × 32 GiB"}}};
  EXPECT_EQ(node_record_from_json(node_record_to_json(record), "node.json"), record);
  EXPECT_THROW(node_record_from_json("{\"schema\":1}", "node.json"), std::exception);
}

TEST(ClusterMpi, AFigureMayBeMissingOrNull) {
  const gable::TemporaryFolder folder("mpi");
  const std::string path = folder.path / "mpi.jsonl";
  const std::string head =
      R"({"schema":1,"what":"barrier","where":"between nodes","bytes":0,"ranks":2,"nodes":2,"side":0,)";
  const std::string tail =
      R"("status":"ok","reason":"","mpi":"Open MPI","started":"2026-01-01T00:00:00Z","places":[]})";
  for (const char* rate : {"", R"("gb_per_s":null,)"}) {
    std::ofstream(path) << head << R"("microseconds":[2,1,3],)" << rate << tail << "\n";
    const MpiRecords records = read_mpi(path);
    ASSERT_EQ(records.figures.size(), 1u);
    EXPECT_EQ(records.figures[0].microseconds->hi, 3);
    EXPECT_FALSE(records.figures[0].rate);
  }
}

}  // namespace

// Workloads under placements: misplaced parts give no figure.

#include "bench/apps/place.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <cstring>

#include "bench/apps/graphs/generate.hpp"
#include "graphs.hpp"
#include "model/json/lines.hpp"

namespace {

using namespace gable::bench;
using namespace gable::bench::tests;
using gable::model::Placed;
using gable::model::Status;

// Memory that reports the location given by the test.
class PretendedRegion : public Region {
 public:
  PretendedRegion(std::size_t bytes, const std::string& misplaced) : memory_(bytes), misplaced_(misplaced) {
    bytes_ = memory_;
    how_ = "pretended";
  }
  gable::model::Note misplaced(std::size_t) const override { return misplaced_; }
  std::map<int, std::uint64_t> residence(std::size_t) const override { return {{-2, 4096}, {0, 4096}}; }

 private:
  Array<std::byte> memory_;
  gable::model::Note misplaced_;
};

Tier pretended(const std::string& name, const std::string& misplaced = "") {
  return {name, gable::model::Tier::dram, std::nullopt, [] { return std::optional<std::uint64_t>(); },
          [misplaced](std::size_t bytes) { return std::make_unique<PretendedRegion>(bytes, misplaced); }};
}

// A workload that does nothing and can be made to give wrong results.
class PretendedWorkload : public Workload {
 public:
  explicit PretendedWorkload(std::string fault = "") : fault_(std::move(fault)) {}
  std::string name() const override { return "pretended"; }
  std::vector<std::string> variants() const override { return {"only"}; }
  std::vector<Part> parts(const std::string&, std::size_t) const override {
    return {{"graph", 8192}, {"temporary", 4096}};
  }
  void lay(const std::string&, std::span<const std::span<std::byte>> memory, Crew&) override {
    for (const auto part : memory) std::memset(part.data(), 1, part.size());
  }
  std::size_t ways() const override { return 3; }
  std::optional<WorkloadRun> try_way(std::size_t way, Crew&) override {
    if (way == 1) return std::nullopt;  // a wrong result disqualifies the way
    return way == 0 ? WorkloadRun{0.5, 100, "slow way"} : WorkloadRun{0.25, 100, "fast way"};
  }
  void take_way(std::size_t way) override { taken_ = way; }
  WorkloadRun run(int number, Crew&) override {
    return {1.0 + number, 1000, taken_ == 2 ? "fast way" : "another"};
  }
  RunWork work() const override { return {7, 8, 9}; }
  Verdict verify() override { return {"looking hard", fault_}; }
  VertexValues values() const override { return {}; }
  std::size_t taken() const { return taken_; }

 private:
  std::string fault_;
  std::size_t taken_ = 0;
};

PlaceOptions runs_of(int runs) {
  PlaceOptions options;
  options.runs = runs;
  options.graph = "small";
  return options;
}

Placed place_pretended(Workload& workload, const std::vector<const Tier*>& tiers, int* verified = nullptr) {
  Team team;
  Crew crew = crew_of(team);
  const Graph graph = generate_graph("uniform:3:2", crew);
  const std::atomic<bool> stop = false;
  return place(
      workload, graph, "only", tiers, runs_of(4), crew, [&] { verified != nullptr ? ++*verified : 0; }, stop);
}

WorkloadOptions with_ranks(std::size_t ranks) {
  WorkloadOptions options;
  options.ranks = {ranks};
  return options;
}

WorkloadOptions with_source(std::uint64_t source) {
  WorkloadOptions options;
  options.source = source;
  return options;
}

WorkloadOptions small_options() {
  WorkloadOptions options;
  options.iterations = 5;
  options.ranks = {1, 3, 16};
  return options;
}

TEST(Place, EveryPlacementOnce) {
  using All = std::vector<std::vector<std::size_t>>;
  EXPECT_EQ(placements(2, 2), (All{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  EXPECT_EQ(placements(1, 3), (All{{0, 0, 0}}));
  EXPECT_EQ(placements(3, 4).size(), 81u);
}

TEST(Place, AFigureHasAllItsRuns) {
  const Tier a = pretended("A"), b = pretended("B");
  PretendedWorkload workload;
  int verified = 0;
  const Placed placed = place_pretended(workload, {&a, &b}, &verified);
  EXPECT_EQ(placed.parts.at(0).tier, "A");
  EXPECT_EQ(placed.parts.at(1).tier, "B");
  EXPECT_EQ(placed.parts.at(1).bytes, 4096u);
  // Pages on no node, such as those of a file on DAX, count for no node and can be recorded.
  EXPECT_EQ(placed.parts.at(0).node_bytes, (std::map<int, std::uint64_t>{{0, 4096}}));
  EXPECT_NO_THROW(gable::model::to_line(placed));
  EXPECT_EQ(placed.ways, (std::map<std::string, double>{{"slow way", 200}, {"fast way", 400}}));
  EXPECT_EQ(workload.taken(), 2u) << "the fastest";
  EXPECT_EQ(placed.verified, "looking hard");
  EXPECT_EQ(verified, static_cast<int>(placed.seconds.size()) + placed.disturbed);
  if (placed.status != Status::ok) {  // a busy machine
    EXPECT_GT(placed.disturbed, 4);
    return;
  }
  EXPECT_EQ(placed.seconds, (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(placed.how, "fast way");
  EXPECT_EQ(placed.flops, 7);
  EXPECT_EQ(placed.load_bytes, 8);
  EXPECT_EQ(placed.store_bytes, 9);
}

TEST(Place, WhatCannotBeRunIsSkippedBeforeAnythingIsTaken) {
  Tier a = pretended("A");
  a.take = [](std::size_t) -> std::unique_ptr<Region> { throw gable::Error::unavailable("taken"); };
  Team team;
  Crew crew = crew_of(team);
  const Graph graph = generate_graph("uniform:3:2", crew);
  const std::atomic<bool> stop = false;
  PlaceOptions options = runs_of(4);
  options.skip = gable::model::Note("one hardware thread a core");
  PretendedWorkload workload;
  const Placed placed = place(
      workload, graph, "only", {&a, &a}, options, crew, [] {}, stop);
  EXPECT_EQ(placed.status, Status::skipped);
  EXPECT_EQ(sentence(placed.reason), "one hardware thread a core");
}

TEST(Place, MemoryElsewhereIsNoFigure) {
  const Tier a = pretended("A"), b = pretended("B", "3 MiB are on node 7");
  PretendedWorkload workload;
  const Placed placed = place_pretended(workload, {&a, &b});
  EXPECT_EQ(placed.status, Status::invalid);
  EXPECT_EQ(sentence(placed.reason), "temporary: 3 MiB are on node 7");
  EXPECT_TRUE(placed.seconds.empty());
}

TEST(Place, AWrongResultIsNoFigure) {
  const Tier a = pretended("A");
  PretendedWorkload workload("vertex 3 is wrong");
  const Placed placed = place_pretended(workload, {&a, &a});
  EXPECT_EQ(placed.status, Status::invalid);
  EXPECT_NE(sentence(placed.reason).find("vertex 3 is wrong (looking hard)"), std::string::npos);
}

TEST(Place, WhatDoesNotFitIsSaidBefore) {
  Tier a = pretended("A"), b = pretended("B");
  std::uint64_t free = 8191;
  a.free_bytes = [&] { return std::optional(free); };
  bool taken = false;
  b.take = [&](std::size_t) -> std::unique_ptr<Region> {
    taken = true;
    throw gable::Error::unavailable("not reached");
  };
  PretendedWorkload workload;
  Placed placed = place_pretended(workload, {&a, &b});
  EXPECT_EQ(placed.status, Status::skipped);
  EXPECT_NE(sentence(placed.reason).find("A has 7.999 KiB free, but 8 KiB"), std::string::npos)
      << sentence(placed.reason);
  EXPECT_FALSE(taken);
  free = 8192 + 4095;  // enough for either, not for both
  placed = place_pretended(workload, {&a, &a});
  EXPECT_EQ(placed.status, Status::skipped);
  free = 2 * 8192;
  placed = place_pretended(workload, {&a, &b});
  EXPECT_TRUE(taken);
  EXPECT_EQ(sentence(placed.reason), "not reached");
}

TEST(Place, BothWorkloadsInRealMemory) {
  const gable::machines::Machine machine = gable::machines::this_machine();
  const Tier tier = find_tier("node:" + std::to_string(machine.nodes.front().os_index), machine, 0);
  Team team;
  Crew crew = crew_of(team);
  const Graph graph = generate_graph("kron:9", crew);
  const std::atomic<bool> stop = false;
  for (const std::string& name : workload_names()) {
    const auto workload = make_workload(name, graph, small_options());
    for (const std::string& variant : workload->variants()) {
      const Placed placed = place(
          *workload, graph, variant, {&tier, &tier}, runs_of(2), crew, [] {}, stop);
      EXPECT_NE(placed.verified, "") << name << " " << variant << ": " << sentence(placed.reason);
      EXPECT_EQ(sentence(placed.reason).find("wrong"), std::string::npos) << sentence(placed.reason);
      for (const auto& part : placed.parts) EXPECT_EQ(part.node_bytes.size(), 1u);
    }
  }
}

TEST(Place, InvalidOptionsAreRefused) {
  Team team;
  Crew crew = crew_of(team);
  const Graph graph = generate_graph("kron:5", crew);
  EXPECT_THROW(make_workload("pagerank", graph, with_ranks(65)), gable::Error);
  EXPECT_THROW(make_workload("pagerank", graph, with_ranks(0)), gable::Error);
  EXPECT_THROW(make_workload("bfs", graph, with_source(32)), gable::Error);
  EXPECT_THROW(make_workload("sorting", graph, {}), gable::Error);
}

}  // namespace

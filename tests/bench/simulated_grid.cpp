// The hybrid grid of all clusters at once, from the plan to the roof of a point, on a simulated machine whose
// clusters overlap transfers in another way while all of them run.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "machines.hpp"
#include "model/hybrid/everywhere.hpp"
#include "model/hybrid/pairs.hpp"
#include "model/hybrid/phases.hpp"
#include "model/json/hybrid.hpp"
#include "model/points/mix_model.hpp"
#include "tests/model/grids.hpp"

namespace gable::model {
namespace {

constexpr Quantities alone_gb_per_s = {{20, 11, 80, 47}}, busy_gb_per_s = {{17, 10, 61, 38}};

// Clusters 0 and 1 with DRAM, HBM and further memory of their own.
const machines::Machine& machine() {
  static const auto read = machines::from_xml(GABLE_SOURCE_DIR "/tests/machines/topologies/four-tiers.xml");
  return read;
}

// Each cluster's DRAM and HBM.
bool is_simulated(const Case& spec) {
  return spec.tier == *tiers_named("DRAM+HBM") || spec.tier == *tiers_named("HBM+DRAM");
}

/// What the machine does while all clusters run.
struct Truth {
  Matrix4 theta = knl_theta;
  double noise = 0;  ///< relative, of each repetition
};

double seconds_of(const Case& spec, const Truth& truth) {
  const bool busy = spec.pattern == Pattern::hybrid_all;
  const bool node_is_fast = spec.tier == *tiers_named("HBM+DRAM");
  const double fast = (node_is_fast ? spec.node_percent : 100 - spec.node_percent) / 100.0;
  return equation5(mix(*load_share_of(spec.op), fast), busy ? busy_gb_per_s : alone_gb_per_s,
                   busy ? truth.theta : skylake_theta);
}

Hybrid measured(const char* preset, const Truth& truth, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> error(0, truth.noise);
  bench::Options options = bench::tests::options_of(preset, {"pattern=hybrid", "pattern=hybrid_all"});
  options.pages = {*pages_named("4k")};
  options.exhaustive = true;
  std::vector<Sample> samples;
  for (const bench::Run& run : bench::make_plan(machine(), {}, options).runs) {
    for (const Case& spec : run.cases) {
      if (!run.skip.empty() || !is_simulated(spec) || spec.node_weight > 0 || !is_pure_traffic(spec.op))
        continue;
      for (int round = 0; round < run.rounds; ++round) {
        Sample& sample = samples.emplace_back();
        sample.spec = spec;
        sample.round = round;
        const std::uint64_t bytes = std::uint64_t{1} << 32;
        const std::uint64_t here = bytes * static_cast<std::uint64_t>(spec.node_percent) / 100;
        if (here > 0) sample.node_bytes[spec.node] = here;
        if (here < bytes) sample.node_bytes[spec.other_node] = bytes - here;
        for (int i = 0; i < 10; ++i) {
          sample.work.push_back(grid_bytes);
          sample.seconds.push_back(seconds_of(spec, truth) * std::exp(error(random)));
        }
      }
    }
  }
  return fit_pairs(samples);
}

std::vector<HybridPair> of_all(const Hybrid& hybrid) {
  std::vector<HybridPair> pairs = hybrid.pairs;
  std::erase_if(pairs, [](const HybridPair& pair) { return !pair.all_clusters; });
  return pairs;
}

// The roof of a mix while all clusters do the same with their own memories.
MixBandwidth roof_of(const Hybrid& hybrid, double load_share, double fast_share, bool own = true) {
  const HybridPair pair = of_all(hybrid).front();
  const double slow = 1 - fast_share;
  const std::map<int, LoadStore> shares = {
      {pair.slow.node, {slow * load_share, slow * (1 - load_share)}},
      {pair.fast.node, {fast_share * load_share, fast_share * (1 - load_share)}}};
  AllBusy busy;
  busy.own = own;
  busy.gb_per_s = {{pair.slow.node, {busy_gb_per_s[Transfer::ls], busy_gb_per_s[Transfer::ss]}},
                   {pair.fast.node, {busy_gb_per_s[Transfer::lf], busy_gb_per_s[Transfer::sf]}}};
  return mix_model(hybrid)(pair.cluster, 0, shares, busy);
}

double true_gb_per_s(const Matrix4& theta, double load_share, double fast_share) {
  return grid_bytes / equation5(mix(load_share, fast_share), busy_gb_per_s, theta) / 1e9;
}

TEST(SimulatedGrid, ThetaOfAllClustersIsRecoveredBesideThatOfEachAlone) {
  const Hybrid hybrid = measured("full", {});
  ASSERT_EQ(of_all(hybrid).size(), 2u);
  ASSERT_EQ(hybrid.pairs.size(), 4u);
  for (const HybridPair& pair : hybrid.pairs) {
    SCOPED_TRACE(testing::Message() << pair.cluster << (pair.all_clusters ? ", all busy" : ", alone"));
    ASSERT_EQ(pair.status, Status::ok);
    const Matrix4& theta = pair.all_clusters ? knl_theta : skylake_theta;
    for (const Transfer x : transfers) {
      EXPECT_NEAR(pair.fit.bandwidths[x].gb_per_s->value,
                  (pair.all_clusters ? busy_gb_per_s : alone_gb_per_s)[x], 1e-6);
      for (const Transfer y : transfers) {
        const auto& found = pair.fit.model(Law::equation5).theta[x][y].value;
        if (x == y || !found) continue;
        EXPECT_NEAR(*found, theta[static_cast<std::size_t>(x)][static_cast<std::size_t>(y)], 1e-6)
            << name_of(x) << name_of(y);
      }
    }
  }
  const std::string text = hybrid_to_json(hybrid);
  EXPECT_EQ(hybrid_to_json(hybrid_from_json(text, "hybrid.json")), text);
}

TEST(SimulatedGrid, ItIsTheRoofOfAllClustersWithMemoriesOfTheirOwn) {
  const Hybrid hybrid = measured("full", {});
  const MixBandwidth found = roof_of(hybrid, 1, 0.5);
  EXPECT_EQ(found.estimate, "");
  EXPECT_NEAR(found.value, true_gb_per_s(knl_theta, 1, 0.5), 1e-6);
  const MixBandwidth elsewhere = roof_of(hybrid, 1, 0.5, false);
  EXPECT_NE(elsewhere.estimate, "") << "their data lies elsewhere than in the grid";
  EXPECT_LT(*elsewhere.lo, 0.99 * elsewhere.value);
}

TEST(SimulatedGrid, UnderNoiseTheTrueBandwidthIsInItsInterval) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> share(0.02, 0.98);
  int inside = 0, all = 0;
  for (const unsigned seed : {1u, 2u, 3u}) {
    const Hybrid hybrid = measured("full", {knl_theta, 0.02}, seed);
    for (int i = 0; i < 60; ++i) {
      const double loads = share(random), fast = share(random);
      const MixBandwidth found = roof_of(hybrid, loads, fast);
      if (!found.lo || !found.hi) continue;
      ++all;
      const double truth = true_gb_per_s(knl_theta, loads, fast);
      inside += *found.lo <= truth && truth <= *found.hi;
    }
  }
  EXPECT_GT(all, 150);
  EXPECT_GT(inside, 0.9 * all);
}

TEST(SimulatedGrid, ASpotCheckConfirmsTheEstimate) {
  for (const double noise : {0.0, 0.01}) {
    const Hybrid hybrid = measured("standard", {skylake_theta, noise});
    for (const HybridPair& pair : of_all(hybrid)) {
      EXPECT_EQ(pair.status, Status::skipped);
      EXPECT_EQ(pair.cells.size(), 9u);
      EXPECT_TRUE(spot_check(*alone_of(hybrid, pair), pair).confirms) << sentence(pair.reason);
    }
    const MixBandwidth found = roof_of(hybrid, 1, 0.5);
    EXPECT_NE(found.check, "");
    EXPECT_NEAR(found.value, true_gb_per_s(skylake_theta, 1, 0.5), (0.001 + noise) * found.value);
  }
}

// No transfer is hidden while all clusters run: half way to that is not far enough.
TEST(SimulatedGrid, ASpotCheckThatDiffersWidensTheEstimate) {
  const Matrix4 one_by_one = {{{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}}};
  const Hybrid hybrid = measured("standard", {one_by_one, 0});
  const HybridPair spots = of_all(hybrid).front();
  const SpotCheck check = spot_check(*alone_of(hybrid, spots), spots);
  EXPECT_FALSE(check.confirms);
  EXPECT_NE(sentence(spots.reason).find(check.text()), std::string::npos) << sentence(spots.reason);
  for (const double fast : {0.3, 0.5, 0.8}) {
    const MixBandwidth found = roof_of(hybrid, 1, fast);
    EXPECT_LE(*found.lo, 1.0001 * true_gb_per_s(one_by_one, 1, fast)) << fast;
    EXPECT_GT(found.value, true_gb_per_s(one_by_one, 1, fast)) << "the figure stays that of the model";
  }
}

TEST(SimulatedGrid, AClusterAloneIsNotComparedWithIt) {
  const Hybrid hybrid = measured("full", {});
  const HybridPair pair = of_all(hybrid).front();
  const std::map<int, LoadStore> half = {{pair.slow.node, {0.5, 0}}, {pair.fast.node, {0.5, 0}}};
  const double expected = grid_bytes / equation5(mix(1, 0.5), alone_gb_per_s, skylake_theta) / 1e9;
  EXPECT_NEAR(mix_model(hybrid)(pair.cluster, 0, half, {}).value, expected, 1e-6);
}

}  // namespace
}  // namespace gable::model

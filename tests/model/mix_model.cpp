// Fitted hybrid models as the roofs of points.

#include "model/points/mix_model.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace gable::model {
namespace {

// A pair whose transfers do not overlap (theta 1) or overlap fully (theta 0).
Hybrid pair_with(double theta) {
  HybridPair pair;
  pair.cluster = 2;
  pair.slow = {0, Tier::dram};
  pair.fast = {4, Tier::hbm};
  const PerTransfer<double> gb_per_s = {{10, 5, 40, 20}};  // ls, ss, lf, sf
  for (const Transfer x : transfers) {
    pair.fit.bandwidths[x].gb_per_s = Estimate{gb_per_s[x], gb_per_s[x], gb_per_s[x], 9};
    for (const Transfer y : transfers) {
      if (x != y) pair.fit.model(Law::equation5).theta[x][y].value = theta;
    }
  }
  pair.fit.model(Law::phased) = pair.fit.model(Law::equation5);
  pair.fit.best = Law::equation5;
  Hybrid hybrid;
  hybrid.pairs = {pair};
  return hybrid;
}

// Nodes' shares with the same share of loads on each.
std::map<int, LoadStore> of_nodes(const std::map<int, double>& shares, double loads = 1) {
  std::map<int, LoadStore> nodes;
  for (const auto& [node, share] : shares) nodes[node] = {share * loads, share * (1 - loads)};
  return nodes;
}

TEST(MixModel, NothingHiddenIsTheSumOfTheTimesAndAllHiddenTheLongest) {
  const std::map<int, double> shares = {{0, 0.25}, {4, 0.75}};
  const auto sum = mix_model(pair_with(1))(2, 0, of_nodes(shares), {});
  EXPECT_NEAR(sum.value, 1 / (0.25 / 10 + 0.75 / 40), 1e-9);
  const auto longest = mix_model(pair_with(0))(2, 0, of_nodes(shares), {});
  EXPECT_NEAR(longest.value, 10 / 0.25, 1e-9);
  const auto mixed = mix_model(pair_with(1))(2, 0, of_nodes(shares, 0.5), {});
  EXPECT_NEAR(mixed.value, 1 / (0.125 / 10 + 0.125 / 5 + 0.375 / 40 + 0.375 / 20), 1e-9);
  EXPECT_FALSE(mixed.lo || mixed.hi) << "a model without an error has no interval";
}

// Loads from one memory and stores into the other are no average mix of both.
TEST(MixModel, LoadsAndStoresMayLieInDifferentMemories) {
  const auto found = mix_model(pair_with(1))(2, 0, {{0, {0, 0.25}}, {4, {0.75, 0}}}, {});
  EXPECT_NEAR(found.value, 1 / (0.25 / 5 + 0.75 / 40), 1e-9);
}

// One pair measured with several numbers of threads, and in two page sizes.
TEST(MixModel, TheFitOfThePointsThreadsCounts) {
  Hybrid hybrid;
  for (const auto& [threads, scale, pages] :
       {std::tuple{4, 0.5, "4k"}, {16, 1.0, "4k"}, {16, 1.25, "2m"}, {32, 0.8, "4k"}}) {
    HybridPair pair = pair_with(1).pairs.front();
    pair.threads = threads;
    pair.pages = *pages_named(pages);
    for (const Transfer x : transfers) pair.fit.bandwidths[x].gb_per_s->value *= scale;
    hybrid.pairs.push_back(pair);
  }
  const MixModel model = mix_model(hybrid);
  const double one = 1 / (0.5 / 10 + 0.5 / 40);
  const std::map<int, double> shares = {{0, 0.5}, {4, 0.5}};
  for (const auto& [threads, scale, measured] :
       {std::tuple{4, 0.5, 4}, {3, 0.5, 4}, {16, 1.25, 16}, {14, 1.25, 16}, {64, 0.8, 32}, {0, 0.8, 32}}) {
    const auto found = model(2, threads, of_nodes(shares), {});
    EXPECT_NEAR(found.value, scale * one, 1e-9) << threads;
    EXPECT_EQ(found.threads, measured);
  }
}

TEST(MixModel, WhatWasNotFittedIsNotKnown) {
  const auto is_unknown = [](const MixBandwidth& found) { return found.value == 0 && found.reason.empty(); };
  const MixModel model = mix_model(pair_with(1));
  EXPECT_TRUE(is_unknown(model(1, 0, of_nodes({{0, 0.5}, {4, 0.5}}), {})));            // another cluster
  EXPECT_TRUE(is_unknown(model(2, 0, of_nodes({{0, 0.5}, {3, 0.5}}), {})));            // another node
  EXPECT_TRUE(is_unknown(model(2, 0, of_nodes({{0, 0.5}, {3, 0.2}, {4, 0.3}}), {})));  // three
  Hybrid skipped = pair_with(1);
  skipped.pairs[0].status = Status::skipped;
  EXPECT_TRUE(is_unknown(mix_model(skipped)(2, 0, of_nodes({{0, 0.5}, {4, 0.5}}), {})));
}

TEST(MixModel, AModelThatCannotPredictSaysWhy) {
  Hybrid loads_only = pair_with(1);
  loads_only.pairs[0].fit.bandwidths[Transfer::sf] = {std::nullopt, Note("not published")};
  const std::map<int, double> shares = {{0, 0.5}, {4, 0.5}};
  EXPECT_GT(mix_model(loads_only)(2, 0, of_nodes(shares), {}).value, 0);
  const MixBandwidth stores = mix_model(loads_only)(2, 0, of_nodes(shares, 0.5), {});
  EXPECT_EQ(stores.value, 0);
  EXPECT_NE(stores.reason.find("not published"), std::string::npos) << stores.reason;
}

}  // namespace
}  // namespace gable::model

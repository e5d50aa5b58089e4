// Hybrid Samples become pairs: the cells are recovered from Samples generated from them, regardless of the
// order in which the Case names the memories.

#include "model/hybrid/pairs.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "model/json/hybrid.hpp"
#include "model/roofs/roofs.hpp"
#include "tests/model/grids.hpp"

namespace gable::model {
namespace {

constexpr Quantities planted_gb_per_s = {{35.7, 27.1, 81.3, 60.9}};  // ls, ss, lf, sf
constexpr std::uint64_t bytes_per_pass = std::uint64_t{4} << 30;

const std::map<std::string, double> loads = {{"load", 1},
                                             {"store_nt", 0},
                                             {"mix1_1_nt", 1 / 2.0},
                                             {"mix2_1_nt", 2 / 3.0},
                                             {"mix1_2_nt", 1 / 3.0},
                                             {"mix4_1_nt", 4 / 5.0},
                                             {"mix1_4_nt", 1 / 5.0},
                                             {"ddot", 1},
                                             {"triad_nt", 2 / 3.0}};

// A visit with exactly the time of equation 5; `slow` and `fast` are os indices, `node` the one that
// the Case names first.
Sample grid_visit(const std::string& op, int percent_fast, int slow, int fast, bool fast_first, int round) {
  Sample sample;
  sample.spec = {Kind::bandwidth,
                 1,
                 Level::memory(),
                 Pattern::hybrid,
                 0,
                 *tiers_named("DRAM+HBM"),
                 Operation(op),
                 op + "_avx2",
                 Precision::none,
                 *pages_named("4k"),
                 16};
  sample.spec.bytes = bytes_per_pass / 16;
  sample.spec.node = fast_first ? fast : slow;
  sample.spec.other_node = fast_first ? slow : fast;
  sample.spec.node_percent = fast_first ? percent_fast : 100 - percent_fast;
  sample.spec.tier = fast_first ? *tiers_named("HBM+DRAM") : *tiers_named("DRAM+HBM");
  sample.round = round;
  const double share = percent_fast / 100.0;
  const Quantities bytes = mix(loads.at(op), share);
  const double seconds = equation5(bytes, planted_gb_per_s, skylake_theta);
  for (int i = 0; i < 10; ++i) {
    sample.work.push_back(grid_bytes);
    sample.seconds.push_back(seconds);
  }
  const auto in_fast = static_cast<std::uint64_t>(share * static_cast<double>(bytes_per_pass));
  if (in_fast > 0) sample.node_bytes[fast] = in_fast;
  if (in_fast < bytes_per_pass) sample.node_bytes[slow] = bytes_per_pass - in_fast;
  return sample;
}

std::vector<Sample> measured(bool fast_first) {
  std::vector<Sample> samples;
  for (int round = 0; round < 2; ++round) {
    for (const auto& [op, share] : loads) {
      for (int percent = 0; percent <= 100; percent += 10)
        samples.push_back(grid_visit(op, percent, 0, 4, fast_first, round));
    }
  }
  return samples;
}

void expect_pair(const HybridPair& pair) {
  EXPECT_EQ(pair.status, Status::ok);
  EXPECT_EQ(pair.cluster, 1);
  EXPECT_EQ(pair.slow, (MemoryNode{0, Tier::dram}));
  EXPECT_EQ(pair.fast, (MemoryNode{4, Tier::hbm}));
  EXPECT_EQ(name_of(pair.pages), "4k");
  EXPECT_EQ(pair.threads, 16);
  EXPECT_EQ(pair.cells.size(), 7u * 11u);
  EXPECT_EQ(pair.applications.size(), 2u * 11u);
  for (const Transfer x : transfers) {
    ASSERT_TRUE(pair.fit.bandwidths[x].gb_per_s);
    EXPECT_NEAR(pair.fit.bandwidths[x].gb_per_s->value, planted_gb_per_s[x], 1e-6);
    for (const Transfer y : transfers) {
      if (x == y) continue;
      const auto& theta = pair.fit.model(Law::equation5).theta[x][y].value;
      ASSERT_TRUE(theta) << name_of(x) << name_of(y);
      EXPECT_NEAR(*theta, skylake_theta[static_cast<std::size_t>(x)][static_cast<std::size_t>(y)], 1e-6);
    }
  }
}

TEST(HybridPairs, TheModelBehindTheSamplesIsRecovered) {
  for (const bool fast_first : {false, true}) {
    const Hybrid hybrid = fit_pairs(measured(fast_first));
    ASSERT_EQ(hybrid.pairs.size(), 1u);
    expect_pair(hybrid.pairs.front());
    EXPECT_TRUE(hybrid.missing.empty());
  }
}

TEST(HybridPairs, QuantitiesAreThoseOfAPass) {
  const Hybrid hybrid = fit_pairs(measured(false));
  for (const Application& application : hybrid.pairs.front().applications) {
    const Quantities& bytes = application.cell.bytes;
    double total = 0;
    for (const double each : bytes) total += each;
    EXPECT_NEAR(total, static_cast<double>(bytes_per_pass), 1);
    EXPECT_NEAR((bytes[Transfer::ls] + bytes[Transfer::lf]) / total, loads.at(application.op.name()), 1e-9);
    EXPECT_NEAR(application.cell.seconds.value, equation5(bytes, planted_gb_per_s, skylake_theta), 1e-9);
  }
}

// N:M interleaves are separate from the cells of the grid and do not change θ.
TEST(HybridPairs, InterleavesAreKeptApart) {
  for (const bool fast_first : {false, true}) {
    std::vector<Sample> samples = measured(fast_first);
    for (const auto& [slow, fast] : {std::pair{1, 3}, {3, 1}}) {
      for (const char* op : {"load", "mix1_1_nt", "store_nt"}) {
        Sample sample = grid_visit(op, 100 * fast / (slow + fast), 0, 4, fast_first, 0);
        sample.spec.node_weight = fast_first ? fast : slow;
        sample.spec.other_weight = fast_first ? slow : fast;
        for (double& seconds : sample.seconds) seconds *= 1.5;
        samples.push_back(sample);
      }
    }
    const Hybrid hybrid = fit_pairs(samples);
    ASSERT_EQ(hybrid.pairs.size(), 1u);
    expect_pair(hybrid.pairs.front());
    ASSERT_EQ(hybrid.pairs.front().interleaved.size(), 6u);
    for (const InterleavedCell& it : hybrid.pairs.front().interleaved) {
      const Quantities& bytes = it.cell.bytes;
      double all = 0;
      for (const double each : bytes) all += each;
      EXPECT_NEAR((bytes[Transfer::lf] + bytes[Transfer::sf]) / all, it.fast / 4.0, 1e-6);
      EXPECT_EQ(it.slow + it.fast, 4);
      EXPECT_NEAR(it.cell.seconds.value, 1.5 * equation5(bytes, planted_gb_per_s, skylake_theta), 1e-9);
    }
    const std::string text = hybrid_to_json(hybrid);
    const Hybrid back = hybrid_from_json(text, "hybrid.json");
    EXPECT_EQ(back.pairs.front().interleaved, hybrid.pairs.front().interleaved);
    EXPECT_EQ(hybrid_to_json(back), text);
  }
}

TEST(HybridPairs, TheyEnterNoRoof) {
  std::vector<Sample> samples = measured(false);
  EXPECT_TRUE(fit(samples, {}).roofs.empty());
  EXPECT_TRUE(fit_pairs({}).pairs.empty());
  for (Sample& sample : samples) {
    sample.spec.pattern = Pattern::local;
    sample.spec.other_node = -1;
  }
  EXPECT_TRUE(fit_pairs(samples).pairs.empty());
  EXPECT_FALSE(fit(samples, {}).roofs.empty());
}

// Shares that are off, pages on a third node, and Cases that could not be measured at all.
TEST(HybridPairs, WhatLiesElsewhereIsMissingWithAReason) {
  std::vector<Sample> samples = measured(false);
  const auto change = [&](const std::string& op, int percent, auto how) {
    for (Sample& sample : samples) {
      if (sample.spec.op.name() == op && sample.spec.node_percent == percent) how(sample);
    }
  };
  change("mix1_1_nt", 50, [](Sample& s) { s.node_bytes = {{0, 600}, {4, 400}}; });
  change("mix2_1_nt", 50, [](Sample& s) { s.node_bytes[2] = 4096; });
  change("mix4_1_nt", 50, [](Sample& s) { s.node_bytes.clear(); });
  change("load", 50, [](Sample& s) {
    s.status = Status::invalid;
    s.reason = Note("somebody else");
  });
  const Hybrid hybrid = fit_pairs(samples);
  ASSERT_EQ(hybrid.missing.size(), 4u);
  for (const Roof& roof : hybrid.missing) {
    EXPECT_EQ(roof.status, Status::invalid);
    EXPECT_FALSE(roof.reason.empty());
  }
  EXPECT_EQ(hybrid.pairs.front().cells.size(), 7u * 11u - 4u);
}

TEST(HybridPairs, WithoutAPureLoadNobodyKnowsTheFasterOne) {
  std::vector<Sample> samples = measured(false);
  std::erase_if(samples,
                [](const Sample& s) { return s.spec.op == operations::load && s.spec.node_percent == 100; });
  const Hybrid hybrid = fit_pairs(samples);
  ASSERT_EQ(hybrid.pairs.size(), 1u);
  EXPECT_EQ(hybrid.pairs.front().status, Status::invalid);
  EXPECT_NE(sentence(hybrid.pairs.front().reason).find("node 0 alone"), std::string::npos);
}

TEST(HybridPairs, SeveralIsasGiveTheBestOfEachCell) {
  std::vector<Sample> samples = measured(false), slower = samples;
  for (Sample& sample : slower) {
    sample.spec.kernel = sample.spec.op.name() + "_sse2";
    for (double& seconds : sample.seconds) seconds *= 1.5;
  }
  samples.insert(samples.begin(), slower.begin(), slower.end());
  const Hybrid hybrid = fit_pairs(samples);
  ASSERT_EQ(hybrid.pairs.size(), 1u);
  expect_pair(hybrid.pairs.front());
}

TEST(HybridPairs, TheFileHoldsThemAll) {
  std::vector<Sample> samples = measured(true);
  samples.front().node_bytes[9] = 1;
  samples.front().spec.threads = 8;  // another pair
  const Hybrid hybrid = fit_pairs(samples);
  const std::string text = hybrid_to_json(hybrid);
  const Hybrid back = hybrid_from_json(text, "hybrid.json");
  EXPECT_EQ(hybrid_to_json(back), text);
  EXPECT_EQ(back.missing, hybrid.missing);
  ASSERT_EQ(back.pairs.size(), hybrid.pairs.size());
  EXPECT_EQ(back.pairs.back().applications, hybrid.pairs.back().applications);
  EXPECT_EQ(back.pairs.back().threads, 16);
  EXPECT_EQ(name_of(back.pairs.back().pages), "4k");
}

}  // namespace
}  // namespace gable::model

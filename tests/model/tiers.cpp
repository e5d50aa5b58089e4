// Visits to tiers: they survive a round trip, and their figures and ratios are those from which they were
// generated.

#include "model/tiers/tiers.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "base/error.hpp"
#include "model/json/lines.hpp"
#include "model/records/tier.hpp"

namespace gable::model {
namespace {

TierSample tier_visit(const std::string& tier, double gb_per_s, int round, double noise,
                      std::mt19937& random) {
  TierSample sample;
  sample.spec = {tier, "store", "nt", 256, "random", 0, 4, false, 1u << 28};
  sample.round = round;
  sample.kernel = "block256_nt_avx2";
  sample.kind = gable::model::named<Tier>(tier).value_or(Tier::file);
  sample.how = "bound to node 0";
  sample.vendor_gb_per_s = 11.1;
  const double drift = std::lognormal_distribution<>(0, noise)(random);
  for (int i = 0; i < 20; ++i) {
    sample.seconds.push_back(0.0005);
    sample.work.push_back(0.0005 * gb_per_s * 1e9 * drift * std::lognormal_distribution<>(0, noise)(random));
  }
  sample.cpus = {0, 1, 2, 3};
  sample.node_bytes = {{1, 1u << 28}};
  sample.notes = {Note("a note")};
  sample.started = "2021-06-01T00:00:00Z";
  return sample;
}

std::string error_of(const TierSample& sample) {
  try {
    to_line(sample);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(TierSamples, AreReadAsTheyWereWritten) {
  std::mt19937 random(1);
  TierSample sample = tier_visit("/mnt/pmem", 2.5, 3, 0.1, random);
  sample.persistent = true;
  EXPECT_EQ(from_line<TierSample>(to_line(sample), "x:1"), sample);
  sample.spec = {"DRAM", "latency", "", 0, "random", 1, 1, false, 4096};
  sample.vendor_gb_per_s = 0;
  EXPECT_EQ(from_line<TierSample>(to_line(sample), "x:1"), sample);
  sample.status = Status::skipped;
  sample.reason = Note("no \"such\" thing");
  sample.seconds.clear();
  sample.work.clear();
  EXPECT_EQ(from_line<TierSample>(to_line(sample), "x:1"), sample);
}

TEST(TierSamples, ThatContradictThemselvesAreRefused) {
  std::mt19937 random(1);
  const TierSample right = tier_visit("DRAM", 10, 0, 0.1, random);
  EXPECT_EQ(error_of(right), "no error");
  const auto broken = [&](auto change) {
    TierSample sample = right;
    change(sample);
    return error_of(sample);
  };
  EXPECT_NE(broken([](auto& s) { s.work.pop_back(); }), "no error");
  EXPECT_NE(broken([](auto& s) { s.seconds[3] = 0; }), "no error");
  EXPECT_NE(broken([](auto& s) { s.reason = Note("why"); }), "no error");
  EXPECT_NE(broken([](auto& s) { s.status = Status::invalid; }), "no error");
  EXPECT_NE(broken([](auto& s) { s.spec.way = ""; }), "no error");
  EXPECT_NE(broken([](auto& s) { s.spec.what = "load"; }), "no error");
  EXPECT_NE(broken([](auto& s) { s.spec.what = "copy"; }), "no error");
  EXPECT_NE(broken([](auto& s) { s.spec.order = "backwards"; }), "no error");
}

TEST(TierSamples, EveryFaultOfALineIsNamedWithItsPlace) {
  std::mt19937 random(1);
  const std::string line = to_line(tier_visit("DRAM", 10, 0, 0.1, random));
  const auto complaint = [&](const std::string& from, const std::string& to) {
    std::string text = line;
    text.replace(text.find(from), from.size(), to);
    try {
      from_line<TierSample>(text, "tiers.jsonl:3");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  for (const auto& [from, to, expected] : std::vector<std::array<std::string, 3>>{
           {"\"clock_ghz\":0.0", "\"clock_ghz\":1e400", "not JSON: a number is too large"},
           {"\"cpus\":[0,", "\"cpus\":[0.5,", "CPU numbers"},
           {"\"seconds\":[0.0005,", "\"seconds\":[1e-200,", "is a rate of"},
           {"\"status\":\"ok\"", "\"status\":\"fine\"", "one of ok, skipped, invalid"}}) {
    const std::string message = complaint(from, to);
    EXPECT_TRUE(message.starts_with("tiers.jsonl:3: ")) << to << ": " << message;
    EXPECT_NE(message.find(expected), std::string::npos) << to << ": " << message;
    EXPECT_TRUE(message.ends_with("; correct or delete this line, then measure again")) << message;
  }
}

TEST(TierSamples, EveryFieldOfACaseIsInItsKey) {
  const TierCase one = {"DRAM", "store", "nt", 256, "random", 0, 4, false, 1u << 28};
  std::set<std::string> keys = {key(one)};
  const auto other = [&](auto change) {
    TierCase spec = one;
    change(spec);
    keys.insert(key(spec));
  };
  other([](TierCase& c) { c.tier = "NVM"; });
  other([](TierCase& c) { c.what = "copy"; });
  other([](TierCase& c) { c.way = "clwb"; });
  other([](TierCase& c) { c.access_bytes = 64; });
  other([](TierCase& c) { c.order = "sequential"; });
  other([](TierCase& c) { c.cluster = 1; });
  other([](TierCase& c) { c.threads = 5; });
  other([](TierCase& c) { c.smt = true; });
  other([](TierCase& c) { c.bytes = 1; });
  EXPECT_EQ(keys.size(), 10u);
}

TEST(TierFigures, WhatWasSpoiltEntersNone) {
  std::mt19937 random(5);
  std::vector<TierSample> samples;
  for (int round = 0; round < 6; ++round) samples.push_back(tier_visit("NVM", 2, round, 0.001, random));
  TierSample spoilt = tier_visit("NVM", 50, 6, 0.001, random);
  spoilt.status = Status::invalid;
  spoilt.reason = Note("1.0 MiB are on node 0 instead of 1");
  samples.push_back(spoilt);
  const std::vector<TierFigure> figures = tier_figures(samples);
  ASSERT_EQ(figures.size(), 1u);
  EXPECT_EQ(figures[0].status, Status::ok);
  EXPECT_NEAR(figures[0].estimate.value, 2, 0.02);
  const TierFigure alone = tier_figures({spoilt}).front();
  EXPECT_EQ(alone.status, Status::invalid);
  EXPECT_EQ(alone.reason, spoilt.reason);
}

// Ten visits with drift, many times: the ratio's interval contains the truth.
TEST(TierFigures, IntervalsOfRatiosHoldTheTruth) {
  std::mt19937 random(7);
  int inside = 0;
  constexpr int tries = 300;
  for (int i = 0; i < tries; ++i) {
    std::vector<TierSample> samples;
    for (int round = 0; round < 10; ++round) {
      samples.push_back(tier_visit("DRAM", 30, round, 0.05, random));
      samples.push_back(tier_visit("NVM", 10, round, 0.05, random));
    }
    const std::vector<TierFigure> figures = tier_figures(samples);
    const auto [lo, hi] = ratio_interval(figures[1].estimate, figures[0].estimate);
    inside += lo <= 1.0 / 3 && 1.0 / 3 <= hi;
  }
  EXPECT_GE(inside, tries * 93 / 100);
}

TEST(TierFigures, LatencyIsNanosecondsAndTheLeastIsBest) {
  std::mt19937 random(3);
  TierSample sample = tier_visit("DRAM", 1, 0, 0.001, random);
  sample.spec = {"DRAM", "latency", "", 0, "random", 0, 1, false, 1u << 28};
  for (double& accesses : sample.work) accesses = 0.0005 / 100e-9;
  TierSample slower = sample;
  slower.spec.tier = "NVM";
  for (double& accesses : slower.work) accesses = 0.0005 / 300e-9;
  const std::vector<TierFigure> figures = tier_figures({slower, sample});
  EXPECT_NEAR(figures[1].estimate.value, 100, 1e-6);
  EXPECT_EQ(best_figure(figures, [](const TierFigure&) { return true; }), &figures[1]);
}

}  // namespace
}  // namespace gable::model

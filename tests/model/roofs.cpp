#include "model/roofs/roofs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "tests/model/random_records.hpp"

namespace gable::model {
namespace {

Sample spoilt(Sample sample, Status status, const std::string& reason) {
  sample.status = status;
  sample.reason = Note(reason);
  return sample;
}

Roof only(const std::vector<Sample>& samples) {
  const std::vector<Roof> roofs = fit_roofs(samples);
  EXPECT_EQ(roofs.size(), 1u);
  return roofs.front();
}

TEST(FitRoofs, UnitsAreThoseOfTheKind) {
  Sample sample = visit({40});
  EXPECT_NEAR(only({sample}).value, 40, 1e-9);
  EXPECT_EQ(only({sample}).unit, "GB/s");
  sample.spec.kind = Kind::flops;
  EXPECT_NEAR(only({sample}).value, 40, 1e-9);
  EXPECT_EQ(only({sample}).unit, "GFlop/s");
  sample.spec.kind = Kind::latency;
  sample.work = {1000};
  sample.seconds = {90e-6};
  EXPECT_NEAR(only({sample}).value, 90, 1e-9);
  EXPECT_EQ(only({sample}).unit, "ns");
  sample.spec.kind = Kind::loaded_latency;
  sample.load_bytes = {9e5};
  EXPECT_NEAR(only({sample}).value, 90, 1e-9);
  EXPECT_NEAR(only({sample}).load_gb_per_s, 10, 1e-9);
  Sample lines = visit({0.25});  // 0.25e9 a second
  lines.spec.kind = Kind::random;
  EXPECT_NEAR(only({lines}).value, 250, 1e-9);
  EXPECT_EQ(only({lines}).unit, "M/s");
  sample.spec.kind = Kind::branch;
  sample.work = {1000};
  sample.seconds = {3e-6};
  EXPECT_NEAR(only({sample}).value, 3, 1e-9);
  EXPECT_EQ(only({sample}).unit, "ns");
  sample.spec.kind = Kind::operation;
  EXPECT_NEAR(only({sample}).value, 3, 1e-9);
  EXPECT_EQ(only({sample}).unit, "ns");
}

// Of six cycles, at clocks that vary from visit to visit; a clock that is not known tells nothing.
TEST(FitRoofs, TimesInRegistersAreThoseAtTheTypicalClock) {
  std::vector<Sample> samples;
  for (const double clock : {2.0, 3.0, 1.5, 2.4, 2.5, 2.2, 2.8}) {
    Sample sample = visit({1, 1, 1}, static_cast<int>(samples.size()));
    sample.clock_ghz = clock;
    sample.work = {1000, 1000, 1000};
    sample.seconds.assign(3, 1000 * 6e-9 / clock);
    samples.push_back(sample);
  }
  for (const Kind kind : {Kind::branch, Kind::operation, Kind::latency}) {
    for (Sample& sample : samples) sample.spec.kind = kind;
    const Roof roof = only(samples);
    EXPECT_NEAR(roof.clock_ghz, 2.4, 1e-9);
    EXPECT_NEAR(roof.value, 6 / 2.4, 1e-9);
    const bool certain = roof.hi - roof.lo < 1e-9;
    EXPECT_EQ(certain, kind != Kind::latency) << name_of(kind);
  }
  for (Sample& sample : samples) sample.spec.kind = Kind::operation;
  samples.front().clock_ghz = 0;
  EXPECT_GT(only(samples).hi, 6 / 2.4);
}

TEST(Fit, RandomLoadsAreRoofsOfTheirOwn) {
  std::vector<Sample> samples;
  for (const int threads : {1, 4}) {
    for (const char* pages : {"4k", "2m"}) {
      Sample sample = visit({0.05 * threads});
      sample.spec.kind = Kind::random;
      sample.spec.op = operations::random;
      sample.spec.kernel = "random_x86";
      sample.spec.threads = threads;
      sample.spec.pages = *pages_named(pages);
      samples.push_back(sample);
    }
  }
  const Roofs fitted = fit(samples, {});
  ASSERT_EQ(fitted.roofs.size(), 4u);
  EXPECT_NEAR(fitted.roofs.front().value, 50, 1e-9);
  EXPECT_NEAR(fitted.roofs.back().value, 200, 1e-9);
  EXPECT_TRUE(fitted.ladder.empty());
  EXPECT_TRUE(fitted.validation.empty());
}

TEST(Fit, StoresThatGoPastCachesHaveNoRoofsOfCaches) {
  std::vector<Sample> samples;
  for (const char* op : {"store", "store_nt", "copy_nt", "load_nt"}) {
    for (const Pattern pattern : {Pattern::cache, Pattern::local}) {
      Sample sample = visit({40});
      sample.spec.op = Operation(op);
      sample.spec.pattern = pattern;
      samples.push_back(sample);
    }
  }
  std::vector<std::string> found;
  for (const Roof& roof : fit(samples, {}).roofs)
    found.push_back(roof.spec.op.name() + " " + name_of(roof.spec.pattern));
  EXPECT_EQ(found, (std::vector<std::string>{"store cache", "store local", "store_nt local", "copy_nt local",
                                             "load_nt cache", "load_nt local"}));
}

// Other processes only slow repetitions down; the roof must still be the speed of the undisturbed
// machine.
TEST(FitRoofs, ARoofIsWhatCanBeReached) {
  Generator random(7);
  std::exponential_distribution<double> slowdown(10);
  std::bernoulli_distribution disturbed(0.7);
  std::vector<Sample> samples;
  for (int round = 0; round < 9; ++round) {
    std::vector<double> rates;
    for (int i = 0; i < 100; ++i) rates.push_back(100 / (1 + (disturbed(random) ? slowdown(random) : 0)));
    samples.push_back(visit(rates, round));
  }
  const Roof bandwidth = only(samples);
  EXPECT_NEAR(bandwidth.value, 100, 1e-6);
  EXPECT_LE(bandwidth.hi, 110);
  for (const PatternRow& together : pattern_rows) {
    if (!together.all_clusters) continue;
    std::vector<Sample> granted = samples;
    for (Sample& sample : granted) sample.spec.pattern = together.value;
    EXPECT_LT(only(granted).value, 98) << "one cluster's luck is another's loss: what is granted is typical";
  }
  for (Sample& sample : samples) {
    sample.spec.kind = Kind::latency;
    std::swap(sample.seconds, sample.work);
  }
  EXPECT_GT(only(samples).value, 1.02 * 1e9 / 100e9) << "a latency is a typical one, not the best";
}

TEST(FitRoofs, WhatWasSpoiltEntersNoValue) {
  const std::vector<Sample> clean = {visit({40, 41}, 0), visit({42, 43}, 1)};
  std::vector<Sample> mixed = clean;
  mixed.insert(mixed.begin() + 1, spoilt(visit({1000, 1}, 1), Status::invalid, "steal"));
  mixed.push_back(spoilt(visit({}, 2), Status::skipped, "no memory"));
  EXPECT_EQ(fit_roofs(mixed), fit_roofs(clean));
}

TEST(FitRoofs, ACaseWithoutAGoodSampleKeepsItsLastReason) {
  const Roof roof = only(
      {spoilt(visit({1}), Status::invalid, "steal"), spoilt(visit({}, 1), Status::skipped, "no memory")});
  EXPECT_EQ(roof.status, Status::skipped);
  EXPECT_EQ(sentence(roof.reason), "no memory");
  EXPECT_EQ(roof.n, 0);
}

TEST(FitRoofs, TheOrderOfSamplesDoesNotMatter) {
  Generator random(5);
  std::vector<Sample> samples;
  for (int i = 0; i < 12; ++i) {
    std::lognormal_distribution<double> rate(3, 0.1);
    samples.push_back(visit({rate(random), rate(random), rate(random)}, i));
  }
  const Roof roof = only(samples);
  EXPECT_EQ(roof.n, 36);
  std::shuffle(samples.begin(), samples.end(), random);
  EXPECT_EQ(only(samples), roof);
}

TEST(FitRoofs, ASlowerClockScalesTheRoofs) {
  std::vector<Sample> samples = {visit({40, 42, 44}, 0), visit({41, 43}, 1), visit({39, 42}, 2)};
  const Roof roof = only(samples);
  for (Sample& sample : samples) {
    for (double& seconds : sample.seconds) seconds *= 8;
  }
  EXPECT_NEAR(only(samples).value, roof.value / 8, 1e-12);
  EXPECT_NEAR(only(samples).lo, roof.lo / 8, 1e-12);
  EXPECT_NEAR(only(samples).hi, roof.hi / 8, 1e-12);
}

TEST(FitRoofs, ALineThatIsThereTwiceCountsOnce) {
  EXPECT_EQ(only({visit({40, 41}), visit({40, 41})}), only({visit({40, 41})}));
}

TEST(FitRoofs, CasesKeepTheOrderOfTheirFirstVisit) {
  Sample other = visit({7});
  other.spec.op = operations::store;
  const std::vector<Roof> roofs = fit_roofs({visit({1}), other, visit({1}, 1)});
  ASSERT_EQ(roofs.size(), 2u);
  EXPECT_EQ(roofs[0].spec.op.name(), "load");
  EXPECT_EQ(roofs[1].spec.op.name(), "store");
}

TEST(Fit, TheLadderStandsApart) {
  Sample step = visit({1});
  step.spec.pattern = Pattern::ladder;
  const Roofs all = fit({visit({1}), step}, {});
  EXPECT_EQ(all.roofs.size(), 1u);
  EXPECT_EQ(all.ladder.size(), 1u);
}

Roof roof_of(Kind kind, const std::string& pages, double value) {
  Roof roof;
  roof.spec = visit({1}).spec;
  roof.spec.kind = kind;
  roof.spec.pages = *pages_named(pages);
  roof.value = roof.lo = roof.hi = value;
  roof.unit = kind == Kind::bandwidth ? "GB/s" : "ns";
  roof.n = 1;
  return roof;
}

TEST(BestRoof, IsTheHighestBandwidthAndTheLowestLatency) {
  std::vector<Roof> roofs = {roof_of(Kind::bandwidth, "4k", 40), roof_of(Kind::bandwidth, "2m", 50),
                             roof_of(Kind::latency, "4k", 100), roof_of(Kind::latency, "2m", 80)};
  Case like;
  like.kind = Kind::bandwidth;
  EXPECT_EQ(best_roof(roofs, like)->value, 50);
  like.pages = *pages_named("4k");
  EXPECT_EQ(best_roof(roofs, like)->value, 40);
  like.pages = {};
  like.kind = Kind::latency;
  EXPECT_EQ(best_roof(roofs, like)->value, 80);
  roofs[3].status = Status::invalid;
  EXPECT_EQ(best_roof(roofs, like)->value, 100);
  like.node = 3;
  EXPECT_EQ(best_roof(roofs, like), nullptr);
}

TEST(BestRoof, FindsALadderOnlyWhenAskedForIt) {
  std::vector<Roof> roofs = {roof_of(Kind::bandwidth, "4k", 40)};
  roofs.front().spec.pattern = Pattern::ladder;
  Case like;
  like.kind = Kind::bandwidth;
  EXPECT_EQ(best_roof(roofs, like), nullptr);
  like.pattern = Pattern::ladder;
  EXPECT_NE(best_roof(roofs, like), nullptr);
}

// With figures that a machine can have.
Sample possible(Sample sample) {
  for (std::vector<double>* const numbers : {&sample.seconds, &sample.work, &sample.load_bytes}) {
    for (double& number : *numbers) number = std::pow(number, 0.125);
  }
  sample.clock_ghz = std::pow(sample.clock_ghz, 0.125);
  return sample;
}

Roofs any_roofs(Generator& random) {
  std::vector<Sample> samples;
  for (int i = 0; i < 60; ++i) samples.push_back(possible(any_sample(random)));
  Roofs roofs = fit(samples, {});
  for (Roof& roof : roofs.roofs) roof.source = any_text(random);
  roofs.levels = {{0, Level::cache(1), 32768, 32768, true, {}},
                  {1, Level::cache(2), 0, 7, false, Note("a \"remark\"\n")}};
  return roofs;
}

TEST(RoofsFile, ComesBackAsItWent) {
  Generator random(6);
  for (int i = 0; i < 30; ++i) {
    const Roofs roofs = any_roofs(random);
    EXPECT_EQ(roofs_from_json(roofs_to_json(roofs), "roofs.json"), roofs);
  }
  EXPECT_EQ(roofs_from_json(roofs_to_json({}), "roofs.json"), Roofs{});
}

std::string roofs_complaint(const std::string& text) {
  try {
    roofs_from_json(text, "roofs.json");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(RoofsFile, TheFaultyLineIsNamed) {
  Roofs roofs;
  roofs.roofs = {roof_of(Kind::bandwidth, "4k", 1), roof_of(Kind::bandwidth, "2m", 1)};
  const std::string text = roofs_to_json(roofs);
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t at = changed.rfind(from);
    EXPECT_NE(at, std::string::npos) << from;
    return changed.replace(at, from.size(), to);
  };
  EXPECT_EQ(
      roofs_complaint(replaced("\"n\":1", "\"n\":true")).rfind("roofs.json:4: roofs[1]: \"n\" is true", 0),
      0u);
  EXPECT_EQ(roofs_complaint(replaced("\"lo\":1.0", "\"lo\":2.0"))
                .rfind("roofs.json:4: roofs[1]: \"value\" lies", 0),
            0u);
  EXPECT_EQ(roofs_complaint(replaced("\"unit\":", "\"einheit\":"))
                .rfind("roofs.json:4: roofs[1]: \"unit\" is missing", 0),
            0u);
  EXPECT_EQ(roofs_complaint(replaced("\"smt\"", "smt")).rfind("roofs.json:4: not JSON", 0), 0u);
  EXPECT_NE(roofs_complaint(replaced("\"schema\":1", "\"schema\":9")).find("\"schema\" is 9"),
            std::string::npos);
  EXPECT_NE(roofs_complaint(replaced("\"levels\"", "\"layers\"")).find("\"levels\" is missing"),
            std::string::npos);
  EXPECT_NE(roofs_complaint("[]").find("expected a JSON object"), std::string::npos);
  EXPECT_NE(roofs_complaint("{\"schema\":1,\"roofs\":[1]}").find("must hold objects"), std::string::npos);
}

TEST(RoofsFile, ImpossibleFiguresAreRefused) {
  Roofs roofs;
  roofs.roofs = {roof_of(Kind::bandwidth, "4k", 2)};
  roofs.roofs.front().clock_ghz = 4;
  const std::string text = roofs_to_json(roofs);
  EXPECT_EQ(roofs_complaint(text), "");
  const std::string figures = "\"value\":2.0,\"lo\":2.0,\"hi\":2.0", clock = "\"clock_ghz\":4.0";
  const auto expect = [&](const std::string& from, const std::string& to, const std::string& error) {
    std::string changed = text;
    ASSERT_NE(changed.find(from), std::string::npos) << from;
    changed.replace(changed.find(from), from.size(), to);
    EXPECT_EQ(roofs_complaint(changed), error.empty() ? "" : "roofs.json:3: roofs[0]: " + error) << to;
  };
  expect(figures, "\"value\":0,\"lo\":0,\"hi\":0", "\"value\" is not above 0");
  expect(figures, "\"value\":2,\"lo\":0,\"hi\":2", "\"lo\" is not above 0");
  expect(figures, "\"value\":1e-300,\"lo\":1e-300,\"hi\":1", "\"value\" is beyond any machine");
  expect(figures, "\"value\":2,\"lo\":2,\"hi\":1e300", "\"hi\" is beyond any machine");
  expect(figures, "\"value\":1e12,\"lo\":1e-12,\"hi\":1e12", "");
  expect(clock, "\"clock_ghz\":1e308", "\"clock_ghz\" is beyond any machine");
  expect(clock, "\"clock_ghz\":900", "");
  expect(clock, "\"clock_ghz\":4,\"adds_per_cycle\":1e16", "\"adds_per_cycle\" is beyond any machine");
  expect(clock, "\"clock_ghz\":4,\"idle_value\":1e16", "\"idle_value\" is beyond any machine");
}

TEST(RoofsFile, EveryCutIsNoticed) {
  Roofs roofs;
  roofs.roofs = {roof_of(Kind::bandwidth, "4k", 1), roof_of(Kind::latency, "2m", 1)};
  roofs.levels = {{0, Level::cache(1), 32768, 32768, true, {}}};
  const std::string text = roofs_to_json(roofs);
  for (std::size_t i = 0; i + 1 < text.size(); ++i)
    EXPECT_FALSE(roofs_complaint(text.substr(0, i)).empty()) << "cut at " << i;
}

}  // namespace
}  // namespace gable::model

// points.json: any name survives a round trip; contradictory points are neither
// written nor read.

#include "base/json.hpp"
#include "model/json/points.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "tests/model/joe0.hpp"
#include "tests/model/random_records.hpp"

namespace gable::model {
namespace {

std::string one_line(std::string text) {
  std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) < ' '; });
  return text;
}

LevelBytes any_level(Generator& random, const std::string& name) {
  std::lognormal_distribution<double> positive(0, 8);
  const double read = positive(random);
  LevelBytes bytes = {Level(name), read, positive(random), read / 2, read / 4};
  bytes.written_more = uniform(random, 0, 1) * positive(random);
  return bytes;
}

Point any_point(Generator& random, int number) {
  std::lognormal_distribution<double> positive(0, 8);
  Point point;
  point.name = std::to_string(number) + one_line(any_text(random));
  point.region = any_text(random);
  point.cluster = uniform(random, -1, 3);
  point.alone = point.cluster >= 0 && uniform(random, 0, 1) == 1;
  point.threads = uniform(random, 0, 256);
  point.cores = uniform(random, 0, 3);
  point.flops = uniform(random, 0, 1) == 1 ? positive(random) : static_cast<double>(random() >> 12);
  point.load_bytes = 1 + static_cast<double>(random() >> 12);
  point.store_bytes = positive(random);
  point.precision = any_member<Precision>(random);
  point.operation = Operation(any_of(random, {"add", "mul", ""}));
  if (uniform(random, 0, 1) == 1) point.scalar_flops_percent = uniform(random, 0, 100);
  if (uniform(random, 0, 1) == 1) point.huge_pages_percent = uniform(random, 0, 100);
  point.seconds = positive(random);
  point.seconds_lo = point.seconds * 0.9;
  point.seconds_hi = point.seconds * 1.2;
  point.repetitions = uniform(random, 1, 9);
  point.counter = any_of(random, {"valgrind", "pmu", "add"});
  point.policy = any_of(random, {"", "interleave", "bind:0"});
  for (int i = uniform(random, 0, 3); i > 0; --i) point.node_bytes[uniform(random, 0, 9)] = random();
  point.command = {"./app", any_text(random), ""};
  point.environment = {{"OMP_NUM_THREADS", any_text(random)}};
  for (int i = uniform(random, 0, 3); i > 0; --i)
    point.functions.push_back({any_text(random), any_text(random), positive(random), positive(random), 0});
  if (uniform(random, 0, 1) == 1) point.levels = {any_level(random, "L2"), any_level(random, "memory")};
  if (!point.levels.empty()) {
    point.accesses = positive(random);
    point.objects = {{any_text(random), random() >> 12, point.levels}, {"", 0, point.levels}};
    point.profile = "app-2.profile";
  }
  point.notes = {Note(any_text(random))};
  point.started = "2024-02-29T12:00:00Z";
  if (uniform(random, 0, 1) == 1) {
    point.access_source = *named<AccessSource>(any_of(random, {"given", "replay", "samples"}));
    if (point.access_source == AccessSource::samples) point.access_samples = positive(random);
    const bool has_memory = !point.levels.empty() && is_memory(point.levels.back().level);
    const double most = has_memory ? point.levels.back().read : point.load_bytes;
    for (int node = uniform(random, 0, 3); node >= 0 && most > 8; --node)
      point.access.push_back({node, point.cluster < 0 ? node : -1, most / 8, 0});
  }
  return point;
}

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

std::vector<Reading> readings(const std::vector<Point>& points) {
  std::vector<Reading> list;
  for (const Point& point : points) list.push_back(read_point(joe0::roofs(), point));
  return list;
}

TEST(PointsJson, WhatIsWrittenIsReadBack) {
  Generator random(7);
  for (int round = 0; round < 100; ++round) {
    std::vector<Point> points;
    for (int i = uniform(random, 0, 5); i > 0; --i) points.push_back(any_point(random, i));
    EXPECT_EQ(points_from_json(points_to_json(points, readings(points)), "p"), points);
  }
}

TEST(PointsJson, PointsComeFromPointsThatAreThere) {
  Generator random(3);
  std::vector<Point> points;
  for (int i = 0; i < 4; ++i) points.push_back(any_point(random, i));
  points[1].from = points[0].name;
  points[2].from = points[1].name;
  points[3].from = points[0].name;
  EXPECT_EQ(contradiction(points), "");
  EXPECT_EQ(points_from_json(points_to_json(points, readings(points)), "p"), points);
  points[0].from = points[2].name;
  EXPECT_TRUE(has(contradiction(points), "is derived from itself"));
  points[0].from = points[0].name;
  EXPECT_TRUE(has(contradiction(points), "is derived from itself"));
  points[0].from = "absent";
  EXPECT_TRUE(has(contradiction(points), "is from \"absent\", which does not exist"));
  EXPECT_THROW(points_from_json(points_to_json(points, readings(points)), "p"), Error);
}

TEST(PointsJson, HoldsTheReading) {
  Generator random(1);
  Point point = any_point(random, 0);
  point.cluster = 0;
  point.alone = true;
  point.node_bytes = {{1, 5}};
  point.access.clear();
  point.access_source = AccessSource::none;
  point.seconds = point.seconds_lo = point.seconds_hi = 1;
  point.load_bytes = 17e9;
  point.store_bytes = point.flops = 0;
  const auto document = Json::parse(points_to_json({point}, readings({point})));
  EXPECT_EQ(document["schema"], 1);
  EXPECT_EQ(document["points"][0]["binding_roof"], "DRAM node 1, remote (load)");
  EXPECT_NEAR(document["points"][0]["headroom_percent"].get<double>(), 100 * 17.5 / 17 - 100, 1e-9);
  EXPECT_EQ(document["points"][0]["node_bytes"]["1"], 5);
  EXPECT_EQ(document["points"][0]["load_bytes"].dump(), "17000000000");
  const auto unread = Json::parse(points_to_json({point}, {Reading{}}));
  EXPECT_TRUE(unread["points"][0]["binding_roof"].is_null());
}

TEST(PointsJson, AContradictionIsNotWritten) {
  Generator random(3);
  const Point good = any_point(random, 0);
  EXPECT_EQ(contradiction(good), "");
  const auto spoilt = [&](const auto& change) {
    Point point = good;
    change(point);
    EXPECT_NE(contradiction(point), "");
    EXPECT_THROW(points_to_json({point}, {Reading{}}), Error);
  };
  spoilt([](Point& point) { point.name = ""; });
  spoilt([](Point& point) { point.name = "two\nlines"; });
  spoilt([](Point& point) { point.name = "\xff"; });
  spoilt([](Point& point) { point.seconds = 0; });
  spoilt([](Point& point) { point.seconds_lo = point.seconds * 2; });
  spoilt([](Point& point) { point.flops = -1; });
  spoilt([](Point& point) { point.flops = point.load_bytes = point.store_bytes = 0; });
  spoilt([](Point& point) { point.repetitions = 0; });
  spoilt([](Point& point) { point.accesses = -1; });
  for (const char* file : {"../other", "a/b", ".hidden", "two\nlines"})
    spoilt([&](Point& point) { point.profile = file; });
  const std::vector<LevelBytes> levels = {{Level("L2"), 2, 1, 0, 0}, {Level::memory(), 1, 0, 0, 0}};
  const auto with_object = [&](std::vector<LevelBytes> of_object) {
    return [&, of_object](Point& point) {
      point.levels = levels;
      point.objects = {{"table", 64, of_object}};
    };
  };
  Point known = good;
  with_object(levels)(known);
  EXPECT_EQ(contradiction(known), "");
  spoilt(with_object({levels[0]}));
  spoilt(with_object({levels[1], levels[0]}));
  spoilt(with_object({{Level("L2"), -1, 0, 0, 0}, levels[1]}));
  spoilt([&](Point& point) { point.functions = {{"f", "", 1, 1, 1, {{Level("L2"), 1, 0, 2, 0}}}}; });
}

TEST(PointsJson, AccessesThatCannotBeAreNeitherWrittenNorRead) {
  Point point;
  point.name = "p";
  point.load_bytes = 4e9;
  point.store_bytes = 1e9;
  point.seconds = point.seconds_lo = point.seconds_hi = 1;
  point.access_source = AccessSource::given;
  point.access = {{0, -1, 3e9, 1e9}};
  const Point good = point;
  EXPECT_EQ(contradiction(good), "");
  const auto wrong = [&](const char* words, auto change) {
    Point spoilt = good;
    change(spoilt);
    EXPECT_TRUE(has(contradiction(spoilt), words)) << words << ": " << contradiction(spoilt);
    EXPECT_THROW(points_to_json({spoilt}, {Reading{}}), Error);
  };
  wrong("\"access\": load_bytes are 9e+10 in all", [](Point& p) { p.access[0].load = 9e10; });
  wrong("store_bytes are 2e+10 in all", [](Point& p) { p.access[0].store = 2e10; });
  wrong("store_bytes are 1e+10", [](Point& p) {  // half of the lines if each access is of 8 bytes
    p.precision = Precision::dp;
    p.access[0].store = 1e10;
  });
  wrong("\"levels\" has 2e+09 for the memory", [](Point& p) { p.levels = {{Level::memory(), 2e9, 1e9}}; });
  wrong("must be numbers, 0 or more", [](Point& p) { p.access[0].load = -1; });
  wrong("are 0 for every node", [](Point& p) { p.access[0] = {}; });
  wrong("node 0 is there twice", [](Point& p) { p.access.push_back(p.access[0]); });
  wrong("accessed by cluster 3, and the point is of cluster 0", [](Point& p) { p.access[0].cluster = 3; });
  wrong("only of the source samples", [](Point& p) { p.access_samples = 10; });
  wrong("samples must be above 0", [](Point& p) {
    p.access_source = AccessSource::samples;
    p.access_samples = -1;
  });
  wrong("the source is missing", [](Point& p) { p.access_source = AccessSource::none; });
}

// Caches may have served everything.
TEST(PointsJson, NoAccessToMemoryIsKnowledgeToo) {
  Point point;
  point.name = "p";
  point.load_bytes = 4e9;
  point.seconds = point.seconds_lo = point.seconds_hi = 1;
  point.access_source = AccessSource::replay;
  EXPECT_EQ(points_from_json(points_to_json({point}, {Reading{}}), "p"), std::vector{point});
}

void expect_error(const std::string& text, const std::string& words) {
  try {
    points_from_json(text, "dir/points.json");
    ADD_FAILURE() << "read: " << text;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(PointsJson, ErrorsNameFileAndLine) {
  Generator random(5);
  const Point point = any_point(random, 0);
  const std::string text = points_to_json({point}, {Reading{}});
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    return changed;
  };
  expect_error("", "dir/points.json:1: not JSON");
  expect_error(text.substr(0, text.size() / 2), "dir/points.json:");
  expect_error(with("\"schema\":1", "\"schema\":2"), "\"schema\" is 2");
  expect_error(with("\"seconds\":", "\"secs\":"), "dir/points.json:3: points[0]: \"seconds\" is missing");
  expect_error(with("\"flops\":", "\"flops\":-1,\"was\":"), "points[0]: \"flops\" is -1");
  Point accessing = point;
  accessing.access_source = AccessSource::given;
  accessing.access = {{0, -1, 1, 0}};
  const std::string accesses = points_to_json({accessing}, {Reading{}});
  const auto without = [&](const std::string& from, const std::string& to) {
    return std::string(accesses).replace(accesses.find(from), from.size(), to);
  };
  expect_error(without("\"source\":\"given\"", "\"source\":\"guess\""), "\"source\"");
  expect_error(without("\"node\":0", "\"node\":-1"), "\"node\" is -1");
  expect_error(without("\"load_bytes\":1,", "\"load_bytes\":-1,"), "\"load_bytes\" is -1");
  const std::string by_hand = without("\"cluster\":null,\"load_bytes\"", "\"load_bytes\"");
  EXPECT_EQ(points_from_json(by_hand, "p"), std::vector{accessing}) << "the cluster may be missing";
  EXPECT_THROW(points_from_json(points_to_json({point, point}, {Reading{}, Reading{}}), "p"), Error);
}

}  // namespace
}  // namespace gable::model

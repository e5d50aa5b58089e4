// Every field of a Case and of a Roof is in its files: none is lost, and the pages name them all.

#include "base/json.hpp"
#include "model/records/fields.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "model/json/record_io.hpp"
#include "model/json/roof.hpp"
#include "model/records/record_row.hpp"

namespace gable::model {
namespace {

// A Roof in which no field has the value of a new one.
Roof full() {
  Roof roof;
  roof.spec = {Kind::loaded_latency,
               3,
               Level::memory(),
               Pattern::hybrid,
               1,
               Tiers(Tier::hbm),
               operations::chase,
               "chase_x86",
               Precision::dp,
               huge_pages(),
               4,
               true,
               4096,
               50,
               2,
               30,
               3,
               7,
               0.5};
  roof.value = 2;
  roof.lo = 1;
  roof.hi = 3;
  roof.unit = "ns";
  roof.n = 5;
  roof.load_gb_per_s = 6;
  roof.source = "table 1";
  roof.clock_ghz = 2.5;
  roof.adds_per_cycle = 4;
  roof.remarks = {Note("one"), Note("two")};
  roof.other_state = true;
  roof.idle_value = 9;
  roof.idle_lo = 8;
  roof.idle_hi = 10;
  return roof;
}

Roof read_back(const Roof& roof) {
  const Json json = Json::parse(roof_to_json(roof).dump());
  return roof_from(Fields(json, "a test"));
}

// Gives the n-th field another value, and counts the fields.
struct Changer {
  int wanted, fields = 0;
  std::string changed = {};

  void required(const char* name, auto& value) {
    if (fields++ != wanted) return;
    changed = name;
    change(value);
  }
  void unless(auto, const char* name, auto& value) { required(name, value); }
  void when(bool, const char* name, auto& value) { required(name, value); }
  void index(const char* name, int& value) { required(name, value); }
  void value(bool, const char* name, double& value) { required(name, value); }

  static void change(std::string& text) { text += "x"; }
  static void change(bool& flag) { flag = !flag; }
  static void change(int& number) { ++number; }
  static void change(std::uint64_t& number) { ++number; }
  static void change(double& number) { number *= 1.25; }
  static void change(Level& level) { level = Level("L2"); }
  static void change(Operation& op) { op = operations::load; }
  static void change(Tiers& tiers) { tiers = Tiers(Tier::cxl); }
  static void change(Pages& pages) { pages = small_pages(); }
  template <Tabled T>
  static void change(T& member) {
    member = static_cast<T>(static_cast<int>(member) == 0 ? 1 : 0);
  }
};

TEST(RecordFields, NoneIsLostInJson) {
  EXPECT_EQ(read_back(full()), full());
  Roof invalid;
  invalid.unit = "GB/s";
  invalid.status = Status::invalid;
  invalid.reason = Note("why");
  EXPECT_EQ(read_back(invalid), invalid);
}

TEST(RecordFields, EveryFieldOfACaseIsInItsKey) {
  Changer counter{-1};
  Case like = full().spec;
  describe(counter, like);
  ASSERT_GT(counter.fields, 10);
  for (int i = 0; i < counter.fields; ++i) {
    Case changed = full().spec;
    Changer changer{i};
    describe(changer, changed);
    EXPECT_NE(changed, full().spec) << changer.changed;
    EXPECT_NE(key(changed), key(full().spec)) << changer.changed;
  }
}

// A cell and the value in JSON are the same.
TEST(RecordFields, RowsHaveTheFieldsOfJson) {
  const Json json = roof_to_json(full());
  const gable::Row row = roof_row(full());
  ASSERT_EQ(row.size(), roof_columns().size());
  ASSERT_EQ(json.size(), row.size()) << "no field of this Roof is left out";
  std::size_t i = 0;
  for (const auto& [name, value] : json.items()) {
    EXPECT_EQ(roof_columns()[i], name);
    if (value.is_string()) {
      EXPECT_EQ(row[i].text, value.get<std::string>()) << name;
    } else if (value.is_number()) {
      EXPECT_EQ(row[i].number, value.get<double>()) << name;
    } else if (value.is_boolean()) {
      EXPECT_EQ(row[i].text, value.dump()) << name;
    }
    ++i;
  }
}

TEST(RecordFields, WhatARoofDoesNotHaveIsEmpty) {
  Roof roof;
  roof.status = Status::skipped;
  const gable::Row row = roof_row(roof);
  for (std::size_t i = 0; i < row.size(); ++i) {
    for (const char* const name : {"node", "value", "lo", "hi", "source", "clock_ghz", "other_node"}) {
      if (roof_columns()[i] == name) {
        EXPECT_TRUE(row[i].empty()) << name;
      }
    }
  }
}

TEST(RecordFields, ThePageNamesThemAll) {
  const std::string page = read_whole(GABLE_SOURCE_DIR "/docs/formats/measurement.md");
  for (const std::string& name : roof_columns())
    EXPECT_NE(page.find("`" + name + "`"), std::string::npos)
        << name << " is not in docs/formats/measurement.md";
}

// Collects the names of all fields, also of the records in records.
struct NameCollector {
  std::set<std::string> names = {};

  template <typename Value>
  void required(const char* name, const Value& value) {
    names.insert(name);
    inner(value);
  }
  void optional(const char* name, const auto& value) { required(name, value); }
  void given(bool, const char* name, const auto& value) { required(name, value); }
  void when(bool, const char* name, const auto& value) { required(name, value); }
  void index(const char* name, int) { names.insert(name); }
  void optional_index(const char* name, int) { names.insert(name); }
  void part(bool, const char* name, const auto& describe_part) {
    names.insert(name);
    describe_part(*this);
  }

 private:
  void inner(const auto&) {}
  void inner(const Described auto& record) { describe(*this, record); }
  template <Described Record>
  void inner(const std::vector<Record>&) {
    inner(Record());
  }
  template <Described Record>
  void inner(const std::optional<Record>&) {
    inner(Record());
  }
};

TEST(RecordFields, ThePageOfPointsNamesThemAll) {
  NameCollector collector;
  const Point point;
  describe(collector, point);
  EXPECT_TRUE(collector.names.contains("chained_span")) << "of a level of a function";
  EXPECT_TRUE(collector.names.contains("source")) << "of the accesses";
  const std::string page = read_whole(GABLE_SOURCE_DIR "/docs/formats/points.md");
  for (const std::string& name : collector.names)
    EXPECT_NE(page.find("`" + name + "`"), std::string::npos) << name << " is not in docs/formats/points.md";
}

}  // namespace
}  // namespace gable::model

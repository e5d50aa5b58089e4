// What the Locality-Aware Roofline chart says beside its roofs and in its note.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "model/records/names.hpp"
#include "plots/charts/charts.hpp"
#include "plots/charts/text.hpp"

namespace {

using namespace gable::charts;
using gable::model::Kind;
using gable::model::Level;
using gable::model::Pattern;
using gable::model::Roof;
using gable::model::Status;
using gable::model::Tier;

Roof bandwidth(const std::string& level, const std::string& op, double value) {
  Roof made;
  made.spec.kind = Kind::bandwidth;
  made.spec.level = Level(level);
  made.spec.pattern = level == "memory" ? Pattern::local : Pattern::cache;
  made.spec.node = 0;
  made.spec.tier = Tier::dram;
  made.spec.op = gable::model::Operation(op);
  made.spec.threads = 2;
  made.value = value;
  made.lo = 0.97 * value;
  made.hi = 1.01 * value;
  made.unit = "GB/s";
  made.n = 30;
  return made;
}

Recorded with_roofs(const std::string& op) {
  Recorded recorded;
  recorded.op = gable::model::Operation(op);
  recorded.roofs.roofs = {bandwidth("L1", op, 400), bandwidth("L2", op, 200), bandwidth("memory", op, 30)};
  recorded.roofs = gable::model::roofs_from_json(gable::model::roofs_to_json(recorded.roofs), "roofs.json");
  return recorded;
}

bool draws(const Chart& chart, const std::string& name) {
  return std::ranges::any_of(chart.panels.at(0).series,
                             [&](const Series& series) { return series.name == name; });
}

// Letters of a text as wide as DejaVu Sans, the widest of the usual fonts, has them.
double wide(const std::string& text) {
  double width = 0;
  for (const char letter : text) {
    const bool narrow = letter == ' ' || letter == ',' || letter == '.' || letter == 'l';
    const bool broad = letter == '%' || letter == 'M' || letter == 'D';
    const bool continues = (static_cast<unsigned char>(letter) & 0xc0) == 0x80;
    width += continues ? 0 : narrow ? 3.8 : broad ? 10.5 : 7.7;
  }
  return width;
}

TEST(LarmTexts, DoNotTouchTheAxis) {
  for (const char* level : {"L1", "memory"}) {
    for (const double value : {472.0, 9.47, 1234.0}) {
      Recorded recorded;
      recorded.roofs.roofs = {bandwidth(level, "load", value)};
      const Chart chart = larm_chart(recorded, 0);
      for (const Label& label : chart.labels) {
        if (label.text == "GB/s") continue;
        EXPECT_GT(label.x - wide(label.text), chart.panels.at(0).area.left + 3) << label.text;
      }
    }
  }
}

TEST(LarmTexts, StoresThatGoPastCachesHaveNoRoofsOfCaches) {
  const Chart usual = larm_chart(with_roofs("store"), 0);
  EXPECT_TRUE(draws(usual, "L1"));
  EXPECT_EQ(usual.note.find("Caches are no roofs"), std::string::npos);
  for (const std::string op : {"store_nt", "mix2_1_nt"}) {
    const Chart chart = larm_chart(with_roofs(op), 0);
    EXPECT_FALSE(draws(chart, "L1") || draws(chart, "L2"));
    EXPECT_TRUE(draws(chart, "DRAM node 0, local"));
    EXPECT_EQ(chart.table.rows(), 1u);
    EXPECT_NE(chart.note.find("Caches are no roofs here: the stores of " + op), std::string::npos)
        << chart.note;
  }
  Recorded other = with_roofs("store_nt");
  other.machine = "other";
  const Chart both = overlay_chart({with_roofs("store_nt"), other}, 0);
  EXPECT_EQ(both.table.rows(), 2u) << "a memory of each";
}

TEST(LarmTexts, ReasonsStandInTheTableThatTheReaderHas) {
  Recorded recorded = with_roofs("load");
  recorded.roofs.roofs.front().status = Status::skipped;
  EXPECT_NE(larm_chart(recorded, 0).note.find("reasons in larm-0.tsv."), std::string::npos);
  recorded.with_tables = true;
  EXPECT_NE(larm_chart(recorded, 0).note.find("reasons in the table below."), std::string::npos);
}

TEST(LarmTexts, ASkippedMemoryWithoutTierHasOneBlank) {
  gable::model::Case spec;
  spec.level = Level::memory();
  spec.pattern = Pattern::contended;
  spec.node = -1;
  EXPECT_EQ(name_of(spec, gable::model::Style::target), "all nodes, contended");
  spec.tier = Tier::hbm;
  EXPECT_EQ(name_of(spec, gable::model::Style::target), "HBM all nodes, contended");
}

}  // namespace

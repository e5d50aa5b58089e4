// What the Locality-Aware Roofline chart says of its cluster, its sources and the errors of its roofs.

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "plots/charts/larm/roof_lines.hpp"
#include "tests/plots/larm_machines.hpp"

namespace {

using namespace gable::charts;
using gable::charts::tests::invented_roof;
using gable::charts::tests::mentions;
using gable::model::Kind;
using gable::model::Level;
using gable::model::Pattern;
using gable::model::Roof;
using gable::model::Tier;

TEST(Charts, NameTheKindOfCores) {
  Recorded recorded;
  recorded.machine = "laptop";
  recorded.core_kinds = {{0, "P"}, {1, "kind 0"}};
  recorded.roofs.roofs = {invented_roof(Kind::bandwidth, 100, 0, "DRAM")};
  EXPECT_NE(larm_chart(recorded, 0).title.find("cluster 0 (P cores) of laptop"), std::string::npos);
  EXPECT_EQ(gable::charts::cluster_text(recorded, 1), "cluster 1 (kind 0 cores)");
  EXPECT_EQ(gable::charts::cluster_text(recorded, 2), "cluster 2");
}

TEST(LarmChart, SaysWherePublishedFiguresComeFrom) {
  Recorded recorded;
  recorded.op = gable::model::operations::load;
  Roof published = invented_roof(Kind::bandwidth, 40, 0, "DRAM");
  published.source = "A table";
  recorded.roofs.roofs = {published};
  Chart chart = larm_chart(recorded, 0);
  EXPECT_TRUE(mentions(chart.subtitle, "figures of A table"));
  EXPECT_TRUE(mentions(chart.note, "intervals as published"));
  recorded.roofs.roofs[0].lo = recorded.roofs.roofs[0].hi = 40;
  chart = larm_chart(recorded, 0);
  EXPECT_FALSE(mentions(chart.note, "interval"));
}

gable::model::Validation validation(const Roof& of, double rms, double paper) {
  gable::model::Validation made;
  made.roof = of.spec;
  made.roof.pages = {};
  made.roof.kernel = "";
  made.rms_percent = rms;
  made.paper_percent = paper;
  return made;
}

TEST(LarmChart, TheNoteHasTheErrorsOfTheRoofsThatAreDrawn) {
  const Roof one = invented_roof(Kind::bandwidth, 40, 0, "DRAM"),
             other = invented_roof(Kind::bandwidth, 39.9, 1, "DRAM");
  const std::vector<gable::model::Validation> two = {validation(one, 1.24, 0.311),
                                                     validation(other, 3.06, 1.02)};
  EXPECT_EQ(error_text(two, {one}), "1.2 % (RMS) off their roof");
  EXPECT_EQ(error_text(two, {one, other}), "1.2 to 3.1 % (RMS) off their roofs");
  EXPECT_EQ(error_text(two, {invented_roof(Kind::bandwidth, 39.8, 2, "DRAM")}), "");
}

TEST(LarmChart, ErrorsOfOtherRoofsAreNotShown) {
  const Roof mine = invented_roof(Kind::bandwidth, 40, 0, "DRAM");
  for (const auto& change : std::vector<std::function<void(Roof&)>>{
           [](Roof& r) { r.spec.cluster = 1; }, [](Roof& r) { r.spec.node = 1; },
           [](Roof& r) { r.spec.tier = Tier::hbm; }, [](Roof& r) { r.spec.pattern = Pattern::remote; },
           [](Roof& r) { r.spec.level = Level::cache(1); },
           [](Roof& r) { r.spec.op = gable::model::operations::store; },
           [](Roof& r) { r.spec.threads = 8; }}) {
    Roof another = mine;
    change(another);
    EXPECT_EQ(error_text({validation(mine, 1, 0.5)}, {another}), "");
  }
  gable::model::Validation without = validation(mine, 1, 0.5);
  without.rms_percent.reset();
  EXPECT_EQ(error_text({without}, {mine}), "") << "no point was ok";
}

}  // namespace

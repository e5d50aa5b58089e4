// The names of Cases: what distinguishes two questions distinguishes their names.

#include "model/records/names.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "model/records/question.hpp"

namespace gable::model {
namespace {

Case in_memory(Pattern pattern, int node, Tiers tier, const Operation& op) {
  Case spec;
  spec.pattern = pattern;
  spec.node = node;
  spec.tier = tier;
  spec.op = op;
  spec.kernel = op.name() + "_avx2";
  spec.pages = *pages_named("2m");
  spec.threads = 4;
  return spec;
}

Case in_cache(int level) {
  Case spec = in_memory(Pattern::cache, 0, Tier::dram, operations::load);
  spec.level = Level::cache(level);
  return spec;
}

Case peak_case(const Operation& op, Precision precision) {
  Case spec;
  spec.kind = Kind::flops;
  spec.level = Level::core();
  spec.pattern = Pattern::core;
  spec.op = op;
  spec.precision = precision;
  return spec;
}

Case latency(Kind kind, int load_percent) {
  Case spec = in_memory(Pattern::remote, 1, Tier::hbm, operations::chase);
  spec.kind = kind;
  spec.load_percent = load_percent;
  return spec;
}

Case step(std::uint64_t bytes) {
  Case spec = in_memory(Pattern::ladder, 0, Tier::dram, operations::load);
  spec.level = Level::any();
  spec.bytes = bytes;
  return spec;
}

// Every pattern of memory on two nodes of two tiers, caches, a memory-side cache, peaks, latencies and steps.
std::vector<Case> cases() {
  std::vector<Case> all = {in_cache(1), in_cache(2), step(1 << 20), step(1 << 21)};
  for (const PatternRow& pattern : pattern_rows) {
    if (!is_in_memory(pattern.value) || !makes_roof(pattern.value)) continue;
    for (const Operation& op : {operations::load, operations::store}) {
      all.push_back(in_memory(pattern.value, 0, Tier::dram, op));
      all.push_back(in_memory(pattern.value, 1, Tier::hbm, op));
    }
  }
  Case side_cache = in_memory(Pattern::local, 0, Tier::hbm, operations::load);
  side_cache.level = Level("MCDRAM");
  all.push_back(side_cache);
  for (const Precision precision : {Precision::dp, Precision::sp}) {
    for (const Operation& op : {operations::fma, operations::add}) all.push_back(peak_case(op, precision));
  }
  all.push_back(latency(Kind::latency, 0));
  all.push_back(latency(Kind::loaded_latency, 50));
  all.push_back(latency(Kind::loaded_latency, 100));
  return all;
}

TEST(Names, TellEveryTwoQuestionsApart) {
  std::map<std::string, std::string> figures;
  for (const Case& spec : cases()) {
    const auto [known, is_new] = figures.emplace(name_of(spec, Style::figure), key(spec));
    EXPECT_TRUE(is_new) << known->first << ": " << known->second << " and " << key(spec);
  }
}

TEST(Names, AreTheSameForEveryWayToMeasureAQuestion) {
  for (const Case& spec : cases()) {
    Case other = spec;
    other.kernel += "_nt";
    other.pages = *pages_named("1g");
    ++other.threads;
    other.smt = !other.smt;
    if (!is_ladder(spec.pattern)) other.bytes += 64;
    ASSERT_EQ(key(question_of(spec)), key(question_of(other)));
    for (const Style style :
         {Style::place, Style::level, Style::target, Style::what, Style::figure, Style::group})
      EXPECT_EQ(name_of(spec, style), name_of(other, style));
  }
}

TEST(Names, OfEachStyle) {
  const Case remote = in_memory(Pattern::remote, 1, Tier::dram, operations::load);
  EXPECT_EQ(name_of(remote, Style::place), "DRAM node 1");
  EXPECT_EQ(name_of(remote, Style::target), "DRAM node 1, remote");
  EXPECT_EQ(name_of(remote, Style::what), "load");
  EXPECT_EQ(name_of(remote, Style::figure), "cluster 0, DRAM node 1, remote: load");
  EXPECT_EQ(name_of(remote, Style::cell), "cluster 0 DRAM node 1 remote load_avx2, 2 MiB pages");
  EXPECT_EQ(name_of(remote, Style::visit), "DRAM node 1 remote load_avx2 2m, cluster 0");
  EXPECT_EQ(name_of(remote, Style::group), "bandwidth, memory remote");
  EXPECT_EQ(name_of(remote, Style::memory), "DRAM, remote");
  EXPECT_EQ(name_of(remote, Style::roof), "load, DRAM node 1, remote");
  EXPECT_EQ(name_of(remote, Style::limit), "DRAM node 1, remote (load)");
  EXPECT_EQ(name_of(remote, Style::curve), "DRAM node 1, remote, 2 MiB pages");
  EXPECT_EQ(name_of(in_cache(2), Style::memory), "L2");
  EXPECT_EQ(name_of(latency(Kind::latency, 0), Style::roof), "idle latency, HBM node 1, remote");
  EXPECT_EQ(name_of(latency(Kind::loaded_latency, 50), Style::roof),
            "latency at 50 % load, HBM node 1, remote");
  EXPECT_EQ(name_of(peak_case(operations::fma, Precision::dp), Style::roof), "peak FMA DP");
  EXPECT_EQ(name_of(peak_case(operations::fma, Precision::dp), Style::limit), "FMA DP");
  EXPECT_EQ(name_of(peak_case(Operation("fma_scalar"), Precision::sp), Style::roof), "peak scalar FMA SP");
  EXPECT_EQ(name_of(peak_case(Operation("sqrt"), Precision::dp), Style::roof), "peak SQRT DP");
  const Case all = in_memory(Pattern::congested, -1, *tiers_named("DRAM+HBM"), operations::load);
  EXPECT_EQ(name_of(all, Style::place), "DRAM+HBM");
  EXPECT_EQ(name_of(all, Style::target), "DRAM+HBM all nodes, congested");
  EXPECT_EQ(name_of(peak_case(operations::fma, Precision::sp), Style::target), "FMA SP");
  EXPECT_EQ(name_of(peak_case(operations::fma, Precision::dp), Style::figure), "cluster 0: peak FMA DP");
  EXPECT_EQ(name_of(latency(Kind::loaded_latency, 50), Style::what), "latency at 50 % load");
  EXPECT_EQ(name_of(step(1 << 20), Style::figure), "cluster 0, working set of 1 MiB: load");
}

// A curve has one name, whatever is plotted along it, and another one in other pages or with all threads.
TEST(Names, OfCurvesLeaveOutWhatVariesAlongThem) {
  EXPECT_EQ(name_of(step(1 << 20), Style::curve), "load_avx2, 2 MiB pages");
  EXPECT_EQ(name_of(step(1 << 20), Style::curve), name_of(step(1 << 21), Style::curve));
  EXPECT_EQ(name_of(latency(Kind::loaded_latency, 50), Style::curve),
            name_of(latency(Kind::loaded_latency, 100), Style::curve));
  Case other = step(1 << 20);
  other.pages = *pages_named("1g");
  EXPECT_EQ(name_of(other, Style::curve), "load_avx2, 1 GiB pages");
  other.smt = true;
  EXPECT_EQ(name_of(other, Style::curve), "load_avx2, 1 GiB pages, all hardware threads");
}

TEST(Names, OfStoresInEachWay) {
  TierCase spec;
  spec.what = "store";
  spec.order = "random";
  spec.access_bytes = 256;
  const std::pair<const char*, const char*> names[] = {{"store", "random stores of 256 B"},
                                                       {"clwb", "random stores and clwb of 256 B"},
                                                       {"nt", "random NT stores of 256 B"}};
  for (const auto& [way, name] : names) {
    spec.way = way;
    EXPECT_EQ(name_of(spec), name);
  }
  spec.what = "load";
  EXPECT_EQ(name_of(spec), "random loads of 256 B");
  spec.access_bytes = 0;
  EXPECT_EQ(name_of(spec), "loads");
  spec.what = "copy";
  EXPECT_EQ(name_of(spec), "STREAM copy, NT stores");
  spec.way = "store";
  EXPECT_EQ(name_of(spec), "STREAM copy");
}

// Each measurement has words and, if it has figures, a unit; one of a later version keeps its own word.
TEST(Names, OfWhatVirtualizationCosts) {
  for (const VirtMeasure& measure : virt_measures) {
    VirtCase spec;
    spec.kind = measure.kind;
    spec.what = measure.what;
    EXPECT_TRUE(name_of(spec).starts_with(measure.words));
    spec.pages = VirtPages::small;
    EXPECT_EQ(name_of(spec).ends_with(", 4 KiB pages"), measure.tells_pages) << name_of(spec);
  }
  VirtCase gups;
  gups.kind = VirtKind::program;
  gups.what = "gups";
  gups.pages = VirtPages::transparent;
  gups.bytes = 256 << 20;
  EXPECT_EQ(name_of(gups), "GUPS, table of 256 MiB, transparent huge pages");
  VirtCase later;
  later.kind = VirtKind::map;
  later.what = "remap";
  EXPECT_EQ(name_of(later), "remap");
  EXPECT_EQ(measure_of(later).unit, "µs");
}

}  // namespace
}  // namespace gable::model

// `--only`: the part of the plan that it keeps.

#include "bench/plan/filter.hpp"
#include "base/error.hpp"

#include <gtest/gtest.h>

#include <set>

#include "machines.hpp"

namespace {

using namespace gable::bench;
using gable::model::Case;
using gable::model::Kind;
using gable::model::Pattern;

Case l1_load() {
  Case spec;
  spec.kind = Kind::bandwidth;
  spec.level = gable::model::Level::cache(1);
  spec.pattern = Pattern::cache;
  spec.node = 0;
  spec.tier = gable::model::Tier::dram;
  spec.op = gable::model::operations::load;
  spec.kernel = "load_avx2";
  spec.pages = *gable::model::pages_named("4k");
  return spec;
}

TEST(Filter, AllTermsOfOneFilterMustHold) {
  const Case spec = l1_load();
  for (const char* filter :
       {"L1", "load", "op=load", "load_avx2", "level=L1,op=load", "cluster=0,node=0,4k"}) {
    EXPECT_TRUE(wanted(spec, {filter})) << filter;
  }
  for (const char* filter : {"L2", "L1,store", "cluster=1", "node=1", "op=L1", "0", "level=L1,op=store"}) {
    EXPECT_FALSE(wanted(spec, {filter})) << filter;
  }
}

TEST(Filter, OneOfSeveralFiltersIsEnough) {
  EXPECT_TRUE(wanted(l1_load(), {"L2", "L1"}));
  EXPECT_TRUE(wanted(l1_load(), {}));
  EXPECT_FALSE(wanted(l1_load(), {"L2", "L3,load"}));
}

TEST(Filter, AFieldThatTheCaseLacksIsNotFoundByABareWord) {
  Case spec = l1_load();
  ASSERT_TRUE(spec.precision == gable::model::Precision::none);
  EXPECT_THROW(check_filters({","}), gable::Error);
  EXPECT_TRUE(wanted(spec, {"precision="}));
}

TEST(Filter, KeepsExactlyWhatItSays) {
  const auto machine = tests::sockets(2, 4);
  std::set<std::string> kept;
  for (const auto& run : make_plan(machine, {}, tests::options_of("quick", {"op=load,level=L1"})).runs) {
    for (const Case& spec : run.cases) {
      EXPECT_EQ(spec.op.name(), "load");
      EXPECT_EQ(spec.level.name(), "L1");
      kept.insert(key(spec));
    }
  }
  std::size_t expected = 0;
  for (const auto& run : make_plan(machine, {}, tests::options_of("quick")).runs) {
    for (const Case& spec : run.cases)
      expected += spec.op == gable::model::operations::load && is_first_cache(spec.level);
  }
  EXPECT_EQ(kept.size(), expected);
}

// All clusters of a contended run compete, so the whole run is kept if one of its cells matches.
TEST(Filter, KeepsWholeRuns) {
  const auto plan =
      make_plan(tests::sockets(2, 4), {}, tests::options_of("quick", {"contended,cluster=1,load"}));
  for (const auto& run : plan.runs) EXPECT_EQ(run.cases.size(), 2u);
}

}  // namespace

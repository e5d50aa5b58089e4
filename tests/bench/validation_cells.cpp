// The cells that validate the roofs: every intensity under every roof.

#include "bench/plan/validation_cells.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "kernels/kernel.hpp"
#include "machines.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::options_of;
using gable::bench::tests::sockets;
using gable::model::Case;
using gable::model::Kind;
using gable::model::Pattern;

using Place = std::tuple<int, gable::model::Level, Pattern, int, gable::model::Tiers, int>;

std::map<Place, std::set<double>> cells(const Plan& plan, Kind kind) {
  std::map<Place, std::set<double>> found;
  for (const auto& run : plan.runs) {
    for (const Case& spec : run.cases) {
      if (spec.kind != kind || !run.skip.empty() || spec.pattern == Pattern::hybrid) continue;
      if (kind == Kind::bandwidth && (spec.op != gable::model::operations::load || is_ladder(spec.pattern)))
        continue;
      found[{spec.cluster, spec.level, spec.pattern, spec.node, spec.tier, spec.threads}].insert(
          spec.flop_per_byte);
    }
  }
  return found;
}

Options options_for(const char* preset) {
  Options options = options_of(preset);
  options.isa = "avx2";
  return options;
}

TEST(ValidationCells, EveryLoadRoofHasItsPointsInFull) {
  if (!gable::kernels::runs(*gable::kernels::find("load_fma1", "avx2"))) GTEST_SKIP() << "no FMA here";
  const Plan plan = make_plan(sockets(2, 4), {}, options_for("full"));
  const auto points = cells(plan, Kind::validation), roofs = cells(plan, Kind::bandwidth);
  ASSERT_EQ(points.size(), roofs.size());
  for (const auto& [place, intensities] : points) {
    EXPECT_TRUE(roofs.contains(place)) << std::get<1>(place).name() << " " << name_of(std::get<2>(place));
    ASSERT_EQ(intensities.size(), 12u);
    EXPECT_EQ(*intensities.begin(), 0.25);
    EXPECT_EQ(*intensities.rbegin(), 16);
  }
}

TEST(ValidationCells, CachesAndLocalMemoryInStandardAndNoneInQuick) {
  if (!gable::kernels::runs(*gable::kernels::find("load_fma1", "avx2"))) GTEST_SKIP() << "no FMA here";
  EXPECT_TRUE(cells(make_plan(sockets(2, 4), {}, options_for("quick")), Kind::validation).empty());
  const auto points = cells(make_plan(sockets(2, 4), {}, options_for("standard")), Kind::validation);
  EXPECT_EQ(points.size(), 2u * 4u);
  for (const auto& [place, intensities] : points) {
    EXPECT_TRUE(is_own(std::get<2>(place)));
  }
}

TEST(ValidationCells, AnIsaWithoutFmaHasNone) {
  Options options = options_of("full");
  options.isa = "sse2";
  EXPECT_TRUE(cells(make_plan(sockets(2, 4), {}, options), Kind::validation).empty());
}

}  // namespace

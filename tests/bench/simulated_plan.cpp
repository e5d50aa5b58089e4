// The plan against the exhaustive one on a simulated machine whose nodes are deliberately not alike: no roof
// differs, and what is left out is like its representative.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "bench/visit/campaign.hpp"
#include "machines.hpp"
#include "model/roofs/roofs.hpp"
#include "model/statistics/statistics.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::options_of;
using gable::bench::tests::sockets;
using gable::model::Case;
using gable::model::Kind;
using gable::model::Pattern;
using gable::model::Roof;
using gable::model::Sample;
using gable::model::Status;

constexpr int nodes = 4;

// GB/s, GFlop/s, or accesses per ns. The topology does not say that node 2 is slow, that cluster 3 reaches
// node 1 at 80 % and stores there slowly (`pair`), and that the peaks are lower while all clusters compute.
double truth(const Case& spec, std::size_t clusters, bool pair) {
  const bool wide = spec.kernel.ends_with("_avx512") || spec.kernel.ends_with("_x86");
  double rate = is_memory(spec.level) ? 20 : is_peak(spec.kind) ? 1000 : 100;
  if (!is_memory(spec.level) && !wide) rate *= 0.8;
  if (spec.pages == *gable::model::pages_named("4k")) rate *= 0.9;
  if (!is_memory(spec.level)) return is_peak(spec.kind) && clusters > 1 ? 0.95 * rate : rate;
  const double second = spec.other_node == 2 ? 0.5 : 1;
  const double share = spec.other_node < 0 ? 1 : spec.node_percent / 100.0;
  rate *= share * (spec.node == 2 ? 0.5 : 1) + (1 - share) * second;
  if (pair && spec.cluster == 3 && spec.node == 1)
    rate *= without_way(spec.op) == gable::model::operations::store ? 0.6 : 0.8;
  return spec.node != spec.cluster && spec.other_node < 0 ? 0.5 * rate : rate;
}

std::vector<Sample> visit(const Run& run, int round, bool pair) {
  std::vector<Sample> samples;
  for (const Case& spec : run.cases) {
    Sample& sample = samples.emplace_back();
    sample.spec = spec;
    sample.round = round;
    if (!run.skip.empty()) {
      sample.status = Status::skipped;
      sample.reason = run.skip;
      continue;
    }
    std::size_t noise = std::hash<std::string>{}(key(spec)) + static_cast<std::size_t>(round) * 7919;
    const double drift = 1 + 0.001 * static_cast<double>(noise % 1000) / 1000;
    for (int i = 0; i < 10; ++i) {
      noise = noise * 6364136223846793005u + 1442695040888963407u;
      sample.seconds.push_back(1e-3);
      sample.work.push_back(1e6 * truth(spec, run.cases.size(), pair) * drift *
                            (1 + 0.001 * static_cast<double>(noise >> 54) / 1024));
    }
    sample.clock_ghz = 3;
  }
  return samples;
}

struct Measured {
  Plan plan;
  std::vector<Sample> samples;
  double seconds = 0;  // of visiting
  std::map<std::string, Roof> cells, figures;
};

std::string question(Case spec) {
  spec.pages = {};
  spec.kernel.clear();
  spec.bytes = 0;
  return key(spec);
}

Measured measured(bool exhaustive, int count = nodes, const std::vector<std::string>& only = {}) {
  const auto machine = sockets(count, 2);
  Options options = options_of("standard", only);
  options.exhaustive = exhaustive;
  Measured out;
  out.plan = make_plan(machine, {}, options);
  const std::atomic<bool> stop{false};
  const Hooks hooks = {[&](const Sample& sample) { out.samples.push_back(sample); }, [](const Progress&) {},
                       gable::model::relative_half_width,
                       [&](const Run& run, int round) {
                         out.seconds += run.visit_seconds;
                         return visit(run, round, count == nodes);
                       }};
  run_campaign(machine, {}, out.plan, options, {}, hooks, stop);
  for (const Roof& roof : gable::model::fit_roofs(out.samples)) {
    out.cells[key(roof.spec)] = roof;
    if (roof.status != Status::ok) continue;
    Roof& best = out.figures.try_emplace(question(roof.spec), roof).first->second;
    if (roof.unit == "ns" ? roof.value < best.value : roof.value > best.value) best = roof;
  }
  return out;
}

// The Case of the representative that a left-out Case is said to be like.
Case representative(Case spec, const std::string& reason) {
  const std::size_t at = reason.find("like ");
  const char* words = at == reason.npos ? "" : reason.c_str() + at;
  if (std::sscanf(words, "like cluster %d, node %d and %d", &spec.cluster, &spec.node, &spec.other_node) >= 2)
    return spec;
  EXPECT_EQ(std::sscanf(words, "like node %d", &spec.node), 1) << key(spec) << ": " << reason;
  return spec;
}

// The figures of every Case of the exhaustive plan, which for a left-out one are its representative's.
void expect_same_figures(const Measured& few, const Measured& all) {
  std::map<std::string, std::string> like;  // questions that only left-out cells ask
  for (const auto& [name, roof] : few.cells) {
    const bool left_out = roof.status == Status::skipped && roof.spec.node >= 0 &&
                          sentence(roof.reason).find(" has no ") == std::string::npos;
    if (left_out && !few.figures.contains(question(roof.spec)))
      like[question(roof.spec)] = question(representative(roof.spec, sentence(roof.reason)));
  }
  for (const auto& [name, full] : all.figures) {
    ASSERT_TRUE(few.figures.contains(name) || like.contains(name)) << name;
    const Roof& roof = few.figures.at(few.figures.contains(name) ? name : like.at(name));
    EXPECT_LE(roof.lo, full.hi * 1.002) << name << " as " << key(roof.spec);  // the drift between visits
    EXPECT_GE(roof.hi * 1.002, full.lo) << name << " as " << key(roof.spec);
  }
}

class SimulatedPlan : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    all_ = new Measured(measured(true));
    few_ = new Measured(measured(false));
  }
  static void TearDownTestSuite() {
    delete all_;
    delete few_;
  }
  static inline const Measured *all_ = nullptr, *few_ = nullptr;
};

// A cell that is left out counts as its representative, so a wrong representative is outside, too.
TEST_F(SimulatedPlan, NoRoofIsOutsideTheIntervalOfTheExhaustivePlan) {
  EXPECT_GT(all_->figures.size(), 1000u);
  expect_same_figures(*few_, *all_);
  EXPECT_LT(few_->seconds, 0.6 * all_->seconds);
}

// The figure of each cell that is left out, for every kernel and page size, is within 2.5 % of that of the
// same cell of its representative.
TEST_F(SimulatedPlan, WhatIsLeftOutIsLikeItsRepresentative) {
  int left_out = 0, needed = 0;
  for (const auto& run : few_->plan.runs) {
    if (!run.reserve) continue;
    const Case& spec = run.cases.front();
    const Roof& roof = few_->cells.at(key(spec));
    needed += roof.status == Status::ok;
    if (roof.status == Status::ok) continue;
    ++left_out;
    EXPECT_EQ(roof.status, Status::skipped);
    const Roof& same = all_->cells.at(key(representative(spec, sentence(roof.reason))));
    EXPECT_NEAR(all_->cells.at(key(spec)).value / same.value, 1, 0.025)
        << key(spec) << " " << sentence(roof.reason);
  }
  EXPECT_GT(left_out, 100);
  EXPECT_GT(needed, 100);  // node 2, and cluster 3 on node 1
}

// Where there are many pairs, some have no spots: they are left out unless those of their cluster or node
// differ.
TEST(ManyPairs, WithoutSpotsAreLikeThoseOfTheirClusterAndNode) {
  constexpr int count = 24;
  constexpr std::size_t least = 15;
  const std::vector<std::string> only = {"pattern=remote,op=load"};
  const Measured few = measured(false, count, only), all = measured(true, count, only);
  expect_same_figures(few, all);
  std::map<int, std::set<int>> of_cluster, of_node;  // whatever the kernel
  int without = 0;
  for (const auto& [name, roof] : few.cells) {
    if (roof.status == Status::ok) {
      of_cluster[roof.spec.cluster].insert(roof.spec.node);
      of_node[roof.spec.node].insert(roof.spec.cluster);
    } else {
      EXPECT_TRUE(sentence(roof.reason).starts_with("not measured; like cluster 0, node "))
          << sentence(roof.reason);
      ++without;
    }
  }
  EXPECT_GT(without, 0);
  for (int i = 0; i < count; ++i) EXPECT_GE(std::min(of_cluster[i].size(), of_node[i].size()), least) << i;
  EXPECT_EQ(of_node[2].size(), count - 1) << "its memory is slow";
}

// Peaks fall by 5 % while all clusters compute, so they are those of a cluster alone; caches are measured at
// once.
TEST_F(SimulatedPlan, WhatDiffersAtOnceIsMeasuredAlone) {
  for (const Sample& sample : few_->samples) {
    const bool noted = has(sample.notes, gable::model::NoteCode::at_once);
    const bool cached = sample.spec.pattern == Pattern::cache && !is_non_temporal(sample.spec.op);
    if (sample.status != Status::ok || (!is_peak(sample.spec.kind) && !cached)) continue;
    EXPECT_EQ(noted, cached) << key(sample.spec);
  }
}

// A variant that is 10 % slower has two visits; the time goes to further rounds, within the plan's time.
TEST_F(SimulatedPlan, SlowVariantsAreDroppedAfterTwoRounds) {
  std::map<std::string, std::set<int>> rounds;
  for (const Sample& sample : few_->samples) {
    if (sample.status == Status::ok) rounds[key(sample.spec)].insert(sample.round);
  }
  int dropped = 0;
  for (const auto& [name, seen] : rounds) {
    const Case& spec = few_->cells.at(name).spec;
    if (spec.pattern == Pattern::cache && spec.kind == Kind::bandwidth &&
        spec.op == gable::model::operations::load && spec.pages == *gable::model::pages_named("4k")) {
      EXPECT_EQ(seen, (std::set<int>{0, 1})) << name;
      ++dropped;
    }
  }
  EXPECT_GT(dropped, 0);
  const Measured& few = *few_;
  double planned = 0;
  for (const OpenVisit& visit : open_visits(few.plan, {})) planned += visit.run->visit_seconds;
  EXPECT_GT(few.seconds, 0.5 * planned);
}

TEST_F(SimulatedPlan, NothingIsLeftToDoAfterwards) {
  Done done;
  for (const Sample& sample : few_->samples) {
    if (sample.status == Status::ok) done[{key(sample.spec), sample.round}] = visit_rate(sample);
  }
  std::vector<OpenVisit> left = open_visits(few_->plan, done);
  std::erase_if(left, [](const OpenVisit& visit) { return !visit.run->skip.empty(); });
  EXPECT_TRUE(left.empty()) << left.size();
}

TEST(PlanTimes, AreMinutes) {
  const auto seconds = [](int count, const char* preset) {
    const Plan plan = make_plan(sockets(count, 8), {}, options_of(preset));
    EXPECT_LT(plan.set_up_seconds, 0.2 * plan.seconds) << count;
    return plan.seconds;
  };
  std::map<int, double> standard;
  for (const int count : {1, 8, 16, 64}) standard[count] = seconds(count, "standard");
  EXPECT_LT(standard[1], 60);
  EXPECT_LT(standard[8], 300);
  EXPECT_LT(standard[16] / standard[8], std::pow(2, 1.2));
  EXPECT_LT(standard[16] / standard[1], std::pow(16, 1.2));
  EXPECT_LT(standard[64] / standard[16], std::pow(4, 1.2));
  EXPECT_LT(seconds(8, "full"), 3600);
}

}  // namespace

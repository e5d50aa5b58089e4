// What comparisons with one cluster alone decide. The clusters are invented: `like` says of each visit of all
// together whether its rate is that of a cluster alone.

#include <gtest/gtest.h>

#include "bench/visit/at_once_visit.hpp"

namespace {

using namespace gable::bench;
using gable::model::Sample;
using gable::model::Status;

class Clusters {
 public:
  explicit Clusters(std::vector<bool> like) : like_(std::move(like)) {
    run_.at_once = true;
    run_.cases.resize(2);
    run_.shares.resize(2);
    run_.cases[1].cluster = run_.shares[1].cluster = 1;
  }
  std::vector<Sample> visit() { return at_once_.visit(run_, 0); }
  bool is_at_once() { return !visit().front().notes.empty(); }
  std::size_t together() const { return together_; }

  double clock_alone = 0, clock_together = 0;
  bool disturbed = false;

 private:
  std::vector<Sample> samples(const Run& run) {
    const bool all = run.cases.size() == 2;
    const bool like = !all || together_ >= like_.size() || like_[together_];
    together_ += all ? 1 : 0;
    std::vector<Sample> samples;
    for (const auto& spec : run.cases) {
      Sample& sample = samples.emplace_back();
      sample.spec = spec;
      sample.status = disturbed ? Status::invalid : Status::ok;
      sample.seconds = {1};
      sample.work = {like ? 1000.0 : 900.0};
      sample.clock_ghz = all ? clock_together : clock_alone;
    }
    return samples;
  }

  std::vector<bool> like_;
  Run run_;
  std::size_t together_ = 0;
  AtOnce at_once_{[this](const Run& run, int) { return samples(run); }, true};
};

TEST(AtOnce, TheMedianOfUpToThreeComparisonsDecides) {
  const struct {
    std::vector<bool> like;
    bool at_once;
  } all[] = {
      {{true}, true}, {{false, false}, false}, {{false, true, false}, false}, {{false, true, true}, true}};
  for (const auto& [like, at_once] : all) {
    Clusters clusters(like);
    EXPECT_EQ(clusters.is_at_once(), at_once);
    EXPECT_EQ(clusters.together(), like.size());
    EXPECT_EQ(clusters.is_at_once(), at_once) << "without another comparison";
    EXPECT_EQ(clusters.together(), like.size() + (at_once ? 1 : 0));
  }
}

TEST(AtOnce, ALowerClockIsADifferenceToo) {
  Clusters clusters({});
  clusters.clock_alone = 3.0;
  clusters.clock_together = 2.9;
  EXPECT_FALSE(clusters.is_at_once());
}

TEST(AtOnce, ADisturbedVisitDecidesNothing) {
  Clusters clusters({true, true});
  clusters.disturbed = true;
  const std::vector<Sample> samples = clusters.visit();
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[1].spec.cluster, 1);
  clusters.disturbed = false;
  EXPECT_TRUE(clusters.is_at_once());
}

}  // namespace

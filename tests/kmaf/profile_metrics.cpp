// The metrics of profiles, worked out by hand.

#include "kmaf/traces/profile_metrics.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace gable::kmaf {
namespace {

// Thread 0 uses pages 0 to 2; page 3 is used by both, three times as often by thread 1.
model::Profile two_threads() {
  model::Profile profile;
  profile.threads = 2;
  profile.objects.resize(2);
  profile.objects[0].kind = gable::model::ObjectKind::heap;
  profile.objects[1].kind = gable::model::ObjectKind::stack;
  profile.accesses = {{0, 0, 10, 6, 0, 0}, {0, 1, 100, 100, 0, 0}, {0, -1, 1, 1, 0, 0}};
  profile.pages = {{0, 3, {{0, 6, 3}}}, {3, 1, {{0, 1, 0}, {1, 2, 1}}}};
  profile.shared = {{0, 5}, {7, 0}};
  return profile;
}

TEST(ProfileMetrics, AreThoseOfItsPagesAndLines) {
  const AffinityFigures figures = figures_of(two_threads(), {0, 1});
  EXPECT_EQ(figures.threads, 2);
  EXPECT_EQ(figures.accesses, 18) << "without stacks";
  EXPECT_EQ(figures.matrix, (SharingMatrix{{0, 12}, {12, 0}}));
  EXPECT_NEAR(figures.small.exclusivity, (9 + 3) / 13.0, 1e-12);
  EXPECT_NEAR(figures.large.exclusivity, 10 / 13.0, 1e-12) << "all lie in one page of 2 MiB";
  EXPECT_EQ(figures.small.groups[10].pages, 3);
  EXPECT_EQ(figures.small.groups[8].pages, 1) << "75 % rounds to 80 %";
  EXPECT_EQ(figures.matrix_error, 0);
  EXPECT_EQ(figures.exclusivity_error, 0);
  EXPECT_EQ(figures_of(two_threads(), {0, 0}).small.exclusivity, 1);
  EXPECT_EQ(figures_of(two_threads(), {}).matrix, figures.matrix);
}

TEST(ProfileMetrics, HaveAnErrorIfAPartIsFollowed) {
  model::Profile profile = two_threads();
  profile.lines_followed = profile.pages_followed = 0.25;
  profile.shared_lines = 400;
  const AffinityFigures figures = figures_of(profile, {0, 1});
  EXPECT_NEAR(figures.matrix_error, 0.05, 1e-12);
  EXPECT_GT(figures.exclusivity_error, 0.05);
  EXPECT_LT(figures.exclusivity_error, 0.15);
  EXPECT_EQ(figures.small.groups[10].pages, 12);
}

TEST(ProfileMetrics, AreRefusedWhereTheyAreNotKnown) {
  model::Profile profile = two_threads();
  profile.processes = 2;
  EXPECT_THROW(figures_of(profile, {}), Error);
  profile.processes = 1;
  profile.shared.clear();
  EXPECT_THROW(figures_of(profile, {}), Error);
}

}  // namespace
}  // namespace gable::kmaf

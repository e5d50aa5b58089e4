// The last line of a measurement says what disturbed it.

#include "cli/measure/progress.hpp"

#include <gtest/gtest.h>

namespace {

using gable::cli::Disturbances;
using gable::model::Note;
using gable::model::NoteCode;
using gable::model::Sample;
using gable::model::Status;

Sample seen(double adds_per_cycle, std::size_t kept, int crowded, int cluster = 0) {
  Sample sample;
  sample.spec.cluster = cluster;
  sample.seconds.assign(kept, 5e-4);
  sample.crowded = crowded;
  sample.adds_per_cycle = adds_per_cycle;
  return sample;
}

Sample invalid(const Note& reason) {
  Sample sample;
  sample.status = Status::invalid;
  sample.reason = reason;
  return sample;
}

TEST(Disturbances, NothingIsSaidOfAQuietMachine) {
  Disturbances found;
  for (int i = 0; i < 20; ++i) found.add(seen(4, 60, 1));
  for (int i = 0; i < 20; ++i) found.add(seen(2, 60, 1, 1));  // slower cores
  found.add(seen(0, 60, 0));                                  // not probed
  EXPECT_EQ(found.words("DIR"), "");
}

TEST(Disturbances, DroppedAndKeptCrowdedRepetitionsCount) {
  Disturbances found;
  found.add(seen(4, 70, 10));
  found.add(seen(2.5, 20, 0));  // too few others were left
  EXPECT_EQ(found.words("DIR"), ", other hardware threads used the cores in 30 % of the time");
}

TEST(Disturbances, TheMostFrequentReasonIsNamed) {
  Disturbances found;
  found.add(invalid({NoteCode::others_busy, {0.5}}));
  EXPECT_EQ(found.words("DIR"), ", 1 invalid (other processes kept 0.5 CPUs busy)");
  found.add(invalid({NoteCode::others_busy, {1.2}}));
  found.add(invalid({NoteCode::thread_moved, {3.0, 5.0}}));
  EXPECT_EQ(
      found.words("my dir"),
      ", 3 invalid (2 of them: other processes kept 0.5 to 1.2 CPUs busy; `gable fit 'my dir'` shows all "
      "reasons)");
}

}  // namespace

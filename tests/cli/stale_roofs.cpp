#include <gtest/gtest.h>

#include "cli/point/run/run.hpp"

namespace gable::cli {
namespace {

model::Roof roof(double lo, double value, double hi) {
  model::Roof roof;
  roof.value = value;
  roof.lo = lo;
  roof.hi = hi;
  return roof;
}

TEST(StaleRoofs, ARoofHasChangedIfItsIntervalLeftTheOldOne) {
  const model::Roof before = roof(41.7, 45.6, 47.5);
  EXPECT_TRUE(has_changed(before, roof(50.9, 51.4, 51.9)));
  EXPECT_TRUE(has_changed(before, roof(30.1, 30.4, 31.0)));
  EXPECT_FALSE(has_changed(before, roof(45.0, 46.0, 47.0)));
  EXPECT_FALSE(has_changed(before, roof(47.0, 48.5, 49.0))) << "the intervals meet";
  EXPECT_FALSE(has_changed(roof(45.5, 45.6, 45.7), roof(47.0, 47.1, 47.2))) << "by 3 %";
}

TEST(StaleRoofs, AFigureThatIsNotSteadyTellsNothing) {
  EXPECT_FALSE(has_changed(roof(200.8, 201.6, 202.1), roof(101.2, 101.4, 165.3)));
  EXPECT_TRUE(has_changed(roof(200.8, 201.6, 202.1), roof(20.1, 25.0, 31.0)))
      << "wherever it is in its interval";
}

}  // namespace
}  // namespace gable::cli

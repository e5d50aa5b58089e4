// Reasons that differ in their numbers are told once.

#include "cli/text/reason.hpp"

#include <gtest/gtest.h>

namespace {

using gable::cli::Reason;

std::string merged(const std::vector<std::string>& reasons) {
  Reason reason;
  for (const std::string& each : reasons) {
    EXPECT_EQ(Reason::pattern(each), Reason::pattern(reasons.front()));
    reason.add(each);
  }
  return reason.text();
}

TEST(Reason, AmountsBecomeARange) {
  EXPECT_EQ(
      merged({"2 of 10 stalled (steal 9 %)", "10 of 10 stalled (steal 11 %)", "3 of 10 stalled (steal 9 %)"}),
      "2 to 10 of 10 stalled (steal 9 to 11 %)");
  EXPECT_EQ(merged({"a neighbour kept 1.9 CPUs busy", "a neighbour kept 0.4 CPUs busy"}),
            "a neighbour kept 0.4 to 1.9 CPUs busy");
}

TEST(Reason, NumbersOfClustersNodesAndCpusAreListed) {
  EXPECT_EQ(merged({"B has no HBM in cluster 1", "B has no HBM in cluster 0", "B has no HBM in cluster 1"}),
            "B has no HBM in cluster 0 or 1");
  EXPECT_EQ(merged({"node 0 holds 3 of 8 MiB", "node 12 holds 5 of 8 MiB", "node 3 holds 4 of 8 MiB"}),
            "node 0, 3 or 12 holds 3 to 5 of 8 MiB");
  EXPECT_EQ(
      merged({"cannot run on CPU 9", "cannot run on CPU 10", "cannot run on CPU 11", "cannot run on CPU 2"}),
      "cannot run on CPU 2 or 9-11");
  EXPECT_EQ(merged({"steal on hypernode 1", "steal on hypernode 2"}), "steal on hypernode 1 to 2");
}

}  // namespace

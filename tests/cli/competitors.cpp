// Others that had CPUs while a program ran: processes, and guests of the same hypervisor.

#include "cli/point/run/competitors.hpp"

#include <gtest/gtest.h>

namespace gable::cli {
namespace {

constexpr int cpus = 2;

// A program that keeps one of two CPUs busy for `wall` seconds.
Competitors beside_program(double wall, double others, double stolen) {
  bench::CpuTimes before, after;
  before.cpus = after.cpus = cpus;
  after.wall = wall;
  after.own = wall;
  after.busy = wall * (1 + others);
  after.steal = wall * stolen;
  return competitors_between(before, after);
}

TEST(Competitors, ProcessesAndGuestsBothDisturb) {
  EXPECT_FALSE(beside_program(1, 0.1, 0.1).disturbs);
  EXPECT_TRUE(beside_program(1, 0.5, 0).disturbs);
  EXPECT_TRUE(beside_program(1, 0, 0.5).disturbs);
  EXPECT_TRUE(beside_program(1, 0.2, 0.2).disturbs) << "together they have too much";
  EXPECT_FALSE(beside_program(0.1, 0.5, 0.5).disturbs) << "too short to judge";
  const Competitors guests = beside_program(1, 0, 0.5);
  EXPECT_NEAR(guests.stolen, 0.5, 1e-9);
  EXPECT_NEAR(guests.cpus, 0, 1e-9);
}

TEST(Competitors, SeveralRunsAreJudgedByTheirMean) {
  const Competitors quiet = beside_program(3, 0, 0), disturbed = beside_program(1, 0.2, 0.6);
  EXPECT_NEAR(together(quiet, disturbed, cpus).had(), 0.2, 1e-9);
  EXPECT_FALSE(together(quiet, disturbed, cpus).disturbs);
  EXPECT_TRUE(together(disturbed, disturbed, cpus).disturbs);
}

}  // namespace
}  // namespace gable::cli

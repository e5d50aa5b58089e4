// A remark on points whose flops are of the x87 unit.

#include <gtest/gtest.h>

#include "cli/point/measured_point.hpp"

namespace gable::cli {
namespace {

// The critical path of a program does not have them.
TEST(X87, IsToldWhereItMatters) {
  const auto has_note = [](std::uint64_t of_x87, std::uint64_t scalar, double instructions) {
    using points::Flops;
    points::Counts counts;
    counts.total.flops = {{Flops::Operation::add, Flops::Precision::dp, 0, scalar},
                          {Flops::Operation::add, Flops::Precision::x87, 0, of_x87}};
    counts.total.instructions.executed = instructions;
    model::Point point;
    set_flops(point, counts);
    return has(point.notes, model::NoteCode::x87_latencies);
  };
  EXPECT_TRUE(has_note(300'000, 0, 1e6));
  EXPECT_TRUE(has_note(300'000, 500'000, 2e6));
  EXPECT_FALSE(has_note(7, 0, 1e6)) << "the start of any program";
  EXPECT_FALSE(has_note(20'000, 900'000, 1e6));
}

}  // namespace
}  // namespace gable::cli

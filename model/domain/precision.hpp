#pragma once

// The precision of floating-point operations. One row each.

#include <span>

#include "model/domain/table.hpp"

namespace gable::model {

enum class Precision { none, dp, sp, mixed };

struct PrecisionRow {
  Precision value;
  std::string_view name;
  std::string_view words;  ///< on a screen
  int bytes;               ///< of a number; 0: of none, or of several sizes
};
inline constexpr PrecisionRow precision_rows[] = {{Precision::none, "", "", 0},
                                                  {Precision::dp, "dp", "DP", 8},
                                                  {Precision::sp, "sp", "SP", 4},
                                                  {Precision::mixed, "mixed", "mixed", 0}};
static_assert(is_in_order(precision_rows));
constexpr std::span<const PrecisionRow> table(Precision) {
  return precision_rows;
}

/// Whether its numbers have one known size.
constexpr bool is_known(Precision precision) {
  return row_of(precision).bytes > 0;
}

}  // namespace gable::model

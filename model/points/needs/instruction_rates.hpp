#pragma once

// The time that a Point's instructions take by their number alone, beside its arithmetic.

#include <optional>
#include <vector>

#include "model/points/limits/limits.hpp"

namespace gable::model {

/// Instructions of one sort, and how many of them its cores execute at most.
struct InstructionRate {
  Limit limit;  ///< 1e9 per second
  double instructions = 0;
};

/// The instructions per second, in 1e9, that compute with integers in the cores that the Point uses: as many
/// as the additions that a core was seen to do. Multiplications, divisions and dependent ones take longer.
/// Nothing if that was not measured.
std::optional<Limit> integer_limit(const Roofs& roofs, const Point& point, int cluster);

/// Integer instructions; loads into vector registers, as many as were measured from L1 with vectors of any
/// width; and iterations of loops, of which a core begins one per cycle, because it takes no more jumps back
/// in a cycle (Fog, "The microarchitecture of Intel, AMD and VIA CPUs"). Those without a measured rate or
/// clock are left out.
std::vector<InstructionRate> instruction_rates(const Roofs& roofs, const Point& point, int cluster);

}  // namespace gable::model

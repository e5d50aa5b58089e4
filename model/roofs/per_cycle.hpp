#pragma once

// Instructions a cycle of one core, as in tables 1 and 3 of the LARM paper.

#include <optional>
#include <string>

#include "model/records/records.hpp"

namespace gable::model {

/// The bytes of the vectors of a kernel ("load_avx2": 32), by its ISA; 0: not known.
int vector_bytes(const std::string& kernel);

/// Vector instructions that one core executed in a cycle: of a peak (FMAs, additions, multiplications), or of
/// loads or stores in L1. Equations 1 and 2 solved for the throughput, with the clock that was measured
/// beside it. Nothing for other roofs, without a clock, and with several hardware threads of a core.
std::optional<double> instructions_per_cycle(const Roof& roof);

}  // namespace gable::model

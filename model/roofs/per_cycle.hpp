#pragma once

// Figures of one core that follow from roofs: instructions a cycle, as in tables 1 and 3 of the LARM paper,
// and the cost of a mispredicted branch.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/roofs/roofs.hpp"

namespace gable::model {

/// The bytes of the vectors of a kernel ("load_avx2": 32), by its ISA; 0: not known.
int vector_bytes(const std::string& kernel);

/// The clock in GHz beside the first roof of the cluster that has one, otherwise as it was published; 0: not
/// known.
double cluster_clock(const Roofs& roofs, int cluster);

/// Vector instructions that one core executed in a cycle: of a peak (FMAs, additions, multiplications), or of
/// loads or stores in L1. Equations 1 and 2 solved for the throughput, with the clock that was measured
/// beside it. Nothing for other roofs, without a clock, and with several hardware threads of a core.
std::optional<double> instructions_per_cycle(const Roof& roof);

/// The ok roof of an operation in registers on a core of the cluster; nullptr if it was not measured.
const Roof* core_roof(const std::vector<Roof>& roofs, Kind kind, int cluster, std::string_view op);

/// What `whole` takes longer than `part`, which is brought to its clock if both are known; 0 if that is less.
/// The interval contains those of both.
Roof difference_at_one_clock(const Roof& whole, const Roof& part);

/// Nanoseconds that a core of the cluster loses by a mispredicted branch, with the interval, as a Roof with
/// the clock at which it was measured. Half of the branches with random outcomes are mispredicted, and none
/// of the others, so the cost is twice the difference of their times at the same clock. Its interval contains
/// the intervals of both. Nothing if one of them was not measured.
std::optional<Roof> mispredicted_branch(const std::vector<Roof>& roofs, int cluster);

}  // namespace gable::model

#pragma once

// What is measured between cores, round by round, and then what the rounds have shown: disturbed visits are
// repeated, and pairs that differ from their class are measured in full.

#include <atomic>
#include <functional>
#include <vector>

#include "bench/c2c/c2c_cells.hpp"
#include "bench/visit/rounds.hpp"

namespace gable::bench {

using C2cProgress = RoundProgress<model::C2cSample>;
using C2cHooks = RoundHooks<model::C2cSample>;

/// The hand-offs, among these visits, of pairs that differ from their class, those that differ most first.
using C2cDiffering = std::function<std::vector<model::C2cCase>(const std::vector<model::C2cSample>&)>;

/// Makes one visit that measures for so many seconds.
using C2cVisit = std::function<model::C2cSample(const model::C2cCase&, int round, double seconds)>;

/// At most so many pairs of a machine are measured in full because they differ from their class; the figures
/// of the others are those of their spot checks.
inline constexpr std::size_t most_differing_pairs = 32;

/// The visits that `recorded` lacks.
VisitsLeft left_of(const C2cPlan& plan, const std::vector<model::C2cSample>& recorded);

/// Visits the cells of the plan. A pair that differs is visited twice more, and measured in full if it still
/// does. Returns whether everything was visited.
bool run_c2c(const C2cPlan& plan, double budget, std::vector<model::C2cSample> recorded,
             const C2cHooks& hooks, const C2cDiffering& differing, const C2cVisit& visit,
             const std::atomic<bool>& stop);

}  // namespace gable::bench

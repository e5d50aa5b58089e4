#include "model/points/needs/stalls/window.hpp"

#include <algorithm>

#include "model/points/needs/stalls/waited.hpp"
#include "model/roofs/window.hpp"

namespace gable::model {
namespace {

double waits_of(double loads, const Instructions& instructions, double window) {
  return std::min(loads, instructions.executed / window);
}

double chains_of(const Instructions& counts, double window) {
  if (counts.chain_steps <= 0 || counts.chained_loads <= counts.chain_steps) return 1;
  const double predicted = counts.executed / std::max(1.0, counts.mispredicted);
  const double more = (counts.chained_loads / counts.chain_steps - 1) *
                      std::min({1.0, window / window_of_path, predicted / window_of_path});
  return std::min(1 + more, most_at_once);
}

}  // namespace

Window window_of(const Roofs& roofs, int cluster) {
  constexpr Window of_servers{128, 224, 512, false};
  const auto measured = instruction_window(roofs.roofs, cluster);
  return measured ? Window{measured->lo, measured->value, measured->hi, true} : of_servers;
}

double lines_waited_for(const Point& point, std::size_t level, double window) {
  const double all = served_by(point.levels, level, irregular_loads_of).lines;
  double of_functions = 0, waits = 0;
  for (const FunctionWork& function : point.functions) {
    const double loads = served_by(function.levels, level, irregular_loads_of).lines;
    of_functions += loads;
    waits += waits_of(loads, function.instructions, window);
  }
  if (2 * of_functions < all) return waits_of(all, point.instructions, window);
  return of_functions > 0 ? waits * all / of_functions : 0;
}

double chains_side_by_side(const Point& point, double window) {
  if (point.levels.empty()) return 1;
  double of_functions = 0, one_by_one = 0;
  for (const FunctionWork& function : point.functions) {
    if (function.levels.empty()) continue;
    of_functions += function.levels.front().chained;
    one_by_one += function.levels.front().chained / chains_of(function.instructions, window);
  }
  if (2 * of_functions <= point.levels.front().chained) return chains_of(point.instructions, window);
  return of_functions / one_by_one;
}

}  // namespace gable::model

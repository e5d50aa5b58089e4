#include "model/points/needs/stalls/window.hpp"

#include <algorithm>

#include "model/points/needs/stalls/waited.hpp"
#include "model/roofs/window.hpp"

namespace gable::model {
namespace {

double waits_of(double loads, const Instructions& instructions, double window) {
  return std::min(loads, instructions.executed / window);
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

}  // namespace gable::model

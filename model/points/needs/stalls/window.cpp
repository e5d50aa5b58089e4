#include "model/points/needs/stalls/window.hpp"

#include <algorithm>
#include <vector>

#include "model/records/profile.hpp"
#include "model/roofs/window.hpp"

namespace gable::model {
namespace {

double irregular_loads(const LevelBytes& bytes) {
  return std::max(0.0, bytes.irregular - bytes.irregular_stored) / profile_line_bytes;
}

// Those that the level serves: the next one does not.
double served_loads(const std::vector<LevelBytes>& levels, std::size_t level) {
  if (level >= levels.size()) return 0;
  const double behind = level + 1 < levels.size() ? irregular_loads(levels[level + 1]) : 0;
  return std::max(0.0, irregular_loads(levels[level]) - behind);
}

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
  const double all = served_loads(point.levels, level);
  double of_functions = 0, waits = 0;
  for (const FunctionWork& function : point.functions) {
    const double loads = served_loads(function.levels, level);
    of_functions += loads;
    waits += waits_of(loads, function.instructions, window);
  }
  if (2 * of_functions < all) return waits_of(all, point.instructions, window);
  return of_functions > 0 ? waits * all / of_functions : 0;
}

}  // namespace gable::model

#include "model/points/needs/stalls/window.hpp"

#include <algorithm>

#include "model/points/needs/stalls/waited.hpp"
#include "model/roofs/window.hpp"

namespace gable::model {
namespace {

// The lines that wait one after the other: `waits` of each function's lines and instructions, and of the
// whole Point if the functions have less than half of its lines.
template <typename LinesOf, typename Waits>
double waits_by_function(const Point& point, LinesOf lines_of, Waits waits) {
  const double all = lines_of(point.levels);
  double of_functions = 0, sum = 0;
  for (const FunctionWork& function : point.functions) {
    const double lines = lines_of(function.levels);
    of_functions += lines;
    sum += waits(lines, function.instructions);
  }
  if (2 * of_functions < all) return waits(all, point.instructions);
  return of_functions > 0 ? sum * all / of_functions : 0;
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
  const auto loads_of = [&](const std::vector<LevelBytes>& levels) {
    return served_by(levels, level, irregular_loads_of).lines;
  };
  return waits_by_function(point, loads_of, [&](double loads, const Instructions& instructions) {
    return std::min(loads, instructions.executed / window);
  });
}

double chains_side_by_side(const Point& point, double window) {
  const auto chained_of_first = [](const std::vector<LevelBytes>& levels) {
    return levels.empty() ? 0.0 : levels.front().chained;
  };
  const double waits =
      waits_by_function(point, chained_of_first, [&](double chained, const Instructions& instructions) {
        return chained / chains_of(instructions, window);
      });
  return waits > 0 ? chained_of_first(point.levels) / waits : 1;
}

}  // namespace gable::model

#include "model/points/needs/stalls/window.hpp"

#include <algorithm>

#include "model/points/needs/stalls/waited.hpp"
#include "model/records/profile.hpp"
#include "model/roofs/window.hpp"

namespace gable::model {
namespace {

// The sum of `waits` of each function's levels and instructions, or that of the whole Point if the functions
// have less than half of its lines.
template <typename LinesOf, typename Waits>
double waits_by_function(const Point& point, LinesOf lines_of, Waits waits) {
  const double all = lines_of(point.levels);
  double of_functions = 0, sum = 0;
  for (const FunctionWork& function : point.functions) {
    of_functions += lines_of(function.levels);
    sum += waits(function.levels, function.instructions);
  }
  if (2 * of_functions < all) return waits(point.levels, point.instructions);
  return of_functions > 0 ? sum * all / of_functions : 0;
}

// Without the instructions near loads, these count as evenly spread over all instructions.
double loads_waited_for(const std::vector<LevelBytes>& levels, std::size_t at, double executed,
                        double window) {
  const double served = served_by(levels, at, irregular_loads_of).lines;
  if (at >= levels.size() || levels[at].near <= 0) return std::min(served, executed / window);
  const auto waits_from = [&](std::size_t level) {
    if (level >= levels.size()) return 0.0;
    const double loads = irregular_loads_of(levels[level]).bytes / profile_line_bytes;
    return std::min(loads, levels[level].near / window);
  };
  return std::clamp(waits_from(at) - waits_from(at + 1), 0.0, served);
}

SpanSums irregular_stores_of(const LevelBytes& level) {
  return {std::min(level.irregular_stored, level.irregular)};
}

double stores_waited_for(const std::vector<LevelBytes>& levels, std::size_t at, double executed,
                         double room) {
  if (room <= 0) return 0;
  const auto waits_from = [&](std::size_t level) {
    if (level >= levels.size()) return 0.0;
    return std::min(irregular_stores_of(levels[level]).bytes / profile_line_bytes, executed / room);
  };
  return std::max(0.0, waits_from(at) - waits_from(at + 1));
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

Window store_window_of(const Roofs& roofs, int cluster) {
  constexpr Window of_servers{42, 72, 112, false};
  const auto measured = store_window(roofs.roofs, cluster);
  return measured ? Window{measured->lo, measured->value, measured->hi, true} : of_servers;
}

double lines_waited_for(const Point& point, std::size_t level, double window, double stores) {
  const WaitedAmountOf waiting = stores > 0 ? irregular_of : irregular_loads_of;
  const auto lines_of = [&](const std::vector<LevelBytes>& levels) {
    return served_by(levels, level, waiting).lines;
  };
  const auto waits = [&](const std::vector<LevelBytes>& levels, const Instructions& instructions) {
    return std::max(loads_waited_for(levels, level, instructions.executed, window),
                    stores_waited_for(levels, level, instructions.stores, stores));
  };
  return waits_by_function(point, lines_of, waits);
}

double chains_side_by_side(const Point& point, double window) {
  const auto chained_of_first = [](const std::vector<LevelBytes>& levels) {
    return levels.empty() ? 0.0 : levels.front().chained;
  };
  const auto waits = [&](const std::vector<LevelBytes>& levels, const Instructions& instructions) {
    return chained_of_first(levels) / chains_of(instructions, window);
  };
  const double waited = waits_by_function(point, chained_of_first, waits);
  return waited > 0 ? chained_of_first(point.levels) / waited : 1;
}

}  // namespace gable::model

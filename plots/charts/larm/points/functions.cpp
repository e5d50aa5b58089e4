// Functions of applications on a roofline chart.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/words.hpp"
#include "model/points/threads.hpp"
#include "plots/charts/larm/points/points.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

namespace {

constexpr double least_share = 0.05;
constexpr std::size_t longest_program = 14;  // characters before the name of a function

// The bytes of the level that the function needs most; of its instructions for arithmetic and chains.
double bytes_of(const model::FunctionWork& work, const std::optional<model::Level>& level) {
  if (level) {
    const auto found = std::ranges::find(work.levels, *level, &model::LevelBytes::level);
    if (found != work.levels.end()) return found->read + found->written;
  }
  return work.load_bytes + work.store_bytes;
}

void add_functions(const Recorded& recorded, const model::Point& point, const model::Reading& reading,
                   bool with_program, ClusterPoints& found) {
  double sum = 0;
  for (const model::FunctionReading& each : reading.functions) sum += each.share;
  for (const model::FunctionReading& each : reading.functions) {
    const double share = each.measured ? each.measured->time.value : sum > 0 ? each.share / sum : 0;
    if (share < least_share) continue;
    const model::FunctionWork& work = point.functions.at(each.function);
    const double bytes = bytes_of(work, each.level);
    PlacedPoint placed;
    const std::string function = work.function.empty() ? "(no symbol)" : work.function;
    placed.name = point.name + ": " + function;
    placed.short_name = with_program ? shortened(point.name, longest_program) + ": " + function : function;
    if (recorded.hides(placed.name)) continue;
    placed.share = share;
    placed.flop_per_byte = work.flops / bytes;
    const double wall = each.measured ? each.measured->wall.value : share;
    const double seconds = wall * point.seconds;
    placed.gflop_per_s = model::cluster_share(recorded.roofs, point) * work.flops / seconds / 1e9;
    if (work.flops <= 0 || !std::isfinite(placed.flop_per_byte) || !std::isfinite(placed.gflop_per_s)) {
      ++found.without_place;
      continue;
    }
    placed.lo = placed.hi = placed.gflop_per_s;
    if (each.measured && each.measured->time.lo > 0) {
      placed.lo = placed.gflop_per_s * wall / each.measured->wall.hi;
      placed.hi = placed.gflop_per_s * wall / each.measured->wall.lo;
    }
    placed.detail =
        fmt::format("{} of the time of {} ({}); {} GFlop/s at {:.3g} flop/byte{}; needs most: {}",
                    percent_text(100 * share), point.name, each.measured ? "measured" : "computed",
                    three_digits(placed.gflop_per_s), placed.flop_per_byte,
                    each.level ? " of " + each.level->name() : "", each.what);
    if (each.measured)
      placed.detail += fmt::format(" ({}); {} of its time remains", row_of(each.measured->verdict).words,
                                   percent_text(100 * each.measured->remains));
    found.drawn.push_back(std::move(placed));
  }
}

}  // namespace

ClusterPoints functions_of_cluster(const Recorded& recorded, int cluster) {
  std::vector<std::size_t> programs;
  for (std::size_t i = 0; i < recorded.points.size(); ++i) {
    if (is_on_chart(recorded, i, cluster) && !reading_on(recorded, i, cluster).functions.empty())
      programs.push_back(i);
  }
  ClusterPoints found;
  for (const std::size_t i : programs)
    add_functions(recorded, recorded.points[i], reading_on(recorded, i, cluster), programs.size() > 1, found);
  // The largest are behind the others.
  std::ranges::stable_sort(found.drawn, std::greater(), &PlacedPoint::share);
  return found;
}

}  // namespace gable::charts

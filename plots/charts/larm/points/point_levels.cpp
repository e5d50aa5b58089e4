#include "plots/charts/larm/points/point_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/sorting.hpp"
#include "base/words.hpp"
#include "model/points/limits/mix_limits.hpp"
#include "model/points/threads.hpp"
#include "model/records/profile.hpp"
#include "model/records/short_function.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

namespace {

// The level at which the point is bound; two candidates are no answer.
std::optional<model::Level> binding_level(const model::Reading& reading) {
  if (reading.roof.empty() || !reading.headroom_known) return {};
  return limited_level(reading.limit);
}

// Functions of applications on a roofline chart.

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
    const std::string function = model::short_function(work);
    placed.name = point.name + ": " + function;
    const std::string& label = work.line.empty() ? function : work.line;
    placed.short_name = with_program ? shortened(point.name, longest_program) + ": " + label : label;
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

std::string memory_label(const model::Roofs& roofs, const model::Point& point) {
  model::Tiers tiers;
  const auto add = [&](int node) {
    for (const model::Tier tier : model::tier_of(roofs, node).all()) tiers.add(tier);
  };
  const std::map<int, double> shares = model::node_shares(point);
  for (const auto& share : shares) add(share.first);
  if (shares.empty()) {
    for (const model::Roof& roof : roofs.roofs) {
      if (is_memory(roof.spec.level) && roof.spec.node >= 0) add(roof.spec.node);
    }
  }
  const bool known = shares.empty() ? tiers.single().has_value() : !tiers.empty();
  return known ? name_of(tiers) : model::Level::memory().name();
}

std::string level_name(const std::string& point, const std::string& label) {
  return point + ", " + label;
}

std::vector<PlacedLevel> placed_levels(const Recorded& recorded, const model::Point& point,
                                       const model::Reading& reading, double amount) {
  if (point.levels.empty()) return {};
  const std::optional<model::Level> binding = binding_level(reading);
  std::vector<PlacedLevel> levels;
  const auto add = [&](const model::Level& level, const std::string& label, double flop_per_byte) {
    if (!recorded.hides(level_name(point.name, label)))
      levels.push_back({level, label, flop_per_byte, binding == level});
  };
  const model::Level first = model::Level::cache(1);
  add(first, first.name(), amount / (point.load_bytes + point.store_bytes));
  for (const model::LevelBytes& bytes : point.levels) {
    const double moved = bytes.read + bytes.written;
    const std::string label =
        is_memory(bytes.level) ? memory_label(recorded.roofs, point) : bytes.level.name();
    if (moved > 0) add(bytes.level, label, amount / moved);
  }
  return levels;
}

void add_rows_of_levels(Table& table, const PlacedPoint& point, int cluster) {
  for (const PlacedLevel& level : point.levels) {
    table.add_row();
    table.set("cluster", cluster);
    table.set("kind", "level");
    table.set("level", level.level.name());
    table.set("label", level.label);
    table.set("point", point.name);
    table.set(point.quantity.column, level.flop_per_byte);
    table.set("value", point.gflop_per_s);
    table.set("unit", point.quantity.rate);
    table.set("binds", level.binds ? "yes" : "no");
  }
}

std::string levels_note(const std::vector<PlacedPoint>& points) {
  bool any = false, is_dot = false, is_symbol = false;
  for (const PlacedPoint& point : points) {
    any = any || !point.levels.empty();
    for (const PlacedLevel& level : point.levels)
      if (level.binds) (is_first_cache(level.level) ? is_symbol : is_dot) = true;
  }
  if (!any) return {};
  return std::string(" Dots on the line of a point: its intensity by the bytes of each level") +
         (is_dot ? "; filled: the level that takes most of its time" : "") +
         (is_symbol ? "; a circle around its symbol: L1 takes most" : "") + ".";
}

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
  sort_down_by(found.drawn, &PlacedPoint::share);
  return found;
}

}  // namespace gable::charts

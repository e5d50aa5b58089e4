#include "plots/charts/larm/points/point_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "model/points/limits/mix_limits.hpp"

namespace gable::charts {

namespace {

// The level at which the point is bound; two candidates are no answer.
std::optional<model::Level> binding_level(const model::Reading& reading) {
  if (reading.roof.empty() || !reading.headroom_known) return {};
  return limited_level(reading.limit);
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

}  // namespace gable::charts

#include "cli/predict_point.hpp"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/commands.hpp"
#include "cli/point.hpp"
#include "cli/points_file.hpp"
#include "model/binding.hpp"

namespace gable::cli {
namespace {

std::map<int, double> shares_from(const std::map<int, std::uint64_t>& parts) {
  model::Point point;
  point.node_bytes = parts;
  return model::node_shares(point);
}

// The node of the best or the worst single memory roof.
int extreme_node(const Background& background, const model::Point& point, bool fastest) {
  const int cluster = model::read_point(background.roofs, point, background.hybrid).cluster;
  model::Point alone = point;
  alone.alone = true;
  const std::vector<model::Limit> limits = model::memory_limits(background.roofs, alone, cluster, {}, {});
  if (limits.empty()) throw UsageError("--to: no memory roof of this cluster was measured");
  return fastest ? limits.back().node : limits.front().node;
}

std::map<int, double> target(const Background& background, const model::Point& point, const std::string& to) {
  if (to == "fast" || to == "slow") return {{extreme_node(background, point, to == "fast"), 1.0}};
  if (to.starts_with("node:")) {
    int node = -1;
    const char* const end = to.data() + to.size();
    const auto [stop, error] = std::from_chars(to.data() + 5, end, node);
    if (error == std::errc{} && stop == end && node >= 0) return {{node, 1.0}};
  } else if (to.find('=') != std::string::npos) {
    return shares_from(nodes_from(to, "--to"));
  }
  throw UsageError(fmt::format("--to {}: give node:N, fast, slow, or shares as in 0=60,1=40", to));
}

std::string text_of(const model::Point& point, const model::Move& move) {
  std::string text = fmt::format("{}: from {} ({:.4g} GB/s) to {} ({:.4g} GB/s)\n", point.name,
                                 move.from.name, move.from.value, move.to.name, move.to.value);
  if (move.memory_bound) {
    text += fmt::format(
        "  {:.2f} times as fast ({:.2f} to {:.2f}): {:.4g} s instead of {:.4g} s ({:.4g} to {:.4g} s)\n",
        move.factor, move.factor_lo, move.factor_hi, move.seconds, point.seconds, move.seconds_lo,
        move.seconds_hi);
  } else {
    text += fmt::format(
        "  {:.2f} to {:.2f} times as fast, {:.4g} to {:.4g} s instead of {:.4g} s: memory does not bind it, "
        "so how much "
        "of its time memory takes is not known\n",
        move.factor_lo, move.factor_hi, move.seconds_lo, move.seconds_hi, point.seconds);
  }
  if (!move.stopped_by.empty())
    text += fmt::format("  {} stops it before the memory does\n", move.stopped_by);
  if (!move.to.fitted || !move.from.fitted)
    text +=
        "  no hybrid model was fitted for this mix of nodes: its roof is the bound at which everything "
        "overlaps\n";
  return text;
}

std::string json_of(const model::Point& point, const model::Move& move) {
  nlohmann::ordered_json out;
  out["schema"] = model::schema;
  out["point"] = point.name;
  out["from"] = move.from.name;
  out["from_gb_per_s"] = move.from.value;
  out["to"] = move.to.name;
  out["to_gb_per_s"] = move.to.value;
  out["memory_bound"] = move.memory_bound;
  out["factor"] = move.memory_bound ? nlohmann::ordered_json(move.factor) : nlohmann::ordered_json(nullptr);
  out["factor_lo"] = move.factor_lo;
  out["factor_hi"] = move.factor_hi;
  out["seconds"] = move.memory_bound ? nlohmann::ordered_json(move.seconds) : nlohmann::ordered_json(nullptr);
  out["seconds_lo"] = move.seconds_lo;
  out["seconds_hi"] = move.seconds_hi;
  out["stopped_by"] = move.stopped_by;
  return out.dump() + "\n";
}

}  // namespace

void predict_point(const std::string& folder, const std::string& name, const std::string& to, bool json) {
  if (to.empty()) throw UsageError("--point: where to? --to node:N, fast, slow, or shares as in 0=60,1=40");
  const Background background = background_of(folder);
  const std::vector<model::Point> points = points_of(folder);
  const model::Point& point = point_named(points, name, folder);
  try {
    const model::Move move =
        model::move_point(background.roofs, point, target(background, point, to), background.hybrid);
    fmt::print("{}", json ? json_of(point, move) : text_of(point, move));
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("{}: {}", name, error.what()));
  }
}

}  // namespace gable::cli

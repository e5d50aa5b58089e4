#pragma once

// The time of points with their data elsewhere, as `gable predict --point --to` computes it without a
// profile.

#include <map>
#include <vector>

#include "model/predict/placement_advice.hpp"
#include "model/predict/point_program.hpp"
#include "tests/model/forecast_machines.hpp"

namespace gable::model {

inline Setting timed_on(const Roofs& roofs, const Point& point, const MixModel& hybrid = {}) {
  Setting here;
  here.machine = "here";
  here.roofs = &roofs;
  here.hybrid = hybrid;
  here.like = point;
  return here;
}

/// The same setting with all data on these nodes.
inline Setting moved(Setting setting, const std::map<int, double>& shares) {
  Point& like = setting.like;
  forget_access(like);
  like.node_bytes.clear();
  for (const auto& [node, share] : shares)
    like.node_bytes[node] = static_cast<std::uint64_t>(share * (1 << 20));
  like.policy = shares.size() > 1 ? "interleave" : "first-touch";
  return setting;
}

inline Forecast move_point(const Roofs& roofs, const Point& point, const std::map<int, double>& shares,
                           const MixModel& hybrid = {}) {
  const Setting here = timed_on(roofs, point, hybrid);
  return forecast(program_of_point(here, point).program, moved(here, shares), &here);
}

/// What the verdict says of these nodes.
inline std::string advice_on(const Roofs& roofs, const Point& point, const std::vector<int>& nodes,
                             const MixModel& hybrid = {}) {
  std::vector<PlacedForecast> places;
  for (const int node : nodes)
    places.push_back(
        {"its data on node " + std::to_string(node), move_point(roofs, point, {{node, 1.0}}, hybrid)});
  return placement_advice(point, read_point(roofs, point, hybrid), places);
}

}  // namespace gable::model

#include "cli/place/place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/lists.hpp"
#include "model/tiers/advice.hpp"

namespace gable::cli {

namespace {

using model::Placed;
using model::Point;
using model::Status;

auto subject(const Placed& placed) {
  return std::tie(placed.workload, placed.graph, placed.cluster);
}

auto way_of(const Placed& placed) {
  return std::tie(placed.variant, placed.threads, placed.smt);
}

// Bytes on each node; empty if those of a part are not known.
std::map<int, std::uint64_t> nodes_of(const Placed& placed) {
  std::map<int, std::uint64_t> nodes;
  for (const model::PlacedPart& part : placed.parts) {
    std::uint64_t seen = 0;
    for (const auto& [node, bytes] : part.node_bytes) {
      nodes[node] += bytes;
      seen += bytes;
    }
    if (seen < part.bytes / 2) return {};
  }
  return nodes;
}

Point point_of(const Placed& placed, const std::string& code) {
  Point point;
  point.name = fmt::format("{} {}, {}, {}", placed.workload, placed.graph, placed.variant, code);
  point.cluster = placed.cluster;
  point.threads = placed.threads;
  point.flops = placed.flops;
  point.load_bytes = placed.load_bytes;
  point.store_bytes = placed.store_bytes;
  point.precision = model::Precision::sp;
  const model::Estimate seconds = model::estimate_median(placed.seconds);
  point.seconds = seconds.value;
  point.seconds_lo = seconds.lo;
  point.seconds_hi = seconds.hi;
  point.repetitions = static_cast<int>(placed.seconds.size());
  point.counter = "algorithm";
  point.node_bytes = nodes_of(placed);
  const std::string where = joined(placed.parts, [](const model::PlacedPart& part) {
    return fmt::format("{} in {} ({})", part.name, part.tier, part.how);
  });
  point.notes = {model::Note(where), model::NoteCode::work_of_algorithm};
  if (!placed.how.empty()) point.notes.emplace_back(placed.how);
  if (placed.smt) point.notes.emplace_back(model::NoteCode::threads_on_all_pus);
  point.started = placed.started;
  return point;
}

}  // namespace

std::vector<Point> points_of_placements(const std::vector<Placed>& placed) {
  const auto counts = [](const Placed& each) {  // published figures have no seconds
    return each.status == Status::ok && each.flops > 0 && !each.seconds.empty();
  };
  std::vector<Point> points;
  for (auto first = placed.begin(); first != placed.end(); ++first) {
    const auto alike = [&](const Placed& each) { return counts(each) && subject(each) == subject(*first); };
    if (!counts(*first) || std::any_of(placed.begin(), first, alike)) continue;
    const std::vector<Placed> group = those(placed, alike);
    const Placed best =
        *std::ranges::max_element(group, {}, [](const Placed& each) { return model::teps(each).value; });
    const auto letters = model::tier_letters(group);
    const auto origin = std::ranges::find_if(
        placed, [&](const Placed& each) { return subject(each) == subject(*first) && in_one_tier(each); });
    std::string from;  // the point with all parts in the first tier; empty if that has no figure
    for (const Placed& each : group) {
      if (way_of(each) != way_of(best)) continue;
      points.push_back(point_of(each, model::placement_code(each, letters)));
      if (!in_one_tier(each)) continue;
      if (each.parts[0].tier == origin->parts[0].tier) {
        from = points.back().name;
      } else {
        points.back().from = from;
      }
    }
  }
  return points;
}

}  // namespace gable::cli

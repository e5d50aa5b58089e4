#include "model/points/access.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "model/points/limits/limits.hpp"
#include "model/records/profile.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {
namespace {

constexpr double least_share = 0.02;

std::map<int, LoadStore> access_by_node(const Point& point) {
  std::map<int, LoadStore> nodes;
  for (const NodeAccess& access : point.access) {
    nodes[access.node].load += access.load;
    nodes[access.node].store += access.store;
  }
  return nodes;
}

LoadStore sum_of_access(const Point& point) {
  LoadStore sum;
  for (const NodeAccess& access : point.access) {
    sum.load += access.load;
    sum.store += access.store;
  }
  return sum;
}

double requested_at_once(const Point& point) {
  return point.precision == Precision::dp ? 8 : 4;
}

// The fields are those of points.json.
std::string wrong_entry(const Point& point, const NodeAccess& access) {
  for (const double bytes : {access.load, access.store}) {
    if (!std::isfinite(bytes) || bytes < 0)
      return fmt::format("load_bytes and store_bytes of node {} must be numbers, 0 or more", access.node);
  }
  if (access.node < 0) return fmt::format("there is no node {}", access.node);
  if (access.cluster >= 0 && point.cluster >= 0 && access.cluster != point.cluster)
    return fmt::format("node {} is accessed by cluster {}, and the point is of cluster {}", access.node,
                       access.cluster, point.cluster);
  return {};
}

std::string too_much(const Point& point, const LoadStore& all) {
  constexpr double tolerance = 1.001;
  const LoadStore most = most_of_memory(point);
  const auto by_instructions = [&](const char* field, double bytes, double limit, const char* what) {
    return fmt::format(
        "{} are {:.4g} in all, and its instructions {} {:.4g} bytes at most from memory, a line of {} bytes "
        "for each {} that they request",
        field, bytes, what, limit, profile_line_bytes, requested_at_once(point));
  };
  if (point.levels.empty() || !is_memory(point.levels.back().level)) {
    if (all.load > tolerance * most.load) return by_instructions("load_bytes", all.load, most.load, "fetch");
    if (all.store > tolerance * most.store)
      return by_instructions("store_bytes", all.store, most.store, "change");
    return {};
  }
  const LevelBytes& memory = point.levels.back();
  for (const auto& [field, bytes, limit] :
       {std::tuple{"load_bytes", all.load, memory.read}, {"store_bytes", all.store, memory.written}}) {
    if (bytes > tolerance * limit)
      return fmt::format("{} are {:.4g} in all, and \"levels\" has {:.4g} for the memory", field, bytes,
                         limit);
  }
  return {};
}

}  // namespace

LoadStore most_of_memory(const Point& point) {
  const double lines = static_cast<double>(profile_line_bytes) / requested_at_once(point);
  return {lines * (point.load_bytes + point.store_bytes), lines * point.store_bytes};
}

void forget_access(Point& point) {
  point.access.clear();
  point.access_source = AccessSource::none;
  point.access_samples = 0;
}

std::string wrong_access(const Point& point) {
  if (!point.access.empty() && point.access_source == AccessSource::none) return "the source is missing";
  const bool sampled = point.access_source == AccessSource::samples;
  if (!std::isfinite(point.access_samples) || point.access_samples < 0 ||
      (point.access_samples > 0 && !sampled))
    return "samples must be above 0, and only of the source samples";
  std::set<std::pair<int, int>> seen;
  for (const NodeAccess& access : point.access) {
    if (std::string wrong = wrong_entry(point, access); !wrong.empty()) return wrong;
    if (!seen.emplace(access.node, access.cluster).second)
      return fmt::format("node {} is there twice", access.node);
  }
  const LoadStore all = sum_of_access(point);
  if (!point.access.empty() && all.sum() <= 0) return "load_bytes and store_bytes are 0 for every node";
  return point.access.empty() ? "" : too_much(point, all);
}

std::map<int, double> node_shares(const Point& point) {
  std::map<int, double> bytes;
  for (const auto& [node, access] : access_by_node(point)) bytes[node] = access.sum();
  if (point.access.empty()) bytes.insert(point.node_bytes.begin(), point.node_bytes.end());
  double all = 0, kept = 0;
  for (const auto& [node, amount] : bytes) all += amount;
  std::map<int, double> shares;
  for (const auto& [node, amount] : bytes) {
    if (all <= 0 || amount / all < least_share) continue;
    shares[node] = amount / all;
    kept += amount / all;
  }
  for (auto& [node, share] : shares) share /= kept;
  return shares;
}

namespace {

// The farthest that the true share of a node may be from the sampled one.
double largest_share_error(const std::map<int, double>& shares, double samples) {
  double largest = 0;
  for (const auto& [node, share] : shares) {
    const auto [lo, hi] = share_interval(share * samples, samples);
    largest = std::max({largest, share - lo, hi - share});
  }
  return largest;
}

}  // namespace

std::string samples_text(const std::map<int, double>& shares, double samples) {
  return fmt::format("by {:.0f} samples, each ± {:.0f} %", samples,
                     std::ceil(100 * largest_share_error(shares, samples)));
}

std::string access_source_text(const Point& point) {
  if (point.access_samples > 0) return samples_text(node_shares(point), point.access_samples);
  return std::string(row_of(point.access_source).words);
}

bool has_few_samples(const Point& point) {
  return point.access_samples > 0 &&
         largest_share_error(node_shares(point), point.access_samples) > most_share_error;
}

Note few_samples_note(const Point& point) {
  return {NoteCode::few_access_samples, {access_source_text(point)}};
}

double memory_load_share(const Point& point) {
  const LoadStore all = sum_of_access(point);
  return all.sum() > 0 ? all.load / all.sum() : load_share(point);
}

std::map<int, LoadStore> memory_mix(const Point& point, const std::map<int, double>& shares) {
  std::map<int, LoadStore> mix;
  const bool own = !point.access.empty() && shares == node_shares(point);
  const std::map<int, LoadStore> nodes = access_by_node(point);
  for (const auto& [node, share] : shares) {
    const LoadStore at = own ? nodes.at(node) : LoadStore();
    const double loads = own ? at.load / at.sum() : memory_load_share(point);
    mix[node] = {share * loads, share * (1 - loads)};
  }
  return mix;
}

}  // namespace gable::model

#include "plots/charts/larm/mix_roofs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/hybrid/predict.hpp"
#include "plots/charts/larm/points/points.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

namespace {

using model::HybridPair;
using model::Limit;
using model::Roof;
using model::Transfer;

// Of a mix of tiers as short as the labels of other roofs.
std::string name_of_mix(const Limit& limit) {
  if (limit.tiers.empty()) return limit.name();
  return fmt::format("{}, {}", limit.tiers, row_of(limit.pattern).label);
}

Roof roof_of_mix(const std::string& point, const Limit& limit, int cluster) {
  Roof roof;
  roof.spec.kind = model::Kind::bandwidth;
  roof.spec.cluster = cluster;
  roof.spec.level = model::Level::memory();
  roof.spec.pattern = limit.fitted ? model::Pattern::hybrid : model::Pattern::mix;
  roof.spec.op =
      model::Operation(limit.fitted             ? point
                       : is_grid(limit.pattern) ? point + ": hybrid roof"  // its name lists all nodes
                                                : name_of_mix(limit));
  roof.spec.threads = limit.threads;
  roof.value = limit.value;
  roof.lo = limit.lo;
  roof.hi = limit.hi;
  roof.unit = "GB/s";
  return roof;
}

constexpr int steps = 20;
constexpr Colour flat = 0xe4eaef, all_slow = 0xe3eef6, all_fast = 0xb3a3de;

struct Local {
  const Roof *slow = nullptr, *fast = nullptr;
};

Local local_memories(const std::vector<Roof>& roofs) {
  Local found;
  for (const Roof& roof : roofs) {
    if (roof.status != model::Status::ok || roof.spec.kind != model::Kind::bandwidth ||
        !is_memory(roof.spec.level) || roof.spec.pattern != model::Pattern::local)
      continue;
    if (!found.slow || roof.value < found.slow->value) found.slow = &roof;
    if (!found.fast || roof.value > found.fast->value) found.fast = &roof;
  }
  return found;
}

// GB/s at equal steps of the share of the fast memory; empty if no fit of the pair gives them all.
std::vector<double> fitted_mixes(const Recorded& recorded, const Local& local) {
  const auto loads = model::load_share_of(recorded.op);
  const auto is_it = [&](const HybridPair& pair) {
    return pair.status == model::Status::ok && !pair.all_clusters &&
           pair.cluster == local.slow->spec.cluster && pair.slow.node == local.slow->spec.node &&
           pair.fast.node == local.fast->spec.node;
  };
  const auto pair = std::ranges::find_if(recorded.hybrid.pairs, is_it);
  if (pair == recorded.hybrid.pairs.end() || !loads) return {};
  std::vector<double> values;
  for (int step = 0; step <= steps; ++step) {
    const double fast = 1e9 * step / steps, slow = 1e9 - fast;
    const auto gb_per_s =
        model::predict(pair->fit, {{slow * *loads, slow * (1 - *loads), fast * *loads, fast * (1 - *loads)}})
            .gb_per_s();
    if (!gb_per_s) return {};
    values.push_back(*gb_per_s);
  }
  return values;
}

}  // namespace

std::vector<Roof> mix_roofs(const Recorded& recorded, int cluster) {
  std::vector<Roof> roofs;
  for (std::size_t i = 0; i < recorded.points.size(); ++i) {
    if (!is_on_chart(recorded, i, cluster)) continue;
    const model::Reading reading = reading_on(recorded, i, cluster);
    if (reading.roof.empty() || reading.limit.kind != Limit::Kind::hybrid) continue;
    Roof roof = roof_of_mix(recorded.points[i].name, reading.limit, cluster);
    const auto is_same = [&](const Roof& other) {
      return other.spec == roof.spec && other.lo == roof.lo && other.hi == roof.hi;
    };
    if (std::ranges::none_of(roofs, is_same)) roofs.push_back(std::move(roof));
  }
  return roofs;
}

bool is_between_bounds(const Roof& roof) {
  return roof.spec.pattern == model::Pattern::mix;
}

std::vector<Roof> without_bounds(std::vector<Roof> roofs) {
  std::erase_if(roofs, is_between_bounds);
  return roofs;
}

std::string bounds_detail(const Roof& roof) {
  return fmt::format(
      "{} GB/s (nothing overlaps) to {} GB/s (everything does), from the roofs of its memories",
      three_digits(roof.lo), three_digits(roof.hi));
}

std::string bounds_note(const std::vector<Roof>& roofs) {
  if (std::ranges::none_of(roofs, is_between_bounds)) return {};
  return " Pale violet: the roof of a mix of memories lies between no overlap of its transfers (lower line) "
         "and "
         "full overlap (upper line).";
}

std::string add_hybrid_range(Panel& panel, const Recorded& recorded, const DrawnRoofs& drawn, double x_from,
                             double x_to) {
  const Local local = local_memories(drawn.roofs);
  if (local.slow == local.fast || local.slow->value >= local.fast->value) return {};
  const double peak = drawn.ridge_peak;
  const auto end_of = [&](double gb_per_s) { return peak > 0 ? peak / gb_per_s : x_to; };
  const auto add = [&](double low, double high, Colour colour) {
    std::vector<Datum> corners;
    for (const auto& [gb_per_s, x] :
         {std::pair{low, x_from}, {low, end_of(low)}, {high, end_of(high)}, {high, x_from}})
      corners.push_back({x, gb_per_s * x});
    panel.series.push_back({"", Mark::area, Style{colour}, corners});
  };
  const std::vector<double> mixes = fitted_mixes(recorded, local);
  for (std::size_t i = 0; i + 1 < mixes.size(); ++i)
    add(mixes[i], mixes[i + 1], mixed(all_slow, all_fast, (static_cast<double>(i) + 0.5) / steps));
  if (mixes.empty()) add(local.slow->value, local.fast->value, flat);
  const auto memory = [](const Roof& roof) {
    return fmt::format("{} node {}", name_of(roof.spec.tier), roof.spec.node);
  };
  if (mixes.empty())
    return fmt::format(" Shade: roofs of data spread over {} and {}.", memory(*local.slow),
                       memory(*local.fast));
  return fmt::format(" Gradient: roofs of data spread over {} (pale) and {} (dark), by the hybrid model.",
                     memory(*local.slow), memory(*local.fast));
}

}  // namespace gable::charts

#include "plots/charts/larm/hybrid_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "model/hybrid/predict.hpp"

namespace gable::charts {

using model::HybridPair;
using model::Roof;
using model::Transfer;

namespace {

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

Colour between(Colour from, Colour to, double share) {
  Colour mixed = 0;
  for (const int shift : {16, 8, 0}) {
    const double a = from >> shift & 0xff, b = to >> shift & 0xff;
    mixed |= static_cast<Colour>(a + share * (b - a)) << shift;
  }
  return mixed;
}

}  // namespace

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
    add(mixes[i], mixes[i + 1], between(all_slow, all_fast, (static_cast<double>(i) + 0.5) / steps));
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

#include "model/roofs/window.hpp"

#include <algorithm>

#include "model/roofs/best.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {
namespace {

// kernels/ops_general.inc
struct Loop {
  const Operation& op;
  double half_iteration;
  const char* unit;
};
const Loop of_instructions{operations::random_apart, 17, "instructions"};  // 35 on x86-64, 33 on AArch64
const Loop of_stores{operations::store_apart, 8, "stores"};

// The latency of this memory, in the same pages.
const Roof* latency_beside(const std::vector<Roof>& roofs, Case like) {
  like.kind = Kind::latency;
  like.op = {};
  like.kernel.clear();
  like.threads = 0;
  like.bytes = 0;
  return best_roof(roofs, like);
}

std::optional<Roof> window_by(const Loop& loop, const std::vector<Roof>& roofs, int cluster) {
  const auto room = [&](double in_a_latency) { return std::max(1.0, in_a_latency - loop.half_iteration); };
  const Roof* const rate = best(roofs, [&](const Roof& roof) {
    return roof.spec.kind == Kind::window && roof.spec.op == loop.op && roof.spec.cluster == cluster;
  });
  const Roof* const latency = rate != nullptr ? latency_beside(roofs, rate->spec) : nullptr;
  if (latency == nullptr) return std::nullopt;
  const Estimate per_ns{rate->value, rate->lo, rate->hi, rate->n};
  const Estimate reciprocal{1 / latency->value, 1 / latency->hi, 1 / latency->lo, latency->n};
  const auto [lo, hi] = ratio_interval(per_ns, reciprocal);
  Roof window = *rate;
  window.unit = loop.unit;
  window.value = room(rate->value * latency->value);
  window.lo = room(lo);
  window.hi = room(hi);
  window.n = std::min(rate->n, latency->n);
  constexpr double of_all_cores = 4;  // the largest window of today's cores over the smallest
  if (window.hi > of_all_cores * window.lo) return std::nullopt;
  return window;
}

}  // namespace

std::optional<Roof> instruction_window(const std::vector<Roof>& roofs, int cluster) {
  return window_by(of_instructions, roofs, cluster);
}

std::optional<Roof> store_window(const std::vector<Roof>& roofs, int cluster) {
  return window_by(of_stores, roofs, cluster);
}

}  // namespace gable::model

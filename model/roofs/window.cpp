#include "model/roofs/window.hpp"

#include <algorithm>

#include "model/statistics/statistics.hpp"

namespace gable::model {
namespace {

// Instructions of an iteration of the kernel: 35 on x86-64, 33 on AArch64 (kernels/ops_general.inc).
constexpr double half_iteration = 17;

bool is_ok(const Roof& roof, Kind kind) {
  return roof.status == Status::ok && roof.spec.kind == kind;
}

bool is_in_same_place(const Case& one, const Case& other) {
  return one.cluster == other.cluster && one.level == other.level && one.node == other.node &&
         one.pages == other.pages && one.pattern == other.pattern;
}

double room(double instructions_in_a_latency) {
  return std::max(1.0, instructions_in_a_latency - half_iteration);
}

}  // namespace

std::optional<Roof> instruction_window(const std::vector<Roof>& roofs, int cluster) {
  for (const Roof& rate : roofs) {
    if (!is_ok(rate, Kind::window) || rate.spec.cluster != cluster) continue;
    const auto latency = std::ranges::find_if(roofs, [&](const Roof& roof) {
      return is_ok(roof, Kind::latency) && is_in_same_place(roof.spec, rate.spec);
    });
    if (latency == roofs.end()) continue;
    const Estimate per_ns{rate.value, rate.lo, rate.hi, rate.n};
    const Estimate reciprocal{1 / latency->value, 1 / latency->hi, 1 / latency->lo, latency->n};
    const auto [lo, hi] = ratio_interval(per_ns, reciprocal);
    Roof window = rate;
    window.unit = "instructions";
    window.value = room(rate.value * latency->value);
    window.lo = room(lo);
    window.hi = room(hi);
    window.n = std::min(rate.n, latency->n);
    return window;
  }
  return std::nullopt;
}

}  // namespace gable::model

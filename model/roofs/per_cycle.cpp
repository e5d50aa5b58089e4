#include "model/roofs/per_cycle.hpp"

#include <algorithm>

#include "model/records/names.hpp"

namespace gable::model {

int vector_bytes(const std::string& kernel) {
  const std::string isa = isa_of(kernel);
  if (isa == "avx512") return 64;
  if (isa == "avx2" || isa == "avx") return 32;
  return isa == "sse2" ? 16 : 0;
}

double cluster_clock(const Roofs& roofs, int cluster) {
  for (const Roof& roof : roofs.roofs) {
    if (roof.spec.cluster == cluster && roof.clock_ghz > 0) return roof.clock_ghz;
  }
  return roofs.machine_clock_ghz;
}

std::optional<double> instructions_per_cycle(const Roof& roof) {
  const Case& spec = roof.spec;
  const int width = vector_bytes(spec.kernel);
  if (roof.status != Status::ok || roof.clock_ghz <= 0 || spec.smt || spec.threads < 1 || width == 0)
    return std::nullopt;
  const double giga_per_core_and_cycle = roof.value / spec.threads / roof.clock_ghz;
  if (spec.kind == Kind::bandwidth && is_first_cache(spec.level) &&
      (spec.op == operations::load || spec.op == operations::store))
    return giga_per_core_and_cycle / width;
  if (!is_peak(spec.kind) || is_slow(spec.op) || !is_known(spec.precision)) return std::nullopt;
  const double lanes = static_cast<double>(width) / row_of(spec.precision).bytes;
  return giga_per_core_and_cycle / (lanes * (spec.op == operations::fma ? 2 : 1));
}

const Roof* core_roof(const std::vector<Roof>& roofs, Kind kind, int cluster, std::string_view op) {
  const auto found = std::ranges::find_if(roofs, [&](const Roof& roof) {
    return roof.spec.kind == kind && roof.spec.cluster == cluster && roof.spec.op.name() == op &&
           roof.status == Status::ok;
  });
  return found == roofs.end() ? nullptr : &*found;
}

Roof difference_at_one_clock(const Roof& whole, const Roof& part) {
  const bool clocks_known = whole.clock_ghz > 0 && part.clock_ghz > 0;
  const double slower = clocks_known ? part.clock_ghz / whole.clock_ghz : 1;
  Roof difference = whole;
  difference.value = std::max(0.0, whole.value - slower * part.value);
  difference.lo = std::clamp(whole.lo - slower * part.hi, 0.0, difference.value);
  difference.hi = std::max(difference.value, whole.hi - slower * part.lo);
  difference.n = std::min(whole.n, part.n);
  return difference;
}

std::optional<Roof> mispredicted_branch(const std::vector<Roof>& roofs, int cluster) {
  constexpr double branches_for_each = 2;
  const Roof* const random = core_roof(roofs, Kind::branch, cluster, operations::branch_random.name());
  const Roof* const steady = core_roof(roofs, Kind::branch, cluster, operations::branch_steady.name());
  if (random == nullptr || steady == nullptr) return std::nullopt;
  Roof cost = difference_at_one_clock(*random, *steady);
  for (double* value : {&cost.value, &cost.lo, &cost.hi}) *value *= branches_for_each;
  return cost;
}

}  // namespace gable::model

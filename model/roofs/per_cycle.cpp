#include "model/roofs/per_cycle.hpp"

#include <algorithm>

#include "model/records/names.hpp"

namespace gable::model {

namespace {

const Roof* branches(const std::vector<Roof>& roofs, int cluster, const Operation& op) {
  const auto found = std::ranges::find_if(roofs, [&](const Roof& roof) {
    return roof.spec.kind == Kind::branch && roof.spec.cluster == cluster && roof.spec.op == op &&
           roof.status == Status::ok;
  });
  return found == roofs.end() ? nullptr : &*found;
}

}  // namespace

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

std::optional<Roof> mispredicted_branch(const std::vector<Roof>& roofs, int cluster) {
  constexpr double branches_for_each = 2;
  const Roof* const random = branches(roofs, cluster, operations::branch_random);
  const Roof* const steady = branches(roofs, cluster, operations::branch_steady);
  if (random == nullptr || steady == nullptr) return std::nullopt;
  const bool clocks_known = random->clock_ghz > 0 && steady->clock_ghz > 0;
  const double slower = clocks_known ? steady->clock_ghz / random->clock_ghz : 1;
  Roof cost = *random;
  cost.value = std::max(0.0, branches_for_each * (random->value - slower * steady->value));
  cost.lo = std::clamp(branches_for_each * (random->lo - slower * steady->hi), 0.0, cost.value);
  cost.hi = std::max(cost.value, branches_for_each * (random->hi - slower * steady->lo));
  cost.n = std::min(random->n, steady->n);
  return cost;
}

}  // namespace gable::model

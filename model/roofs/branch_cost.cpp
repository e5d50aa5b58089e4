#include "model/roofs/branch_cost.hpp"

#include <algorithm>

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

std::optional<Roof> mispredicted_branch(const std::vector<Roof>& roofs, int cluster) {
  constexpr double branches_for_each = 2;
  const Roof* const random = branches(roofs, cluster, operations::branch_random);
  const Roof* const steady = branches(roofs, cluster, operations::branch_steady);
  if (random == nullptr || steady == nullptr) return std::nullopt;
  Roof cost = *random;
  cost.value = std::max(0.0, branches_for_each * (random->value - steady->value));
  cost.lo = std::clamp(branches_for_each * (random->lo - steady->hi), 0.0, cost.value);
  cost.hi = std::max(cost.value, branches_for_each * (random->hi - steady->lo));
  cost.n = std::min(random->n, steady->n);
  return cost;
}

}  // namespace gable::model

#include "model/roofs/operation_latency.hpp"

#include <algorithm>

namespace gable::model {
namespace {

const Roof* chain_of(const std::vector<Roof>& roofs, int cluster, LatencyClass of) {
  const auto found = std::ranges::find_if(roofs, [&](const Roof& roof) {
    return roof.spec.kind == Kind::operation && roof.spec.cluster == cluster &&
           roof.spec.op.name() == row_of(of).operation && roof.status == Status::ok;
  });
  return found == roofs.end() ? nullptr : &*found;
}

}  // namespace

std::optional<Roof> operation_latency(const std::vector<Roof>& roofs, int cluster, LatencyClass of) {
  const Roof* const chain = chain_of(roofs, cluster, of);
  if (chain == nullptr) return std::nullopt;
  if (!contains_multiplication(of)) return *chain;
  const Roof* const product = chain_of(roofs, cluster, LatencyClass::mul);
  if (product == nullptr) return std::nullopt;
  const bool clocks_known = chain->clock_ghz > 0 && product->clock_ghz > 0;
  const double slower = clocks_known ? product->clock_ghz / chain->clock_ghz : 1;
  Roof root = *chain;
  root.value = chain->value - slower * product->value;
  if (root.value <= 0) return std::nullopt;
  root.lo = std::clamp(chain->lo - slower * product->hi, 0.0, root.value);
  root.hi = std::max(root.value, chain->hi - slower * product->lo);
  root.n = std::min(chain->n, product->n);
  return root;
}

}  // namespace gable::model

#include "model/roofs/operation_latency.hpp"

#include "model/roofs/per_cycle.hpp"

namespace gable::model {

std::optional<Roof> operation_latency(const std::vector<Roof>& roofs, int cluster, LatencyClass of) {
  const auto chain_of = [&](LatencyClass each) {
    return core_roof(roofs, Kind::operation, cluster, row_of(each).operation);
  };
  const Roof* const chain = chain_of(of);
  if (chain == nullptr) return std::nullopt;
  if (!contains_multiplication(of)) return *chain;
  const Roof* const product = chain_of(LatencyClass::mul);
  if (product == nullptr) return std::nullopt;
  const Roof root = difference_at_one_clock(*chain, *product);
  return root.value > 0 ? std::optional(root) : std::nullopt;
}

}  // namespace gable::model

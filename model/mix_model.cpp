#include "model/mix_model.hpp"

#include <utility>

#include "model/predict.hpp"

namespace gable::model {
namespace {

const HybridPair* pair_of(const Hybrid& hybrid, int cluster, const std::map<int, double>& shares) {
  if (shares.size() != 2) return nullptr;
  for (const HybridPair& pair : hybrid.pairs) {
    if (pair.status == Status::ok && pair.cluster == cluster && shares.contains(pair.slow.node) &&
        shares.contains(pair.fast.node))
      return &pair;
  }
  return nullptr;
}

}  // namespace

MixModel mix_model(Hybrid hybrid) {
  return [hybrid = std::move(hybrid)](int cluster, double load_share,
                                      const std::map<int, double>& shares) -> std::optional<MixBandwidth> {
    const HybridPair* const pair = pair_of(hybrid, cluster, shares);
    if (pair == nullptr) return std::nullopt;
    constexpr double giga = 1e9;
    const double slow = shares.at(pair->slow.node), fast = shares.at(pair->fast.node);
    Quantities bytes;
    bytes[Transfer::ls] = giga * slow * load_share;
    bytes[Transfer::ss] = giga * slow * (1 - load_share);
    bytes[Transfer::lf] = giga * fast * load_share;
    bytes[Transfer::sf] = giga * fast * (1 - load_share);
    const Prediction found = predict(pair->fit, bytes);
    if (!found.seconds) return std::nullopt;
    const double value = 1 / *found.seconds;
    return MixBandwidth{value, found.hi ? 1 / *found.hi : value, found.lo ? 1 / *found.lo : value};
  };
}

}  // namespace gable::model

#include "model/points/mix_model.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "model/hybrid/predict.hpp"
#include "model/points/limits/everywhere.hpp"

namespace gable::model {
namespace {

constexpr double giga = 1e9;

// 1 GB in total.
Prediction predict_mix(const HybridPair& pair, const std::map<int, LoadStore>& shares,
                       const std::map<int, LoadStore>& everywhere) {
  const LoadStore slow = shares.at(pair.slow.node), fast = shares.at(pair.fast.node);
  Quantities bytes;
  bytes[Transfer::ls] = giga * slow.load;
  bytes[Transfer::ss] = giga * slow.store;
  bytes[Transfer::lf] = giga * fast.load;
  bytes[Transfer::sf] = giga * fast.store;
  if (everywhere.empty()) return predict(pair.fit, bytes);
  const HybridFit fit =
      with_bandwidths(pair.fit, everywhere.at(pair.slow.node), everywhere.at(pair.fast.node));
  Prediction found = predict(fit, bytes);
  if (!found.seconds) return found;
  // Transfers of all clusters may overlap more or less than those of one.
  const double least = (*found.seconds + *found.t_min) / 2, most = (*found.seconds + *found.t_max) / 2;
  found.lo = std::min(found.lo.value_or(least), least);
  found.hi = std::max(found.hi.value_or(most), most);
  return found;
}

// The difference between a pair's threads and the requested ones; the maximum if either is not known.
int distance(const HybridPair& pair, int threads) {
  constexpr int far = 1 << 20;
  return pair.threads > 0 && threads > 0 ? std::abs(pair.threads - threads) : far - pair.threads;
}

}  // namespace

MixModel mix_model(Hybrid hybrid) {
  return [hybrid = std::move(hybrid)](int cluster, int threads, const std::map<int, LoadStore>& shares,
                                      const std::map<int, LoadStore>& gb_per_s) {
    MixBandwidth best;
    int nearest = 0;
    for (const HybridPair& pair : hybrid.pairs) {
      if (shares.size() != 2 || pair.status != Status::ok || pair.cluster != cluster ||
          !shares.contains(pair.slow.node) || !shares.contains(pair.fast.node))
        continue;
      const Prediction found = predict_mix(pair, shares, gb_per_s);
      if (!found.seconds) {
        if (best.value == 0) best.reason = found.reason;
        continue;
      }
      const int away = distance(pair, threads);
      const double value = 1 / *found.seconds;
      if (best.value > 0 && (away > nearest || (away == nearest && value <= best.value))) continue;
      nearest = away;
      best = {value, {}, {}, {}, pair.threads};
      if (found.lo && found.hi) {
        best.lo = 1 / *found.hi;
        best.hi = 1 / *found.lo;
      }
    }
    return best;
  };
}

}  // namespace gable::model

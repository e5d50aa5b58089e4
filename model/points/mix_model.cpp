#include "model/points/mix_model.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "model/hybrid/everywhere.hpp"

namespace gable::model {
namespace {

constexpr double giga = 1e9;

Quantities bytes_on(const HybridPair& pair, const std::map<int, LoadStore>& shares) {
  const LoadStore slow = shares.at(pair.slow.node), fast = shares.at(pair.fast.node);
  return {{giga * slow.load, giga * slow.store, giga * fast.load, giga * fast.store}};
}

MixBandwidth bandwidth_from(const Prediction& prediction, int threads) {
  if (!prediction.seconds) return {0, prediction.reason, {}, {}, 0, "", ""};
  MixBandwidth found = {1 / *prediction.seconds, "", {}, {}, threads, "", ""};
  if (prediction.lo && prediction.hi) {
    found.lo = 1 / *prediction.hi;
    found.hi = 1 / *prediction.lo;
  }
  return found;
}

// By θ of another state of the machine, and the bandwidths of this one.
MixBandwidth estimated_mix(const Hybrid& hybrid, const HybridPair& pair, const Quantities& bytes,
                           const std::map<int, LoadStore>& gb_per_s) {
  const LoadStore slow = gb_per_s.at(pair.slow.node), fast = gb_per_s.at(pair.fast.node);
  Prediction prediction =
      estimate_everywhere(with_bandwidths(pair.fit, {{slow.load, slow.store, fast.load, fast.store}}), bytes);
  const std::optional<SpotCheck> check = pair.all_clusters ? std::nullopt : spot_check_of(hybrid, pair);
  if (check) widen_to(prediction, *check);
  MixBandwidth found = bandwidth_from(prediction, pair.threads);
  found.estimate = pair.all_clusters
                       ? "how much transfers overlap while all clusters use their own memories"
                       : fmt::format("how much transfers overlap on cluster {} alone", pair.cluster);
  if (check) found.check = check->text();
  return found;
}

MixBandwidth of_mix(const Hybrid& hybrid, const HybridPair& pair, const std::map<int, LoadStore>& shares,
                    const std::optional<AllBusy>& busy) {
  const Quantities bytes = bytes_on(pair, shares);
  if (busy && !(pair.all_clusters && busy->own)) return estimated_mix(hybrid, pair, bytes, busy->gb_per_s);
  return bandwidth_from(predict(pair.fit, bytes), pair.threads);
}

// Whether the pair was fitted for this case; while all clusters run, a pair of the cluster alone stands in.
bool is_for(const Hybrid& hybrid, const HybridPair& pair, bool busy) {
  return pair.status == Status::ok &&
         (busy ? pair.all_clusters || fitted_everywhere(hybrid, pair) == nullptr : !pair.all_clusters);
}

// The difference between a pair's threads and the requested ones; the maximum if either is not known.
int distance(const HybridPair& pair, int threads) {
  constexpr int far = 1 << 20;
  return pair.threads > 0 && threads > 0 ? std::abs(pair.threads - threads) : far - pair.threads;
}

}  // namespace

MixModel mix_model(Hybrid hybrid) {
  return [hybrid = std::move(hybrid)](int cluster, int threads, const std::map<int, LoadStore>& shares,
                                      const std::optional<AllBusy>& busy) {
    MixBandwidth best;
    int nearest = 0;
    for (const HybridPair& pair : hybrid.pairs) {
      if (shares.size() != 2 || pair.cluster != cluster || !shares.contains(pair.slow.node) ||
          !shares.contains(pair.fast.node) || !is_for(hybrid, pair, busy.has_value()))
        continue;
      MixBandwidth found = of_mix(hybrid, pair, shares, busy);
      if (found.value == 0) {
        if (best.value == 0) best.reason = found.reason;
        continue;
      }
      const int away = distance(pair, threads);
      if (best.value > 0 && (away > nearest || (away == nearest && found.value <= best.value))) continue;
      nearest = away;
      best = std::move(found);
    }
    return best;
  };
}

}  // namespace gable::model

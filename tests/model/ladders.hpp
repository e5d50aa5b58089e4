#pragma once

// Ladders of machines with known caches.

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "base/numbers.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {

struct TrueLevel {
  std::uint64_t bytes;
  double ns;
};

// Caches with random replacement: each holds its share of the working set. The last level is memory.
inline double time_of(const std::vector<TrueLevel>& levels, double bytes) {
  double time = 0, inner = 0;
  for (const TrueLevel& level : levels) {
    const double held = std::min(1.0, static_cast<double>(level.bytes) / bytes);
    time += std::max(0.0, held - inner) * level.ns;
    inner = std::max(inner, held);
  }
  return time;
}

inline std::vector<Roof> ladder_of(const std::vector<TrueLevel>& levels, Kind kind, int steps_per_octave,
                                   double noise, std::uint64_t end = 512 * MiB) {
  std::mt19937_64 random(21);
  std::exponential_distribution<double> slower(1 / std::max(noise, 1e-9));
  std::vector<Roof> ladder;
  for (int step = 0;; ++step) {
    const double bytes = 4096 * std::exp2(static_cast<double>(step) / steps_per_octave);
    if (bytes > static_cast<double>(end)) return ladder;
    Roof roof;
    roof.spec.kind = kind;
    roof.spec.op = kind == Kind::latency ? operations::chase : operations::load;
    roof.spec.pattern = Pattern::ladder;
    roof.spec.pages = *pages_named("2m");
    roof.spec.threads = 1;
    roof.spec.bytes = static_cast<std::uint64_t>(bytes);
    const double time = time_of(levels, bytes) * (1 + slower(random));
    roof.value = roof.lo = roof.hi = kind == Kind::latency ? time : 64 / time;
    ladder.push_back(roof);
  }
}

inline const std::vector<TrueLevel> zen = {
    {32 * KiB, 1.1}, {1 * MiB, 3.8}, {32 * MiB, 13}, {1ull << 40, 110}};
inline const std::vector<TrueLevel> skylake = {
    {32 * KiB, 1.3}, {1 * MiB, 4.7}, {22 * MiB, 20}, {1ull << 40, 85}};
inline const std::vector<TrueLevel> no_l3 = {{32 * KiB, 2}, {512 * KiB, 9}, {1ull << 40, 150}};

inline std::vector<CacheClaim> claims_of(const std::vector<TrueLevel>& levels) {
  std::vector<CacheClaim> claims;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i)
    claims.push_back({static_cast<int>(i) + 1, levels[i].bytes});
  return claims;
}

/// The ladder of both kinds.
inline std::vector<Roof> both(std::vector<Roof> latency, const std::vector<Roof>& bandwidth) {
  latency.insert(latency.end(), bandwidth.begin(), bandwidth.end());
  return latency;
}

}  // namespace gable::model

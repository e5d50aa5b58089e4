#include "model/roofs/ladder/match_plateaus.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace gable::model {
namespace {

double distance(const Plateau& plateau, std::uint64_t bytes) {
  return std::abs(std::log2(static_cast<double>(plateau.last_bytes) / static_cast<double>(bytes)));
}

}  // namespace

std::vector<std::optional<Plateau>> match_plateaus(const std::vector<Plateau>& seen,
                                                   const std::vector<CacheClaim>& claims) {
  struct Way {
    int matched = 0;
    double distance = 0;
    bool takes = false;  // the last plateau has the last claim
  };
  const auto better = [](const Way& a, const Way& b) {
    return a.matched != b.matched ? a.matched > b.matched : a.distance < b.distance;
  };
  // ways[i][k]: the best one for the first i plateaus and the first k claims.
  std::vector<std::vector<Way>> ways(seen.size() + 1, std::vector<Way>(claims.size() + 1));
  for (std::size_t i = 1; i <= seen.size(); ++i) {
    for (std::size_t k = 1; k <= claims.size(); ++k) {
      Way& way = ways[i][k];
      way = better(ways[i - 1][k], ways[i][k - 1]) ? ways[i - 1][k] : ways[i][k - 1];
      way.takes = false;
      const Way& before = ways[i - 1][k - 1];
      const Way both = {before.matched + 1, before.distance + distance(seen[i - 1], claims[k - 1].bytes),
                        true};
      if (better(both, way)) way = both;
    }
  }
  std::vector<std::optional<Plateau>> matched(claims.size());
  for (std::size_t i = seen.size(), k = claims.size(); i > 0 && k > 0;) {
    if (ways[i][k].takes) {
      matched[--k] = seen[--i];
    } else if (better(ways[i - 1][k], ways[i][k - 1])) {
      --i;
    } else {
      --k;
    }
  }
  return matched;
}

}  // namespace gable::model

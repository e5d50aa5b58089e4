#include "model/roofs/ladder/plateaus.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "model/statistics/statistics.hpp"

namespace gable::model {

namespace {

constexpr double flat_slope =
    0.3;                        // doublings of time per doubling of the working set, below which it is flat
constexpr double window = 1.4;  // ratio of working sets over which a slope is taken
constexpr double most_rise = 1.5;    // a range that is flat from step to step may rise by this in all
constexpr double same_speed = 1.15;  // times of one plateau differ less than this

// The nearest non-decreasing times (pool adjacent violators): only noise makes a larger working set
// faster.
void make_monotone(std::vector<Step>& steps) {
  struct Pool {
    double mean;
    std::size_t count;
  };
  std::vector<Pool> pools;
  for (const Step& step : steps) {
    pools.push_back({step.time, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean > pools.back().mean) {
      const Pool last = pools.back();
      pools.pop_back();
      Pool& pool = pools.back();
      const auto count = static_cast<double>(pool.count + last.count);
      pool.mean =
          (pool.mean * static_cast<double>(pool.count) + last.mean * static_cast<double>(last.count)) / count;
      pool.count += last.count;
    }
  }
  std::size_t i = 0;
  for (const Pool& pool : pools) {
    for (std::size_t end = i + pool.count; i < end; ++i) steps[i].time = pool.mean;
  }
}

// The last step of the flat range that starts at step i; i itself if the time rises at once.
std::size_t end_of_flat(const std::vector<Step>& steps, std::size_t i) {
  std::size_t end = i;
  for (std::size_t from = i; from <= end; ++from) {
    std::size_t to = from + 1;
    while (to < steps.size() && steps[to].bytes < window * steps[from].bytes) ++to;
    if (to >= steps.size() || steps[to].bytes > largest_gap * steps[from].bytes) break;
    const double slope =
        std::log(steps[to].time / steps[from].time) / std::log(steps[to].bytes / steps[from].bytes);
    if (slope >= flat_slope) break;
    end = to;
  }
  return end;
}

// The last step before one that is slower than step `end` beyond the intervals of both.
std::size_t last_within_interval(const std::vector<Step>& steps, std::size_t end) {
  std::size_t last = end;
  while (last + 1 < steps.size() && steps[last + 1].lo <= steps[end].hi) ++last;
  return last;
}

double distance(const Plateau& plateau, std::uint64_t bytes) {
  return std::abs(std::log2(static_cast<double>(plateau.last_bytes) / static_cast<double>(bytes)));
}

}  // namespace

std::vector<Plateau> plateaus(std::vector<Step> steps, double least_rise) {
  make_monotone(steps);
  const auto bytes_at = [&](std::size_t i) { return static_cast<std::uint64_t>(steps[i].bytes); };
  std::vector<Plateau> found;
  for (std::size_t i = 0; i < steps.size();) {
    std::size_t end = end_of_flat(steps, i);
    if (end == i) {
      ++i;
      continue;
    }
    std::vector<double> times;
    for (std::size_t j = i; j <= end; ++j) times.push_back(steps[j].time);
    const double time = median(times);
    if (steps[end].time > most_rise * steps[i].time) {  // it rises slowly all the way: no edge
      i = end + 1;
      continue;
    }
    // This holds even if memory's latency rises slowly up to the last step.
    const bool is_memory =
        steps.back().bytes < window * steps[end].bytes || steps.back().time < least_rise * time;
    while (end + 1 < steps.size() && steps[end + 1].time < same_speed * time) ++end;
    while (end > i && steps[end].time > same_speed * time) --end;
    const Plateau plateau = {time, bytes_at(end), bytes_at(last_within_interval(steps, end))};
    if (!found.empty() && time < same_speed * found.back().time) found.pop_back();
    if (!is_memory && end + 1 < steps.size() && steps[end + 1].bytes <= largest_gap * steps[end].bytes)
      found.push_back(plateau);
    i = end + 1;
  }
  return found;
}

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

#include "model/roofs/states.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "model/roofs/visits.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {
namespace {

constexpr std::size_t fewest_cases = 3;
constexpr int fewest_pairs = 10;
constexpr double least_agreement = 0.9;
constexpr double beyond_chance = 0.6;        // of the agreement that chance leaves open
constexpr std::size_t visits_of_losers = 3;  // at most: variants that lost their race
constexpr double most = 0.75;

struct Visit {
  const Sample* sample = nullptr;
  std::size_t when = 0;  // in the order of time
  double speed = 0;      // higher is faster
};

using Cases = std::map<std::string, std::vector<Visit>>;

// A visit to a Case whose visits fall into two groups.
struct Mark {
  std::size_t when = 0;
  const std::string* of = nullptr;
  bool is_fast = false;
};

double speed_of(const Sample& sample) {
  const double figure = visit_figure(sample);
  return is_latency(sample.spec.kind) ? 1 / figure : figure;
}

std::map<int, Cases> cases_by_cluster(const std::vector<const Sample*>& samples) {
  auto visits = those(
      samples, [](const Sample* sample) { return sample->status == Status::ok && !sample->seconds.empty(); });
  sort_by(visits, [](const Sample* visit) { return visit->started; });
  std::map<int, Cases> clusters;
  for (std::size_t when = 0; when < visits.size(); ++when) {
    const Sample& visit = *visits[when];
    clusters[visit.spec.cluster][key(visit.spec)].push_back({&visit, when, speed_of(visit)});
  }
  return clusters;
}

// Latencies have no vote: a state may have a higher bandwidth and a higher latency. Nor have Cases of a
// single cache and working set, which use the same addresses in the same round.
std::vector<Mark> marks_of(const Cases& cases) {
  std::vector<Mark> marks;
  std::set<std::pair<Level, std::uint64_t>> kinds;
  std::size_t found = 0;
  bool in_memory = false;
  for (const auto& [of, visits] : cases) {
    const Case& spec = visits.front().sample->spec;
    if (is_latency(spec.kind)) continue;
    const std::optional<double> fast = upper_group(each_of(visits, &Visit::speed));
    if (!fast) continue;
    ++found;
    kinds.emplace(spec.level, spec.bytes);
    in_memory = in_memory || is_memory(spec.level);
    for (const Visit& visit : visits) marks.push_back({visit.when, &of, visit.speed >= *fast});
  }
  if (found < fewest_cases || (kinds.size() < 2 && !in_memory)) return {};
  sort_by(marks, &Mark::when);
  return marks;
}

bool agree(const std::vector<Mark>& marks) {
  int pairs = 0, equal = 0;
  for (std::size_t i = 1; i < marks.size(); ++i) {
    if (marks[i].of == marks[i - 1].of) continue;
    ++pairs;
    if (marks[i].is_fast == marks[i - 1].is_fast) ++equal;
  }
  if (pairs < fewest_pairs) return false;
  const double share =
      static_cast<double>(std::ranges::count_if(marks, &Mark::is_fast)) / static_cast<double>(marks.size());
  const double chance = share * share + (1 - share) * (1 - share),
               agreement = static_cast<double>(equal) / pairs;
  return agreement >= std::max(least_agreement, chance + beyond_chance * (1 - chance));
}

// Drops marks that contradict both of their neighbours.
std::vector<Mark> without_strays(const std::vector<Mark>& marks) {
  std::vector<Mark> kept;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const bool inside = i > 0 && i + 1 < marks.size();
    if (inside && marks[i].is_fast != marks[i - 1].is_fast && marks[i].is_fast != marks[i + 1].is_fast)
      continue;
    kept.push_back(marks[i]);
  }
  return kept;
}

// Whether the machine was in the fast state at this visit; nothing if that is not known.
std::optional<bool> is_fast(const std::vector<Mark>& marks, std::size_t when) {
  const auto after = std::ranges::lower_bound(marks, when, {}, &Mark::when);
  if (after == marks.end()) return std::nullopt;
  if (after->when == when) return after->is_fast;
  if (after == marks.begin() || after->is_fast != (after - 1)->is_fast) return std::nullopt;
  return after->is_fast;
}

struct Cluster {
  const Cases* cases = nullptr;
  std::vector<Mark> marks;
};

// Cases that were visited at all, in the fast state, and in the slow one; without those that lost their race.
struct Visited {
  std::size_t all = 0, fast = 0, slow = 0;
};

Visited count_visited(const std::vector<Cluster>& clusters) {
  Visited count;
  for (const Cluster& cluster : clusters) {
    for (const auto& [unused, visits] : *cluster.cases) {
      if (visits.size() <= visits_of_losers) continue;
      const auto in = [&](bool fast) {
        return std::ranges::any_of(
            visits, [&](const Visit& visit) { return is_fast(cluster.marks, visit.when) == fast; });
      };
      ++count.all;
      if (in(true)) ++count.fast;
      if (in(false)) ++count.slow;
    }
  }
  return count;
}

}  // namespace

States find_states(const std::vector<const Sample*>& samples) {
  States states;
  const std::map<int, Cases> by_cluster = cases_by_cluster(samples);
  std::vector<Cluster> clusters;
  for (const auto& [cluster, cases] : by_cluster) {
    const std::vector<Mark> marks = marks_of(cases);
    if (!agree(marks)) continue;
    clusters.push_back({&cases, without_strays(marks)});
    states.clusters.insert(cluster);
  }
  const Visited visited = count_visited(clusters);
  states.faster = static_cast<double>(visited.fast) >= most * static_cast<double>(visited.all) ||
                  visited.fast >= visited.slow;
  for (const Cluster& cluster : clusters)
    for (const auto& [unused, visits] : *cluster.cases)
      for (const Visit& visit : visits)
        if (const auto fast = is_fast(cluster.marks, visit.when))
          states.reported[visit.sample] = *fast == states.faster;
  return states;
}

}  // namespace gable::model

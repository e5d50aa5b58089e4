#include "kmaf/engine/places.hpp"

#include <algorithm>
#include <compare>
#include <functional>
#include <limits>
#include <map>
#include <tuple>

#include "base/numbers.hpp"
#include "base/sorting.hpp"

namespace gable::kmaf {

namespace {

constexpr double idle_below = 0.25;  // of the CPU time of the second busiest thread

int count_of(const std::vector<bool>& flags) {
  return static_cast<int>(std::ranges::count(flags, true));
}

// One leaf of each core.
std::vector<int> cores_of(const Hierarchy& hierarchy) {
  return leaves_of_few_nodes(hierarchy, std::numeric_limits<int>::max(), true);
}

// The running threads on cores of their own.
std::optional<Mapping> on_own_cores(const AffinityMatrix& matrix, bool fits, const Hierarchy& hierarchy) {
  const int threads = matrix.threads();
  auto spread = map_threads_to(cores_of(hierarchy), matrix, threads, hierarchy);
  if (!spread || !fits) return spread;
  auto packed = map_threads_to(leaves_of_few_nodes(hierarchy, threads, true), matrix, threads, hierarchy);
  const auto cost = [&](const Mapping& mapping) { return mapping_cost(matrix, hierarchy, mapping); };
  return packed && cost(*packed) < cost(*spread) ? packed : spread;
}

std::vector<int> running_ones(const std::vector<bool>& runs) {
  std::vector<int> numbers;
  for (int thread = 0; thread < static_cast<int>(runs.size()); ++thread) {
    if (runs[index(thread)]) numbers.push_back(thread);
  }
  return numbers;
}

// Puts the idle threads onto leaves that have room, the busiest first: onto cores on which no thread runs,
// there onto those with the fewest threads, there near to where they are.
void place_idle(Mapping& mapping, const Activity& activity, const Mapping& now, const Hierarchy& hierarchy) {
  const int leaves = static_cast<int>(hierarchy.leaves.size());
  const int share = (static_cast<int>(mapping.size()) + leaves - 1) / leaves;
  const auto core_of = [&](int leaf) { return index(hierarchy.leaves[index(leaf)].core); };
  std::vector<int> load(index(leaves)), of_core(index(leaves));  // there are at most as many cores
  std::vector<bool> runs_there(index(leaves));
  const auto put = [&](std::size_t thread, int leaf) {
    mapping[thread] = leaf;
    ++load[index(leaf)];
    ++of_core[core_of(leaf)];
  };
  for (const int thread : running_ones(activity.runs)) {
    put(index(thread), mapping[index(thread)]);
    runs_there[core_of(mapping[index(thread)])] = true;
  }
  const auto disturbance = [&](int leaf, int from) {
    return std::tuple(load[index(leaf)] >= share, bool(runs_there[core_of(leaf)]), of_core[core_of(leaf)],
                      hierarchy.distance(from, leaf));
  };
  for (const int thread : activity.idle) {
    int best = 0;
    for (int leaf = 1; leaf < leaves; ++leaf) {
      if (disturbance(leaf, now[index(thread)]) < disturbance(best, now[index(thread)])) best = leaf;
    }
    put(index(thread), best);
  }
}

// All threads, with the running ones at `places`.
Mapping with_idle(const Mapping& places, const Activity& activity, const Mapping& now,
                  const Hierarchy& hierarchy) {
  Mapping mapping = now;
  const std::vector<int> numbers = running_ones(activity.runs);
  for (std::size_t i = 0; i < numbers.size(); ++i) mapping[index(numbers[i])] = places[i];
  place_idle(mapping, activity, now, hierarchy);
  return mapping;
}

}  // namespace

Activity activity_of(const std::vector<double>& seconds) {
  std::vector<double> busiest(std::min<std::size_t>(2, seconds.size()));
  std::ranges::partial_sort_copy(seconds, busiest, std::greater());
  Activity activity;
  for (std::size_t thread = 0; thread < seconds.size(); ++thread) {
    activity.runs.push_back(seconds[thread] < 0 || seconds[thread] >= idle_below * busiest.back());
    if (!activity.runs.back()) activity.idle.push_back(static_cast<int>(thread));
  }
  sort_down_by(activity.idle, [&](int thread) { return seconds[index(thread)]; });
  return activity;
}

bool is_crowded(const Mapping& mapping, const std::vector<bool>& runs, const Hierarchy& hierarchy) {
  std::vector<bool> used(hierarchy.leaves.size());  // by core, of which there are at most as many
  bool shared = false;
  for (std::size_t thread = 0; thread < mapping.size(); ++thread) {
    if (!runs[thread]) continue;
    const std::size_t core = index(hierarchy.leaves[index(mapping[thread])].core);
    shared = shared || used[core];
    used[core] = true;
  }
  return shared && count_of(runs) <= static_cast<int>(cores_of(hierarchy).size());
}

int nodes_used(const Mapping& mapping, const std::vector<bool>& runs, const Hierarchy& hierarchy) {
  std::vector<bool> used(hierarchy.nodes.size());
  for (std::size_t thread = 0; thread < mapping.size(); ++thread) {
    if (runs[thread]) used[index(hierarchy.leaves[index(mapping[thread])].node)] = true;
  }
  return count_of(used);
}

std::optional<Mapping> places_of(const AffinityMatrix& matrix, const Activity& activity, const Mapping& now,
                                 bool fits, const Hierarchy& hierarchy) {
  if (count_of(activity.runs) > static_cast<int>(cores_of(hierarchy).size()))
    return map_threads(matrix, matrix.threads(), hierarchy);
  const auto own = on_own_cores(matrix.of(running_ones(activity.runs)), fits, hierarchy);
  if (!own) return own;
  return with_idle(*own, activity, now, hierarchy);
}

Mapping dealt_in_turn(int threads, const Hierarchy& hierarchy) {
  struct Turn {
    int sibling = 0;  // number of the leaf on its core
    int core = 0;     // number of the core on its node
    int node = 0;
    int leaf = 0;
    auto operator<=>(const Turn&) const = default;
  };
  std::map<int, int> leaves_of_core, cores_of_node, number_of_core;
  std::vector<Turn> turns;
  for (int number = 0; number < static_cast<int>(hierarchy.leaves.size()); ++number) {
    const Leaf& leaf = hierarchy.leaves[index(number)];
    const int sibling = leaves_of_core[leaf.core]++;
    if (sibling == 0) number_of_core[leaf.core] = cores_of_node[leaf.node]++;
    turns.push_back({sibling, number_of_core[leaf.core], leaf.node, number});
  }
  std::ranges::sort(turns);
  Mapping mapping;
  for (int thread = 0; thread < threads; ++thread)
    mapping.push_back(turns[index(thread) % turns.size()].leaf);
  return mapping;
}

std::optional<Mapping> place_to_try(int number, const AffinityMatrix& matrix, const Activity& activity,
                                    const Mapping& now, const Hierarchy& hierarchy) {
  const bool all_fit = now.size() <= hierarchy.leaves.size();
  const Activity chosen = all_fit ? Activity{std::vector<bool>(now.size(), true), {}} : activity;
  const std::vector<int> numbers = running_ones(chosen.runs);
  const int count = static_cast<int>(numbers.size());
  std::optional<Mapping> places;
  if (number == 0) {
    const std::vector<int> few = leaves_of_few_nodes(hierarchy, count, false);
    if (few.size() == hierarchy.leaves.size()) return {};
    places = map_threads_to(few, matrix.of(numbers), count, hierarchy);
  } else if (number == 1) {
    places.emplace();
    for (const int thread : numbers) places->push_back(now[index(thread)]);
    std::ranges::sort(*places);
  } else {
    places = dealt_in_turn(count, hierarchy);
  }
  if (!places) return {};
  Mapping mapping = with_idle(*places, chosen, now, hierarchy);
  return mapping == now ? std::nullopt : std::optional(std::move(mapping));
}

}  // namespace gable::kmaf

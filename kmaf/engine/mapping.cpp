#include "kmaf/engine/mapping.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gable::kmaf {

namespace {

// Renames the parts of one level below the part that starts at slot `first`: each part of `mapping` gets the
// name of the part of `present` with which it shares most threads. Then continues inside the parts.
void rename_parts(const Mapping& present, Mapping& mapping, const Hierarchy& hierarchy, std::size_t level,
                  int first, int size) {
  if (level == hierarchy.levels.size()) return;
  const int arity = hierarchy.levels[level].arity, part = size / arity;
  std::vector<std::vector<int>> common(index(arity), std::vector<int>(index(arity)));
  for (std::size_t thread = 0; thread < mapping.size(); ++thread) {
    const int to = mapping[thread] - first, from = present[thread] - first;
    if (to < 0 || to >= size || from < 0 || from >= size) continue;
    ++common[index(to / part)][index(from / part)];
  }
  std::vector<int> name(index(arity), -1);
  std::vector<bool> taken(index(arity), false);
  for (int round = 0; round < arity; ++round) {
    int best = -1, best_name = -1;
    for (int i = 0; i < arity; ++i) {
      for (int j = 0; name[index(i)] < 0 && j < arity; ++j) {
        if (taken[index(j)]) continue;
        if (best < 0 || common[index(i)][index(j)] > common[index(best)][index(best_name)])
          best = i, best_name = j;
      }
    }
    name[index(best)] = best_name;
    taken[index(best_name)] = true;
  }
  for (int& leaf : mapping) {
    const int at = leaf - first;
    if (at >= 0 && at < size) leaf = first + name[index(at / part)] * part + at % part;
  }
  for (int i = 0; i < arity; ++i) {
    rename_parts(present, mapping, hierarchy, level + 1, first + i * part, part);
  }
}

// The change of cost when threads of a square matrix are exchanged, with a table of all distances.
class Exchange {
 public:
  Exchange(const AffinityMatrix& matrix, const Hierarchy& hierarchy, int threads)
      : matrix_(matrix), threads_(threads), leaves_(hierarchy.leaves.size()), distance_(leaves_ * leaves_) {
    for (std::size_t a = 0; a < leaves_; ++a) {
      for (std::size_t b = 0; b < leaves_; ++b)
        distance_[a * leaves_ + b] = hierarchy.distance(static_cast<int>(a), static_cast<int>(b));
    }
  }

  // The reduction of the cost when i and j are exchanged.
  double gain(const Mapping& mapping, int i, int j) const {
    const int* const from_i = &distance_[index(mapping[index(i)]) * leaves_];
    const int* const from_j = &distance_[index(mapping[index(j)]) * leaves_];
    double gain = 0;
    for (int k = 0; k < threads_; ++k) {
      if (k == i || k == j) continue;
      const std::size_t at = index(mapping[index(k)]);
      gain += (static_cast<double>(matrix_(i, k)) - static_cast<double>(matrix_(j, k))) *
              (from_i[at] - from_j[at]);
    }
    return gain;
  }

 private:
  const AffinityMatrix& matrix_;
  int threads_;
  std::size_t leaves_;
  std::vector<int> distance_;
};

// The nearest leaf to `from` that has fewer than `room` threads; -1: none. `load`: threads of each leaf.
int nearest_with_room(const Hierarchy& hierarchy, const std::vector<int>& load, int from, int room) {
  int best = -1;
  for (int leaf = 0; leaf < static_cast<int>(load.size()); ++leaf) {
    if (load[index(leaf)] >= room) continue;
    if (best < 0 || hierarchy.distance(from, leaf) < hierarchy.distance(from, best)) best = leaf;
  }
  return best;
}

}  // namespace

Mapping refined(Mapping mapping, const AffinityMatrix& matrix, const Hierarchy& hierarchy) {
  constexpr int most_passes = 16;
  const int threads = static_cast<int>(mapping.size());
  const Exchange exchange(matrix, hierarchy, threads);
  for (int pass = 0; pass < most_passes; ++pass) {
    bool improved = false;
    for (int i = 0; i < threads; ++i) {
      for (int j = 0; j < i; ++j) {
        if (exchange.gain(mapping, i, j) <= 0) continue;
        std::swap(mapping[index(i)], mapping[index(j)]);
        improved = true;
      }
    }
    if (!improved) break;
  }
  return mapping;
}

double mapping_cost(const AffinityMatrix& matrix, const Hierarchy& hierarchy, const Mapping& mapping) {
  double cost = 0;
  for (int i = 0; i < static_cast<int>(mapping.size()); ++i) {
    for (int j = 0; j < i; ++j) {
      if (matrix(i, j) != 0)
        cost += static_cast<double>(matrix(i, j)) * hierarchy.distance(mapping[index(i)], mapping[index(j)]);
    }
  }
  return cost;
}

double gain_in_deviations(const AffinityMatrix& matrix, const Hierarchy& hierarchy, const Mapping& mapping,
                          const Mapping& present) {
  double gain = 0, variance = 0;
  for (int i = 0; i < static_cast<int>(mapping.size()); ++i) {
    for (int j = 0; j < i; ++j) {
      const double nearer = hierarchy.distance(present[index(i)], present[index(j)]) -
                            hierarchy.distance(mapping[index(i)], mapping[index(j)]);
      gain += matrix(i, j) * nearer;
      variance += matrix(i, j) * nearer * nearer;
    }
  }
  return variance > 0 ? gain / std::sqrt(variance) : 0;
}

std::vector<int> leaves_of_few_nodes(const Hierarchy& hierarchy, int threads, bool own_cores) {
  std::vector<int> leaves;
  for (int leaf = 0; leaf < static_cast<int>(hierarchy.leaves.size()); ++leaf) {
    const Leaf& place = hierarchy.leaves[index(leaf)];
    const bool begins_node = leaf > 0 && place.node != hierarchy.leaves[index(leaf - 1)].node;
    if (begins_node && static_cast<int>(leaves.size()) >= threads) break;
    if (own_cores && leaf > 0 && place.core == hierarchy.leaves[index(leaf - 1)].core) continue;
    leaves.push_back(leaf);
  }
  return leaves;
}

std::optional<Mapping> map_threads_to(const std::vector<int>& leaves, const AffinityMatrix& matrix,
                                      int threads, const Hierarchy& hierarchy) {
  Hierarchy part = hierarchy;
  part.leaves.clear();
  for (const int leaf : leaves) part.leaves.push_back(hierarchy.leaves[index(leaf)]);
  auto mapping = map_threads(matrix, threads, part);
  for (int thread = 0; mapping && thread < threads; ++thread)
    (*mapping)[index(thread)] = leaves[index((*mapping)[index(thread)])];
  return mapping;
}

Mapping best_mapping(const AffinityMatrix& sharing, int threads, const Hierarchy& hierarchy) {
  const int leaves = static_cast<int>(hierarchy.leaves.size());
  Mapping in_order;
  for (int thread = 0; thread < threads; ++thread) in_order.push_back(thread % leaves);
  auto mapped = sharing.empty() ? std::nullopt : map_threads(sharing, threads, hierarchy);
  const bool pays =
      mapped && mapping_cost(sharing, hierarchy, *mapped) < mapping_cost(sharing, hierarchy, in_order);
  return pays ? std::move(*mapped) : in_order;
}

Mapping balanced(Mapping mapping, const Hierarchy& hierarchy, const std::vector<bool>& newcomers) {
  const int leaves = static_cast<int>(hierarchy.leaves.size());
  const int threads = static_cast<int>(mapping.size());
  const int share = (threads + leaves - 1) / leaves;
  std::vector<int> load(index(leaves));
  for (const int leaf : mapping) ++load[index(leaf)];
  std::vector<std::size_t> order(mapping.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!newcomers.empty())
    std::stable_partition(order.begin(), order.end(), [&](std::size_t thread) { return newcomers[thread]; });
  // Leaves with more threads than their share give some to the nearest leaf that has fewer.
  const auto relieve = [&](int most, int room) {
    for (const std::size_t thread : order) {
      int& leaf = mapping[thread];
      if (load[index(leaf)] <= most) continue;
      const int to = nearest_with_room(hierarchy, load, leaf, room);
      if (to < 0) return;
      --load[index(leaf)];
      ++load[index(to)];
      leaf = to;
    }
  };
  relieve(share, share);
  relieve(share - 1, share - 1);
  return mapping;
}

Mapping closest_to(const Mapping& present, Mapping mapping, const Hierarchy& hierarchy) {
  if (!hierarchy.is_regular() || present.size() != mapping.size()) return mapping;
  rename_parts(present, mapping, hierarchy, 0, 0, hierarchy.slots());
  return mapping;
}

}  // namespace gable::kmaf

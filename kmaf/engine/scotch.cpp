// The only file that uses Scotch: static mapping by dual recursive bipartitioning of the affinity graph and
// of a tree of processors.

#include <algorithm>

#include "kmaf/engine/mapping.hpp"

#ifdef GABLE_SCOTCH
// scotch.h uses FILE and the integers but includes neither.
#include <scotch.h>
#endif

namespace gable::kmaf {

#ifdef GABLE_SCOTCH

namespace {

// Scotch adds loads times distances in SCOTCH_Num, which has 32 bits in most builds.
constexpr double most_load = 1 << 22;

// The affinity graph in compressed rows, scaled so that sums stay small.
struct Graph {
  std::vector<SCOTCH_Num> first{0}, neighbour, load;
};

Graph graph_of(const AffinityMatrix& matrix, int threads) {
  double total = 0;
  for (int i = 0; i < threads; ++i) {
    for (int j = 0; j < i; ++j) total += matrix(i, j);
  }
  const double scale = std::min(1.0, most_load / std::max(total, 1.0));
  Graph graph;
  for (int i = 0; i < threads; ++i) {
    for (int j = 0; j < threads; ++j) {
      const auto load = static_cast<SCOTCH_Num>(scale * matrix(std::max(i, j), std::min(i, j)));
      if (i == j || load == 0) continue;
      graph.neighbour.push_back(j);
      graph.load.push_back(load);
    }
    graph.first.push_back(static_cast<SCOTCH_Num>(graph.neighbour.size()));
  }
  return graph;
}

// Owners of Scotch objects, which call the exit functions.
struct Arch {
  SCOTCH_Arch whole, part;
  bool has_part = false;
  ~Arch() {
    if (has_part) SCOTCH_archExit(&part);
    SCOTCH_archExit(&whole);
  }
};
struct Guarded {
  // A separate context with one thread and a fixed seed. So calls share no state, and the same graph always
  // gives the same mapping.
  SCOTCH_Context context;
  SCOTCH_Graph graph, bound;
  SCOTCH_Strat strategy;
  Guarded() {
    SCOTCH_contextInit(&context);
    SCOTCH_graphInit(&graph);
    SCOTCH_graphInit(&bound);
    SCOTCH_stratInit(&strategy);
  }
  Guarded(const Guarded&) = delete;
  ~Guarded() {
    SCOTCH_stratExit(&strategy);
    SCOTCH_graphExit(&bound);
    SCOTCH_graphExit(&graph);
    SCOTCH_contextExit(&context);
  }
};

// The tree of the hierarchy. The weight of a link is the cost of its level minus that of the level inside, so
// that the distance of two leaves is the cost of the level that separates them.
bool build(Arch& arch, const Hierarchy& hierarchy) {
  std::vector<SCOTCH_Num> arity, link;
  for (std::size_t level = 0; level < hierarchy.levels.size(); ++level) {
    const int inside = level + 1 < hierarchy.levels.size() ? hierarchy.levels[level + 1].cost : 0;
    arity.push_back(hierarchy.levels[level].arity);
    link.push_back(hierarchy.levels[level].cost - inside);
  }
  SCOTCH_archInit(&arch.whole);
  if (SCOTCH_archTleaf(&arch.whole, static_cast<SCOTCH_Num>(arity.size()), arity.data(), link.data()) != 0)
    return false;
  if (hierarchy.is_regular()) return true;
  std::vector<SCOTCH_Num> slots;
  for (const Leaf& leaf : hierarchy.leaves) slots.push_back(leaf.slot);
  SCOTCH_archInit(&arch.part);
  arch.has_part = true;
  return SCOTCH_archSub(&arch.part, &arch.whole, static_cast<SCOTCH_Num>(slots.size()), slots.data()) == 0;
}

bool prepare(Guarded& scotch, Graph& graph, int threads, int leaves) {
  return SCOTCH_contextOptionSetNum(&scotch.context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) == 0 &&
         SCOTCH_contextRandomClone(&scotch.context) == 0 &&
         (SCOTCH_contextRandomSeed(&scotch.context, 1), SCOTCH_contextRandomReset(&scotch.context), true) &&
         SCOTCH_contextThreadSpawn(&scotch.context, 1, nullptr) == 0 &&
         SCOTCH_graphBuild(&scotch.graph, 0, threads, graph.first.data(), graph.first.data() + 1, nullptr,
                           nullptr, static_cast<SCOTCH_Num>(graph.neighbour.size()), graph.neighbour.data(),
                           graph.load.data()) == 0 &&
         SCOTCH_contextBindGraph(&scotch.context, &scotch.graph, &scotch.bound) == 0 &&
         SCOTCH_stratGraphMapBuild(&scotch.strategy,
                                   SCOTCH_STRATRECURSIVE | SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE, leaves,
                                   0.0) == 0;
}

}  // namespace

Mapper mapper() {
  return {true, {}};
}

std::optional<Mapping> map_threads(const AffinityMatrix& matrix, int threads, const Hierarchy& hierarchy) {
  if (threads == 0) return Mapping{};
  if (hierarchy.leaves.size() == 1) return Mapping(static_cast<std::size_t>(threads), 0);
  Arch arch;
  if (!build(arch, hierarchy)) return {};
  Graph graph = graph_of(matrix, threads);
  Guarded scotch;
  if (!prepare(scotch, graph, threads, static_cast<int>(hierarchy.leaves.size()))) return {};
  std::vector<SCOTCH_Num> parts(static_cast<std::size_t>(threads));
  if (SCOTCH_graphMap(&scotch.bound, arch.has_part ? &arch.part : &arch.whole, &scotch.strategy,
                      parts.data()) != 0)
    return {};
  Mapping mapping(parts.begin(), parts.end());
  const auto outside = [&](int leaf) {
    return leaf < 0 || leaf >= static_cast<int>(hierarchy.leaves.size());
  };
  if (std::ranges::any_of(mapping, outside)) return {};
  return refined(balanced(std::move(mapping), hierarchy), matrix, hierarchy);
}

#else

Mapper mapper() {
  return {false, "built without Scotch (Debian's package is libscotch-dev)"};
}

std::optional<Mapping> map_threads(const AffinityMatrix&, int, const Hierarchy&) {
  return {};
}

#endif

}  // namespace gable::kmaf

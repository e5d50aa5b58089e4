#include "bench/apps/graphs/generate.hpp"

#include <fmt/core.h>

#include <bit>
#include <numeric>
#include <optional>
#include <random>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "bench/apps/graphs/edge_list.hpp"

namespace gable::bench {

namespace {

struct Known {
  std::string_view name;
  std::uint64_t vertices, edges;
  bool directed;
};

// Table 3.1. Its row for Stack Overflow repeats the one for Pokec, so it is left out.
constexpr Known known[] = {
    {"facebook", 4'039, 88'234, false},       {"epinions", 75'879, 508'837, true},
    {"pokec", 1'632'803, 30'622'564, true},   {"livejournal", 4'847'571, 68'993'773, true},
    {"orkut", 3'072'441, 117'185'083, false},
};

constexpr std::uint64_t usual_degree = 16;

struct Recipe {
  bool kronecker = false;
  std::uint64_t vertices = 0, edges = 0;
  bool directed = false;
};

std::optional<std::uint64_t> number(std::string_view text, std::uint64_t most) {
  const auto value = read_as<std::uint64_t>(text);
  return value && *value >= 1 && *value <= most ? value : std::nullopt;
}

Recipe recipe_of(const std::string& name) {
  const std::size_t colon = name.find(':');
  const std::string kind = name.substr(0, colon), rest = name.substr(colon + 1);
  for (const Known& graph : known) {
    if (rest == graph.name) return {kind == "kron", graph.vertices, graph.edges, graph.directed};
  }
  const std::size_t second = rest.find(':');
  const auto scale = number(rest.substr(0, second), 31);
  const auto degree = second == std::string::npos ? usual_degree : number(rest.substr(second + 1), 1'000'000);
  if (!scale || !degree) {
    throw Error::format(
        name,
        fmt::format(
            "give log2 of the number of vertices (1 to 31) and, if not {}, the edges per vertex, such as "
            "{}:20:8; or facebook, epinions, pokec, livejournal, orkut",
            usual_degree, kind));
  }
  const std::uint64_t vertices = std::uint64_t{1} << *scale;
  return {kind == "kron", vertices, vertices * *degree, false};
}

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  Vertex below(std::uint64_t limit) { return static_cast<Vertex>(unit() * static_cast<double>(limit)); }

 private:
  std::mt19937_64 engine_;
};

Edge kronecker_edge(Dice& dice, unsigned scale) {
  Edge edge{0, 0};
  for (unsigned bit = 0; bit < scale; ++bit) {
    const double draw = dice.unit();
    edge.from = edge.from << 1 | Vertex{draw >= 0.76};
    edge.to = edge.to << 1 | Vertex{(draw >= 0.57 && draw < 0.76) || draw >= 0.95};
  }
  return edge;
}

}  // namespace

bool is_generated(const std::string& name) {
  return name.starts_with("kron:") || name.starts_with("uniform:");
}

std::uint64_t bytes_to_generate(const std::string& name) {
  const Recipe recipe = recipe_of(name);
  return 16 * recipe.edges + 24 * recipe.vertices;  // the list and the rows; names, numbers and offsets
}

Graph generate_graph(const std::string& name, Crew& crew) {
  constexpr std::uint64_t piece_edges = EdgeList::piece_edges;
  const Recipe recipe = recipe_of(name);
  const auto scale = static_cast<unsigned>(std::bit_width(recipe.vertices - 1));
  EdgeList edges(recipe.edges, 1);
  for (std::uint64_t left = recipe.edges; left > 0; left -= std::min(left, piece_edges))
    edges.add({edges.room(), std::min(left, piece_edges)});
  crew.over(edges.pieces().size(), 1, [&](std::uint64_t p, std::uint64_t) {
    Dice dice(27491095 + p);
    for (Edge& edge : edges.pieces()[p].list()) {
      do {
        edge = recipe.kronecker ? kronecker_edge(dice, scale)
                                : Edge{dice.below(recipe.vertices), dice.below(recipe.vertices)};
      } while (edge.from >= recipe.vertices || edge.to >= recipe.vertices);
    }
  });
  Array<std::uint64_t> names(recipe.vertices);
  std::iota(names.begin(), names.end(), std::uint64_t{0});
  Graph graph = build_graph(std::move(edges), std::move(names), recipe.directed, crew);
  graph.directed_by_itself = recipe.directed;
  return graph;
}

std::string generated_name(const std::string& name) {
  const std::size_t usual = name.rfind(fmt::format(":{}", usual_degree));
  const bool says_usual = usual != std::string::npos && name.find(':') < usual &&
                          usual + fmt::format(":{}", usual_degree).size() == name.size();
  return says_usual ? name.substr(0, usual) : name;
}

}  // namespace gable::bench

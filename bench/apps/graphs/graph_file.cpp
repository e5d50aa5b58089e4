#include "bench/apps/graphs/graph_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "base/words.hpp"
#include "bench/apps/graphs/edge_text.hpp"
#include "bench/apps/graphs/name_table.hpp"

namespace gable::bench {

namespace {

Graph as_told(EdgeList edges, Array<std::uint64_t> names, bool by_itself, std::optional<bool> directed,
              Crew& crew) {
  Graph graph = build_graph(std::move(edges), std::move(names), directed.value_or(by_itself), crew);
  graph.directed_by_itself = by_itself;
  return graph;
}

constexpr const char* usual_banner = "%%MatrixMarket matrix coordinate pattern general";

// "rows columns entries" of Matrix Market.
struct MatrixSize {
  std::uint64_t rows = 0, columns = 0, entries = 0;
};

std::optional<MatrixSize> matrix_size(const std::string& line) {
  std::istringstream numbers(line);
  MatrixSize size;
  std::string more;
  if (line.find('-') != std::string::npos || !(numbers >> size.rows >> size.columns >> size.entries) ||
      numbers >> more || size.rows == 0)
    return std::nullopt;
  return size;
}

bool is_called_matrix_market(const std::string& path) {
  const std::string name = lower_case(path);
  return name.ends_with(".mtx") || name.ends_with(".mtx.gz");
}

Graph from_edge_list(TextSource& source, std::optional<bool> directed, Crew& crew) {
  const std::string& path = source.path();
  if (is_called_matrix_market(path))
    throw Error::format(path, 1,
                        fmt::format("a Matrix Market file begins with a line like '{}'; for an edge list use "
                                    "another suffix",
                                    usual_banner));
  const TextSource::NumberedLine first = source.first_line();
  EdgeText text;
  read_edge_text(text, source, 1, std::nullopt, crew);
  if (text.empty()) throw Error::format(path, "contains no edge; an edge is a line 'vertex vertex'");
  // The size line would become an edge.
  const auto size = matrix_size(first.text);
  if (size && size->rows == size->columns && size->rows == text.largest && size->entries + 1 == text.edges)
    throw Error::format(
        path, first.number,
        fmt::format("'{}' is the size of a matrix with these entries; put the line '{}' before it",
                    first.text, usual_banner));
  Array<std::uint64_t> names = number_vertices(text, source.path(), crew);
  return as_told(std::move(text.list), std::move(names), false, directed, crew);
}

// "%%MatrixMarket matrix coordinate pattern symmetric": whether the matrix is symmetric.
bool symmetric(const std::string& path, const std::string& banner) {
  std::istringstream words(lower_case(banner));
  std::string begin, object, format, field, symmetry;
  words >> begin >> object >> format >> field >> symmetry;
  if (object != "matrix" || format != "coordinate")
    throw Error::format(path, 1, fmt::format("a {} {}; a graph is a 'matrix coordinate'", object, format));
  if (symmetry != "general" && symmetry != "symmetric" && symmetry != "skew-symmetric" &&
      symmetry != "hermitian")
    throw Error::format(path, 1, fmt::format("'{}' is not a Matrix Market symmetry", symmetry));
  return symmetry != "general";
}

Graph from_matrix_market(TextSource& source, std::optional<bool> directed, Crew& crew) {
  const std::string& path = source.path();
  std::string banner;
  source.line(banner);
  const bool undirected = symmetric(path, banner);
  std::uint64_t line_number = 1;
  std::optional<MatrixSize> size;
  for (std::string line; !size;) {
    ++line_number;
    if (!source.line(line)) throw Error::format(path, "ends before the line 'rows columns entries'");
    if (line.find_first_not_of(" \t") == std::string::npos || line.starts_with('%')) continue;
    size = matrix_size(line);
    if (!size)
      throw Error::format(path, line_number, fmt::format("'{}' is not 'rows columns entries'", line));
  }
  const auto [rows, columns, entries] = *size;
  if (rows != columns)
    throw Error::format(path, line_number,
                        fmt::format("{} rows and {} columns; a graph's matrix is square", rows, columns));
  if (rows > std::numeric_limits<Vertex>::max())
    throw Error::format(
        path, line_number,
        fmt::format("{} vertices; at most {} are supported", rows, std::numeric_limits<Vertex>::max()));
  if (rows > source.most_bytes())
    throw Error::format(path, line_number,
                        fmt::format("{} vertices in a file of at most {} bytes", rows, source.most_bytes()));
  EdgeText text;
  read_edge_text(text, source, line_number + 1, rows, crew);
  if (text.edges != entries)
    throw Error::format(path, line_number,
                        fmt::format("the header says {} entries, the file has {}", entries, text.edges));
  for (const EdgePiece& piece : text.list.pieces()) {
    for (Edge& edge : piece.list()) edge = {edge.from - 1, edge.to - 1};
  }
  Array<std::uint64_t> names(rows);
  std::iota(names.begin(), names.end(), std::uint64_t{1});
  return as_told(std::move(text.list), std::move(names), !undirected, directed, crew);
}

// GAP's serialized graph: directed (1 byte), entries, vertices, offsets (8 bytes each), neighbours (4 bytes).
// A directed graph also has the in-edges in the same form; they follow from the out-edges.
class SerializedGraph {
 public:
  explicit SerializedGraph(const std::string& path) : file_(path) {}

  Graph read(std::optional<bool> directed, Crew& crew) {
    std::uint8_t is_directed = 0;
    std::int64_t entries = 0, vertices = 0;
    take(&is_directed, 1);
    take(&entries, 8);
    take(&vertices, 8);
    if (is_directed > 1 || entries < 0 || vertices < 1 || vertices > std::numeric_limits<Vertex>::max())
      fail(fmt::format("the header says {} vertices and {} edges", vertices, entries));
    const auto n = static_cast<std::uint64_t>(vertices), m = static_cast<std::uint64_t>(entries);
    if (n > file_.most_bytes() / 8 || m > file_.most_bytes() / 4) fail("it is shorter than its header says");
    EdgeList list = edges(n, m, is_directed != 0);
    if (is_directed == 0) expect_end();
    Array<std::uint64_t> names(n);
    std::iota(names.begin(), names.end(), std::uint64_t{0});
    return as_told(std::move(list), std::move(names), is_directed != 0, directed, crew);
  }

 private:
  // An undirected file has each edge from both ends; one is enough.
  EdgeList edges(std::uint64_t vertices, std::uint64_t entries, bool directed) {
    constexpr std::uint64_t piece_edges = EdgeList::piece_edges;
    Array<std::uint64_t> offsets(vertices + 1);
    take(offsets.data(), 8 * offsets.size());
    if (offsets[0] != 0 || offsets[vertices] != entries ||
        !std::ranges::is_sorted(offsets.begin(), offsets.end()))
      fail("its offsets do not match its header");
    EdgeList list(std::min(entries, file_.most_bytes() / 4), 1);
    EdgePiece piece;
    Array<Vertex> some(piece_edges);
    std::uint64_t at = 0, have = 0, from = 0;
    for (std::uint64_t i = 0; i < entries; ++i) {
      if (i == have) {
        at = have;
        have = std::min(entries, at + piece_edges);
        take(some.data(), 4 * (have - at));
      }
      while (i == offsets[from + 1]) ++from;
      const Vertex to = some[i - at];
      if (to >= vertices) fail(fmt::format("neighbour {}, but there are {} vertices", to, vertices));
      if (!directed && to < from) continue;
      if (piece.used == 0) piece.edges = list.room();
      piece.edges[piece.used++] = {static_cast<Vertex>(from), to};
      if (piece.used == piece_edges) list.add(std::exchange(piece, {}));
    }
    if (piece.used > 0) list.add(piece);
    list.close();
    return list;
  }

  void take(void* to, std::size_t bytes) {
    constexpr std::size_t at_once = 1u << 30;
    auto* at = static_cast<char*>(to);
    while (bytes > 0) {
      const std::size_t got = file_.read(at, std::min(bytes, at_once));
      if (got == 0) fail("it is shorter than its header says");
      at += got;
      bytes -= got;
    }
  }

  void expect_end() {
    char more = 0;
    if (file_.read(&more, 1) != 0) fail("it is longer than its header says");
  }

  [[noreturn]] void fail(const std::string& what) {
    throw Error::format(file_.path(), fmt::format("{}; is it a .sg file that GAP's converter wrote?", what));
  }

  PackedFile file_;
};

}  // namespace

Graph read_graph(const std::string& path, std::optional<bool> directed, Crew& crew) {
  if (path.ends_with(".sg") || path.ends_with(".sg.gz")) return SerializedGraph(path).read(directed, crew);
  TextSource source(path);
  return source.begins_with("%%matrixmarket") ? from_matrix_market(source, directed, crew)
                                              : from_edge_list(source, directed, crew);
}

}  // namespace gable::bench

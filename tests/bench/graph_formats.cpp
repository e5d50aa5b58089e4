// Graphs of every format are read as they were written, and errors in a file name its line.

#include <gtest/gtest.h>
#include <zlib.h>

#include <optional>
#include <sstream>

#include "expected_graphs.hpp"

namespace {

using namespace gable::bench;
using namespace gable::bench::tests;

TEST(GraphFile, FaultsInTheTextNameTheLine) {
  EXPECT_HAS(graph_error("1 2\n# x\n3 -4\n"), ":3: vertex -4 is negative");
  EXPECT_HAS(graph_error("1 2\n2\n"), ":2: one number");
  EXPECT_HAS(graph_error("1 2\n2 three\n"), ":2: 'three' is not a whole number");
  EXPECT_HAS(graph_error("1.5 2\n"), ":1: '.5'");
  EXPECT_HAS(graph_error("1 99999999999999999999\n"),
             ":1: vertex 99999999999999999999 does not fit in 64 bits");
  EXPECT_HAS(graph_error(""), "no edge");
  EXPECT_HAS(graph_error("# nothing\n"), "no edge");
  std::string long_text = edge_list(random_pairs(1, 900'000, 50'000));
  EXPECT_HAS(graph_error(long_text + "x\n"), ":900001: 'x'");
}

TEST(GraphFile, MissingFiles) {
  Team team;
  Crew crew = crew_of(team);
  EXPECT_THROW(read_graph("/nowhere/graph.txt", false, crew), gable::Error);
  EXPECT_THROW(read_graph("/", false, crew), gable::Error);
}

// A mark before the text hides no banner.
TEST(GraphFile, AMarkOfUtf8IsNoPartOfTheText) {
  const std::string matrix =
      "\xef\xbb\xbf%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n";
  EXPECT_EQ(read_text(matrix, true, ".mtx").edges, 2u);
  EXPECT_EQ(read_text("\xef\xbb\xbf"
                      "1 2\n2 3\n",
                      true)
                .edges,
            2u);
  EXPECT_HAS(graph_error("\xff\xfe?"), ".txt:1: the text is UTF-16: save it as UTF-8");
}

TEST(GraphFile, GzipWholeAndCutOff) {
  const Pairs pairs = random_pairs(9, 20'000, 900);
  const File file(".txt.gz", "");
  const gzFile out = gzopen(file.path().c_str(), "wb");
  const std::string text = edge_list(pairs);
  gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
  gzclose(out);
  Team team;
  Crew crew = crew_of(team);
  expect_same(read_graph(file.path(), true, crew), pairs, true);
  std::ostringstream whole;
  whole << std::ifstream(file.path(), std::ios::binary).rdbuf();
  EXPECT_HAS(graph_error(whole.str().substr(0, whole.str().size() / 2), ".txt.gz"), "cut off");
}

TEST(GraphFile, MatrixMarket) {
  const std::string banner = "%%MatrixMarket matrix coordinate ";
  Graph graph = read_text(banner + "pattern symmetric\n% words\n4 4 2\n2 1\n3 3\n", false, ".mtx");
  EXPECT_EQ(graph.vertices(), 4u);  // the last has no edge
  EXPECT_EQ(named(graph, graph.view().out), (Pairs{{1, 2}, {2, 1}, {3, 3}}));
  Team team;
  Crew crew = crew_of(team);
  const File general(".mtx", banner + "real general\n3 3 2\n1 2 0.5\n3 1 2.5\n");
  graph = read_graph(general.path(), std::nullopt, crew);
  EXPECT_TRUE(graph.directed);
  EXPECT_EQ(named(graph, graph.view().in), (Pairs{{1, 3}, {2, 1}}));
  EXPECT_HAS(graph_error(banner + "pattern general\n3 3 5\n1 2\n"),
             ":2: the header says 5 entries, the file has 1");
  EXPECT_HAS(graph_error(banner + "pattern general\n3 3 1\n1 4\n"), ":3: row or column 4 is outside 1 to 3");
  EXPECT_HAS(graph_error(banner + "pattern general\n3 3 1\n4 1\n"), ":3: row or column 4 is outside 1 to 3");
  EXPECT_HAS(graph_error(banner + "pattern general\n3 3 1\n0 1\n"), ":3: row or column 0 is outside 1 to 3");
  EXPECT_HAS(graph_error(banner + "pattern general\n3 3 1\n1 0\n"), ":3: row or column 0 is outside 1 to 3");
  EXPECT_HAS(graph_error(banner + "pattern general\n3 2 1\n1 2\n"), "square");
  EXPECT_HAS(graph_error("%%MatrixMarket matrix array real general\n3 3\n"), ":1: a matrix array");
  // The header alone must not decide how much memory is allocated.
  EXPECT_HAS(graph_error(banner + "pattern general\n2000000000 2000000000 1\n1 2\n"),
             ":2: 2000000000 vertices in a file");
}

// The size line must not become an edge.
TEST(GraphFile, MatrixMarketWithoutItsBanner) {
  const std::string matrix = "% words\n\n4 4 3\n2 1\n3 1\n4 3\n";
  EXPECT_HAS(graph_error(matrix, ".mtx"), ":1: a Matrix Market file begins with");
  EXPECT_HAS(graph_error("1 2\n2 3\n", ".MTX"), ":1: a Matrix Market file begins with");
  for (const char* ending : {".txt", ".el"})
    EXPECT_HAS(graph_error(matrix, ending), ":3: '4 4 3' is the size of a matrix with these entries");
  EXPECT_HAS(graph_error("4 4 3\r\n2 1\r\n3 1\r\n4 3", ".txt"), ":1: '4 4 3");
  // Edges with a weight each: a loop, of another vertex than the last, with another weight, more after it.
  const Pairs pairs = {{4, 4}, {2, 1}, {3, 1}, {4, 3}};
  expect_same(read_text("4 4 2\n2 1 1\n3 1 1\n4 3 1\n", false), pairs, false);
  expect_same(read_text("4 4 3 7\n2 1 1\n3 1 1\n4 3 1\n", false), pairs, false);
  expect_same(read_text("4 4 3\n2 1 1\n3 1 1\n4 5 1\n", false), {{4, 4}, {2, 1}, {3, 1}, {4, 5}}, false);
  expect_same(read_text("4 3 3\n2 1\n3 1\n4 4\n", false), pairs, false);
}

// GAP's format, written by hand.
std::string serialized(bool directed, std::int64_t entries, const std::vector<std::int64_t>& offsets,
                       const std::vector<std::int32_t>& neighbours) {
  const auto vertices = static_cast<std::int64_t>(offsets.size()) - 1;
  std::string bytes(1, directed ? '\1' : '\0');
  bytes.append(reinterpret_cast<const char*>(&entries), 8);
  bytes.append(reinterpret_cast<const char*>(&vertices), 8);
  bytes.append(reinterpret_cast<const char*>(offsets.data()), 8 * offsets.size());
  bytes.append(reinterpret_cast<const char*>(neighbours.data()), 4 * neighbours.size());
  return bytes;
}

TEST(GraphFile, Serialized) {
  // A path 0 - 1 - 2, and 3 alone.
  const std::string path = serialized(false, 4, {0, 1, 3, 4, 4}, {1, 0, 2, 1});
  const Graph graph = read_text(path, false, ".sg");
  EXPECT_EQ(graph.vertices(), 4u);
  EXPECT_EQ(graph.edges, 2u);
  EXPECT_EQ(named(graph, graph.view().out), (Pairs{{0, 1}, {1, 0}, {1, 2}, {2, 1}}));
  EXPECT_HAS(graph_error(path.substr(0, path.size() - 4), ".sg"), "is shorter than its header says");
  EXPECT_HAS(graph_error(path + "more", ".sg"), "longer than its header says");
  EXPECT_HAS(graph_error(serialized(false, 5, {0, 1, 3, 4, 4}, {1, 0, 2, 1, 0}), ".sg"), "do not match");
  EXPECT_HAS(graph_error(serialized(false, 4, {0, 1, 3, 4, 4}, {1, 0, 9, 1}), ".sg"), "neighbour 9");
}

}  // namespace

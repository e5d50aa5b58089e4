// Edge lists of any size, order and names are read as they were written.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <random>
#include <thread>

#include "expected_graphs.hpp"

namespace {

using namespace gable::bench;
using namespace gable::bench::tests;

TEST(GraphFile, EdgeListsOfAllKindsOfNames) {
  for (const bool directed : {false, true}) {
    for (const std::uint64_t stride : {1ull, 7ull, 100'003ull, 5'000'000'000ull}) {
      SCOPED_TRACE(testing::Message() << directed << " " << stride);
      const Pairs pairs = random_pairs(static_cast<unsigned>(stride % 97), 3000, 500, stride);
      expect_same(read_text(edge_list(pairs), directed), pairs, directed);
    }
  }
}

TEST(GraphFile, ManyBlocksOfText) {
  const Pairs pairs = random_pairs(3, 1'000'000, 50'000);  // over 10 MB
  const Graph graph = read_text(edge_list(pairs), true);
  EXPECT_EQ(named(graph, graph.view().out), expected_rows(pairs, true, false));
}

// Only some blocks have names beyond 32 bits: earlier names are numbered later.
TEST(GraphFile, LongNamesInTheMiddle) {
  Pairs pairs = random_pairs(3, 400'000, 20'000, 211'111);
  const Pairs more = random_pairs(4, 400'000, 20'000, 900'000'000'001);
  pairs.insert(pairs.begin() + 200'000, more.begin(), more.end());
  const Graph graph = read_text(edge_list(pairs), true);
  EXPECT_EQ(named(graph, graph.view().out), expected_rows(pairs, true, false));
}

TEST(GraphFile, MostEdgesFirst) {
  const Graph graph = read_text(edge_list(random_pairs(5, 5000, 700)), false);
  const Rows rows = graph.view().out;
  // Vertices are numbered by the degree in the file, where a repeated edge counts twice: not strictly
  // descending.
  EXPECT_GT(rows.degree(0), rows.degree(graph.vertices() - 1));
  std::uint64_t first = 0, second = 0;
  for (Vertex v = 0; v < graph.vertices(); ++v) (v < graph.vertices() / 2 ? first : second) += rows.degree(v);
  EXPECT_GT(first, second);
}

TEST(GraphFile, ALocalOrderIsKept) {
  Pairs pairs;  // a path with a branch at every seventh vertex
  for (std::uint64_t v = 0; v < 300'000; ++v) {
    pairs.push_back({v, v + 1});
    if (v % 7 == 0) pairs.push_back({v, v + 3});
  }
  const Graph graph = read_text(edge_list(pairs), false);
  const Rows rows = graph.view().out;
  constexpr std::uint64_t together = 4096;
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    ASSERT_EQ(graph.ids[v] / together, v / together);
    ASSERT_TRUE(v % together == 0 || rows.degree(v) <= rows.degree(v - 1));
    for (const Vertex u : rows.of(v)) {
      const std::uint64_t low = std::min(graph.ids[u], graph.ids[v]),
                          high = std::max(graph.ids[u], graph.ids[v]);
      ASSERT_TRUE(high == low + 1 || (high == low + 3 && low % 7 == 0)) << low << " " << high;
    }
  }
  EXPECT_EQ(graph.edges, pairs.size());
  std::ranges::shuffle(pairs, std::mt19937(1));  // the order of lines says nothing
  EXPECT_TRUE(std::ranges::equal(read_text(edge_list(pairs), false).ids, graph.ids));
}

TEST(GraphFile, ExtraTextOnLinesIsIgnored) {
  const Pairs pairs = {{1, 2}, {2, 3}, {3, 3}};
  expect_same(read_text("# comment\n% comment\n\n 1 2 0.5 17\r\n2,3\n3;3 x", false), pairs, false);
}

TEST(GraphFile, NamesOfAllLengths) {
  Pairs pairs = {{4294967294, 4294967295}, {4294967295, 4294967296}, {0, 18446744073709551615u}};
  std::uint64_t name = 1;
  for (int digits = 1; digits <= 19; ++digits, name *= 10)
    pairs.insert(pairs.end(), {{name, 9 * name}, {name - 1, name}});
  expect_same(read_text(edge_list(pairs), true), pairs, true);
  expect_same(read_text("007 00000000000000000000012\n", true), {{7, 12}}, true);
}

TEST(GraphFile, LastLineWithoutEnd) {
  for (const std::string text : {"1 2\n2 3", "1 2\n2 3 ", "1 2\n2 3\t5", "1 2\r\n2 3\r", "1 2\n  2   3"})
    expect_same(read_text(text, true), {{1, 2}, {2, 3}}, true);
  EXPECT_HAS(graph_error("1 2\n2"), ":2: one number");
  EXPECT_HAS(graph_error("1 2\n2 "), ":2: one number");
  // Behind the end is older data of the thread, which may look like more digits of the number.
  Team team;
  Crew one(team, {crew_of(team).cpus().front()});
  for (std::uint64_t last = 10; last < 18; ++last) {
    std::string text;
    while (text.size() < (5u << 20) + 100 * last) text += "1111 1112\n";
    const File file(".txt", text + "1111 " + std::to_string(last));
    EXPECT_EQ(read_graph(file.path(), true, one).ids[1], last);
  }
}

TEST(GraphFile, LongComments) {
  for (const std::size_t bytes : {std::size_t{65'000}, std::size_t{70'000}, std::size_t{5'000'000}}) {
    std::string text;
    while (text.size() < bytes) text += "# a line of the header\n";
    expect_same(read_text(text + "1 2\n2 3\n", false), {{1, 2}, {2, 3}}, false);
  }
  expect_same(read_text("#" + std::string(100'000, '-') + "\n1 2\n2 3", false), {{1, 2}, {2, 3}}, false);
}

TEST(GraphFile, OneVertex) {
  const Graph graph = read_text("7 7\n", false);
  EXPECT_EQ(graph.vertices(), 1u);
  EXPECT_EQ(graph.edges, 1u);
  EXPECT_EQ(graph.ids[0], 7u);
}

TEST(GraphFile, OneVertexWithNearlyAllEdges) {
  const std::uint64_t hub = 5;
  Pairs pairs = random_pairs(7, 5000, 90'000);
  for (std::uint64_t v = 0; v < 300'000; ++v)
    pairs.push_back(v % 2 == 0 ? std::pair{v % 99'991, hub} : std::pair{hub, v % 99'991});
  std::ranges::shuffle(pairs, std::mt19937_64(8));
  for (const bool directed : {false, true})
    expect_same(read_text(edge_list(pairs), directed), pairs, directed);
}

TEST(GraphFile, ThroughAPipe) {
  const std::string path = testing::TempDir() + "gable-pipe-" + std::to_string(getpid());
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const Pairs pairs = random_pairs(2, 100'000, 3000);
  std::thread writer([&] { std::ofstream(path) << edge_list(pairs); });
  Team team;
  Crew crew = crew_of(team);
  const Graph graph = read_graph(path, true, crew);
  writer.join();
  std::remove(path.c_str());
  expect_same(graph, pairs, true);
}

// A compressed file could expand a thousandfold; the address space may not suffice for that.
TEST(GraphFile, LittleAddressSpace) {
#ifdef GABLE_SANITIZER
  GTEST_SKIP() << "a sanitizer itself takes more address space";
#endif
  const Pairs pairs = random_pairs(6, 200'000, 900);
  const File file(".txt.gz", "");
  const gzFile out = gzopen(file.path().c_str(), "wb");
  const std::string text = edge_list(pairs);
  gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
  gzclose(out);
  const auto read = [&] {
    const rlimit few{std::uint64_t{1} << 30, RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &few) != 0) std::_Exit(2);
    Team team;
    Crew crew = crew_of(team);
    std::_Exit(read_graph(file.path(), true, crew).vertices() == 900 ? 0 : 1);
  };
  EXPECT_EXIT(read(), testing::ExitedWithCode(0), "");
}

}  // namespace

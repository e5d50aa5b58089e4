// Graphs are read as they were written, and errors in a file name its line.

#include <sys/resource.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <random>
#include <thread>

#include "base/error.hpp"
#include "bench/apps/graphs/generate.hpp"
#include "graphs.hpp"

namespace {

using namespace gable::bench;
using namespace gable::bench::tests;

template <typename Value>
std::vector<Value> sorted_once(std::vector<Value> values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// The expected rows.
Pairs expected(const Pairs& pairs, bool directed, bool turned) {
  Pairs entries;
  for (const auto& [from, to] : pairs) {
    if (!turned || !directed) entries.emplace_back(from, to);
    if (turned || !directed) entries.emplace_back(to, from);
  }
  return sorted_once(std::move(entries));
}

void expect_same(const Graph& graph, const Pairs& pairs, bool directed) {
  const GraphView view = graph.view();
  EXPECT_EQ(named(graph, view.out), expected(pairs, directed, false));
  EXPECT_EQ(named(graph, view.in), expected(pairs, directed, true));
  std::vector<std::uint64_t> names, loops;
  Pairs different;
  for (const auto& [from, to] : pairs) {
    names.insert(names.end(), {from, to});
    if (from == to) loops.push_back(from);
    different.push_back(directed ? std::pair(from, to) : std::minmax({from, to}));
  }
  loops = sorted_once(std::move(loops));
  different = sorted_once(std::move(different));
  EXPECT_EQ(graph.vertices(), sorted_once(std::move(names)).size());
  EXPECT_EQ(graph.edges, different.size());
  EXPECT_EQ(graph.self_loops, loops.size());
  EXPECT_EQ(graph.duplicates, pairs.size() - different.size());
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    EXPECT_TRUE(std::ranges::is_sorted(view.out.of(v)));
    EXPECT_TRUE(std::ranges::is_sorted(view.in.of(v)));
  }
}

std::string error_of(const std::string& text, const std::string& ending = ".txt") {
  try {
    read_text(text, false, ending);
  } catch (const gable::Error& error) {
    return error.what();
  }
  return "no error";
}

#define EXPECT_HAS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)

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
  EXPECT_EQ(named(graph, graph.view().out), expected(pairs, true, false));
}

// Only some blocks have names beyond 32 bits: earlier names are numbered later.
TEST(GraphFile, LongNamesInTheMiddle) {
  Pairs pairs = random_pairs(3, 400'000, 20'000, 211'111);
  const Pairs more = random_pairs(4, 400'000, 20'000, 900'000'000'001);
  pairs.insert(pairs.begin() + 200'000, more.begin(), more.end());
  const Graph graph = read_text(edge_list(pairs), true);
  EXPECT_EQ(named(graph, graph.view().out), expected(pairs, true, false));
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
  EXPECT_HAS(error_of("1 2\n2"), ":2: one number");
  EXPECT_HAS(error_of("1 2\n2 "), ":2: one number");
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

TEST(GraphFile, OneVertex) {
  const Graph graph = read_text("7 7\n", false);
  EXPECT_EQ(graph.vertices(), 1u);
  EXPECT_EQ(graph.edges, 1u);
  EXPECT_EQ(graph.ids[0], 7u);
}

TEST(GraphFile, FaultsInTheTextNameTheLine) {
  EXPECT_HAS(error_of("1 2\n# x\n3 -4\n"), ":3: vertex -4 is negative");
  EXPECT_HAS(error_of("1 2\n2\n"), ":2: one number");
  EXPECT_HAS(error_of("1 2\n2 three\n"), ":2: 'three' is not a whole number");
  EXPECT_HAS(error_of("1.5 2\n"), ":1: '.5'");
  EXPECT_HAS(error_of("1 99999999999999999999\n"), ":1: vertex 99999999999999999999 does not fit in 64 bits");
  EXPECT_HAS(error_of(""), "no edge");
  EXPECT_HAS(error_of("# nothing\n"), "no edge");
  std::string long_text = edge_list(random_pairs(1, 900'000, 50'000));
  EXPECT_HAS(error_of(long_text + "x\n"), ":900001: 'x'");
}

TEST(GraphFile, MissingFiles) {
  Team team;
  Crew crew = crew_of(team);
  EXPECT_THROW(read_graph("/nowhere/graph.txt", false, crew), gable::Error);
  EXPECT_THROW(read_graph("/", false, crew), gable::Error);
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
  EXPECT_HAS(error_of(whole.str().substr(0, whole.str().size() / 2), ".txt.gz"), "cut off");
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
  EXPECT_HAS(error_of(banner + "pattern general\n3 3 5\n1 2\n"),
             ":2: the header says 5 entries, the file has 1");
  EXPECT_HAS(error_of(banner + "pattern general\n3 3 1\n1 4\n"), ":3: row or column 4 is outside 1 to 3");
  EXPECT_HAS(error_of(banner + "pattern general\n3 3 1\n4 1\n"), ":3: row or column 4 is outside 1 to 3");
  EXPECT_HAS(error_of(banner + "pattern general\n3 3 1\n0 1\n"), ":3: row or column 0 is outside 1 to 3");
  EXPECT_HAS(error_of(banner + "pattern general\n3 3 1\n1 0\n"), ":3: row or column 0 is outside 1 to 3");
  EXPECT_HAS(error_of(banner + "pattern general\n3 2 1\n1 2\n"), "square");
  EXPECT_HAS(error_of("%%MatrixMarket matrix array real general\n3 3\n"), ":1: a matrix array");
  // The header alone must not decide how much memory is allocated.
  EXPECT_HAS(error_of(banner + "pattern general\n2000000000 2000000000 1\n1 2\n"),
             ":2: 2000000000 vertices in a file");
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
  EXPECT_HAS(error_of(path.substr(0, path.size() - 4), ".sg"), "is shorter than its header says");
  EXPECT_HAS(error_of(path + "more", ".sg"), "longer than its header says");
  EXPECT_HAS(error_of(serialized(false, 5, {0, 1, 3, 4, 4}, {1, 0, 2, 1, 0}), ".sg"), "do not match");
  EXPECT_HAS(error_of(serialized(false, 4, {0, 1, 3, 4, 4}, {1, 0, 9, 1}), ".sg"), "neighbour 9");
}

TEST(Generate, TheSameWithAnyNumberOfThreads) {
  Team team;
  Crew all = crew_of(team);
  Crew one(team, {all.cpus().front()});
  for (const std::string name : {"kron:10", "uniform:9:40", "kron:epinions"}) {
    const Graph a = generate_graph(name, one), b = generate_graph(name, all);
    EXPECT_EQ(named(a, a.view().out), named(b, b.view().out)) << name;
  }
  const Graph facebook = generate_graph("uniform:facebook", all);
  EXPECT_EQ(facebook.vertices(), 4039u);
  EXPECT_EQ(facebook.edges + facebook.duplicates, 88'234u);
  EXPECT_FALSE(facebook.directed);
}

TEST(Generate, OnlyDescriptionsAreGenerated) {
  for (const char* name : {"kron:20", "kron:20:8", "kron:pokec", "uniform:20", "uniform:facebook"})
    EXPECT_TRUE(is_generated(name)) << name;
  for (const char* name : {"kron", "uniform.txt", "graphs/kron:20", "pokec.mtx", "20"})
    EXPECT_FALSE(is_generated(name)) << name << " is a file";
}

TEST(Generate, InvalidRecipesAreRefused) {
  Team team;
  Crew crew = crew_of(team);
  for (const char* name : {"kron:", "kron:0", "kron:32", "kron:x", "uniform:5:0", "uniform:5:", "kron:5:6:7"})
    EXPECT_THROW(generate_graph(name, crew), gable::Error) << name;
}

}  // namespace

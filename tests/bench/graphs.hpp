#pragma once

// Graphs for the tests of the workloads.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "bench/apps/graphs/graph_file.hpp"
#include "machines.hpp"

namespace gable::bench::tests {

/// All hardware threads that this process may use, at most four.
inline Crew crew_of(Team& team) {
  std::vector<unsigned> cpus = pus_of(machines::this_machine().clusters.at(0), 0, true);
  if (cpus.size() > 4) cpus.resize(4);
  return {team, cpus};
}

/// A file that is removed at the end of the test.
class File {
 public:
  File(const std::string& ending, const std::string& content)
      : path_(testing::TempDir() + "gable-" + std::to_string(getpid()) + "-" + std::to_string(++count()) +
              ending) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~File() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  static int& count() {
    static int made = 0;
    return made;
  }
  std::string path_;
};

using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

inline std::string edge_list(const Pairs& pairs) {
  std::ostringstream text;
  for (const auto& [from, to] : pairs) text << from << '\t' << to << '\n';
  return text.str();
}

inline Pairs random_pairs(unsigned seed, std::size_t count, std::uint64_t names, std::uint64_t stride = 1) {
  std::mt19937_64 engine(seed);
  Pairs pairs;
  for (std::size_t i = 0; i < count; ++i) {
    // The numbers are squared, so that some vertices have many edges.
    const auto draw = [&] {
      const double unit = std::uniform_real_distribution<>(0, 1)(engine);
      return static_cast<std::uint64_t>(unit * unit * static_cast<double>(names)) * stride;
    };
    const std::uint64_t from = draw();
    pairs.emplace_back(from, draw());
  }
  return pairs;
}

inline Graph read_text(const std::string& text, bool directed, const std::string& ending = ".txt") {
  Team team;
  Crew crew = crew_of(team);
  return read_graph(File(ending, text).path(), directed, crew);
}

/// The rows by the names of the file, in order.
inline Pairs named(const Graph& graph, const Rows& rows) {
  Pairs entries;
  for (Vertex v = 0; v < graph.vertices(); ++v) {
    for (const Vertex w : rows.of(v)) entries.emplace_back(graph.ids[v], graph.ids[w]);
  }
  std::ranges::sort(entries);
  return entries;
}

}  // namespace gable::bench::tests

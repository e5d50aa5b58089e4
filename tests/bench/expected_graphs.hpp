#pragma once

// Graphs as their files describe them, and why a file is refused.

#include "base/error.hpp"
#include "graphs.hpp"

namespace gable::bench::tests {

template <typename Value>
std::vector<Value> sorted_once(std::vector<Value> values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// The expected rows.
inline Pairs expected_rows(const Pairs& pairs, bool directed, bool turned) {
  Pairs entries;
  for (const auto& [from, to] : pairs) {
    if (!turned || !directed) entries.emplace_back(from, to);
    if (turned || !directed) entries.emplace_back(to, from);
  }
  return sorted_once(std::move(entries));
}

inline void expect_same(const Graph& graph, const Pairs& pairs, bool directed) {
  const GraphView view = graph.view();
  EXPECT_EQ(named(graph, view.out), expected_rows(pairs, directed, false));
  EXPECT_EQ(named(graph, view.in), expected_rows(pairs, directed, true));
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

/// The error of reading this text.
inline std::string graph_error(const std::string& text, const std::string& ending = ".txt") {
  try {
    read_text(text, false, ending);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace gable::bench::tests

#define EXPECT_HAS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)

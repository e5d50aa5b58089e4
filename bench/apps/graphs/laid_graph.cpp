#include "bench/apps/graphs/laid_graph.hpp"

#include <cstring>

namespace gable::bench {

namespace {

template <class T>
std::uint64_t pages_of(const Array<T>& array) {
  return whole_pages(array.size() * sizeof(T));
}

// Copies an array to `at` and advances `at` behind it.
template <class T>
std::span<const T> copy(const Array<T>& from, std::byte*& at, Crew& crew) {
  std::byte* const to = at;
  const auto* bytes = reinterpret_cast<const std::byte*>(from.data());
  crew.over(from.size() * sizeof(T), 1u << 20, [&](std::uint64_t begin, std::uint64_t end) {
    std::memcpy(to + begin, bytes + begin, end - begin);
  });
  at += pages_of(from);
  return {reinterpret_cast<const T*>(to), from.size()};
}

}  // namespace

std::uint64_t LaidGraph::bytes(const Graph& graph) {
  return pages_of(graph.out_offsets) + pages_of(graph.out_neighbours) + pages_of(graph.in_offsets) +
         pages_of(graph.in_neighbours);
}

LaidGraph::LaidGraph(const Graph& graph, std::span<std::byte> memory, Crew& crew) {
  touch(memory, crew);
  std::byte* at = memory.data();
  view_.out.offsets = copy(graph.out_offsets, at, crew);
  view_.out.neighbours = copy(graph.out_neighbours, at, crew);
  view_.in = view_.out;
  if (!graph.directed) return;
  view_.in.offsets = copy(graph.in_offsets, at, crew);
  view_.in.neighbours = copy(graph.in_neighbours, at, crew);
}

void touch(std::span<std::byte> memory, Crew& crew) {
  crew.over(memory.size(), 1u << 20, [&](std::uint64_t begin, std::uint64_t end) {
    std::memset(memory.data() + begin, 0, end - begin);
  });
}

}  // namespace gable::bench

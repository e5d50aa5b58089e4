// The temporary data of a search, and its layout in one block of memory.

#include "bench/apps/bfs/bfs.hpp"

namespace gable::bench {

namespace {

constexpr std::uint64_t cache_line = 64;

std::uint64_t in_whole_lines(std::uint64_t bytes) {
  return (bytes + cache_line - 1) / cache_line * cache_line;
}

std::uint64_t queue_room(Vertex vertices, std::size_t threads) {
  return (vertices / BfsScratch::chunk + 1 + threads) * BfsScratch::chunk;
}

std::uint64_t words(Vertex vertices) {
  return vertices / 64 + 1;
}

}  // namespace

std::uint64_t BfsScratch::bytes(Vertex vertices, std::size_t threads) {
  return in_whole_lines(4ull * vertices) + 2 * in_whole_lines(4 * queue_room(vertices, threads)) +
         3 * in_whole_lines(8 * words(vertices));
}

BfsScratch BfsScratch::in(std::span<std::byte> memory, Vertex vertices, std::size_t threads) {
  std::byte* at = memory.data();
  const auto cut = [&at]<class T>(std::span<T>& to, std::uint64_t count) {
    to = {reinterpret_cast<T*>(at), count};
    at += in_whole_lines(sizeof(T) * count);
  };
  BfsScratch scratch;
  cut(scratch.depth, vertices);
  cut(scratch.visited, words(vertices));
  for (auto& queue : scratch.queue) cut(queue, queue_room(vertices, threads));
  for (auto& bits : scratch.bits) cut(bits, words(vertices));
  return scratch;
}

}  // namespace gable::bench

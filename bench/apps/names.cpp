#include "bench/apps/names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <unordered_map>

namespace gable::bench {

namespace {

// A bit for every name that could be, where these are not too many beside the edges.
class Bitmap {
 public:
  explicit Bitmap(std::uint64_t largest) : words_(largest / 64 + 1), before_(largest / 64 + 1) {}

  void add(Vertex name) {
    const std::atomic_ref word(words_[name / 64]);
    const std::uint64_t bit = std::uint64_t{1} << name % 64;
    if ((word.load(std::memory_order_relaxed) & bit) == 0) word.fetch_or(bit, std::memory_order_relaxed);
  }

  // All names, ascending; from then on number() is known.
  Array<std::uint64_t> names() {
    std::uint64_t count = 0;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      before_[w] = static_cast<Vertex>(count);
      count += static_cast<std::uint64_t>(std::popcount(words_[w]));
    }
    Array<std::uint64_t> names(count);
    std::uint64_t* to = names.begin();
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1)
        *to++ = w * 64 + static_cast<std::uint64_t>(std::countr_zero(left));
    }
    return names;
  }

  Vertex number(Vertex name) const {
    const std::uint64_t below = (std::uint64_t{1} << name % 64) - 1;
    return before_[name / 64] + static_cast<Vertex>(std::popcount(words_[name / 64] & below));
  }

 private:
  Array<std::uint64_t> words_;
  Array<Vertex> before_;  // names in the words before
};

Array<std::uint64_t> number_dense(EdgeText& text, Crew& crew) {
  Bitmap present(text.largest);
  crew.over(text.narrow.pieces().size(), 1, [&](std::uint64_t piece, std::uint64_t) {
    for (const Edge& edge : text.narrow.pieces()[piece].list()) {
      present.add(edge.from);
      present.add(edge.to);
    }
  });
  Array<std::uint64_t> names = present.names();
  if (names.size() == text.largest + 1) return names;  // no gaps: they are the numbers
  crew.over(text.narrow.pieces().size(), 1, [&](std::uint64_t piece, std::uint64_t) {
    for (Edge& edge : text.narrow.pieces()[piece].list())
      edge = {present.number(edge.from), present.number(edge.to)};
  });
  return names;
}

Array<std::uint64_t> number_sparse(EdgeText& text, const std::string& path) {
  std::unordered_map<std::uint64_t, Vertex> numbers;
  const auto for_all = [&](const auto& job) {
    for (const EdgePiece& piece : text.narrow.pieces()) {
      for (Edge& edge : piece.list()) job(edge.from, edge.to);
    }
    for (auto& list : text.wide) {
      for (WideEdge& edge : list) job(edge.from, edge.to);
    }
  };
  for_all([&](auto& from, auto& to) {
    numbers.try_emplace(from);
    numbers.try_emplace(to);
  });
  if (numbers.size() > std::numeric_limits<Vertex>::max())
    throw GraphError(fmt::format("{}: {} vertices; at most {} can be had", path, numbers.size(),
                                 std::numeric_limits<Vertex>::max()));
  Array<std::uint64_t> names(numbers.size());
  std::ranges::transform(numbers, names.begin(), [](const auto& entry) { return entry.first; });
  std::ranges::sort(names.begin(), names.end());
  for (std::size_t i = 0; i < names.size(); ++i) numbers[names[i]] = static_cast<Vertex>(i);
  for_all([&](auto& from, auto& to) {
    from = numbers[from];
    to = numbers[to];
  });
  for (auto& list : text.wide) {
    for (std::size_t begin = 0; begin < list.size(); begin += EdgeList::piece_edges) {
      const EdgePiece piece{text.narrow.room(), std::min(list.size() - begin, EdgeList::piece_edges)};
      std::transform(&list[begin], &list[begin] + piece.used, piece.edges, [](const WideEdge& edge) {
        return Edge{static_cast<Vertex>(edge.from), static_cast<Vertex>(edge.to)};
      });
      text.narrow.add(piece);
    }
    list = {};
  }
  text.wide.clear();
  return names;
}

}  // namespace

Array<std::uint64_t> number_vertices(EdgeText& text, const std::string& path, Crew& crew) {
  const bool dense = text.wide.empty() && text.largest / 32 <= text.edges + (1u << 20);
  return dense ? number_dense(text, crew) : number_sparse(text, path);
}

}  // namespace gable::bench

#include "bench/apps/graphs/names.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>

namespace gable::bench {

namespace {

// A bit for every possible name, if these are not too many compared with the edges.
class Bitmap {
 public:
  explicit Bitmap(std::uint64_t largest) : words_(largest / 64 + 1), before_(largest / 64 + 1) {}

  void add(Vertex name) {
    const std::atomic_ref word(words_[name / 64]);
    const std::uint64_t bit = std::uint64_t{1} << name % 64;
    if ((word.load(std::memory_order_relaxed) & bit) == 0) word.fetch_or(bit, std::memory_order_relaxed);
  }

  // All names, ascending; afterwards number() can be called.
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
  Array<Vertex> before_;  // names in the preceding words
};

// Replaces both ends of all edges with the result of `of`.
template <class Of>
void renumber(const EdgeList& list, Crew& crew, const Of& of) {
  crew.over(list.pieces().size(), 1, [&](std::uint64_t piece, std::uint64_t) {
    for (Edge& edge : list.pieces()[piece].list()) edge = {of(edge.from), of(edge.to)};
  });
}

Array<std::uint64_t> number_dense(EdgeText& text, const std::string& path, Crew& crew) {
  Bitmap present(text.largest);
  crew.over(text.list.pieces().size(), 1, [&](std::uint64_t piece, std::uint64_t) {
    for (const Edge& edge : text.list.pieces()[piece].list()) {
      present.add(edge.from);
      present.add(edge.to);
    }
  });
  Array<std::uint64_t> names = present.names();
  if (names.size() > std::numeric_limits<Vertex>::max()) too_many_vertices(path);
  if (names.size() == text.largest + 1) return names;  // no gaps: they are the numbers
  renumber(text.list, crew, [&](Vertex name) { return present.number(name); });
  return names;
}

// Gives all edges numbers from the table.
void use_table(EdgeText& text, const std::string& path, Crew& crew) {
  constexpr std::size_t at_once = NameTable::at_once / 2;
  std::atomic<bool> fits = true;
  crew.over(text.list.pieces().size(), 1, [&](std::uint64_t piece, std::uint64_t) {
    const std::span<Edge> edges = text.list.pieces()[piece].list();
    for (std::size_t begin = 0; begin < edges.size(); begin += at_once) {
      const std::span<Edge> some = edges.subspan(begin, std::min(at_once, edges.size() - begin));
      std::uint64_t names[2 * at_once];
      Vertex numbers[2 * at_once];
      for (std::size_t i = 0; i < some.size(); ++i) {
        names[2 * i] = some[i].from;
        names[2 * i + 1] = some[i].to;
      }
      if (!text.table.number({names, 2 * some.size()}, {numbers, 2 * some.size()})) fits = false;
      for (std::size_t i = 0; i < some.size(); ++i) some[i] = {numbers[2 * i], numbers[2 * i + 1]};
    }
  });
  if (!fits) too_many_vertices(path);
  for (const EdgePiece& piece : text.numbered) text.list.add(piece);
  text.numbered.clear();
}

Array<std::uint64_t> number_sparse(EdgeText& text, const std::string& path, Crew& crew) {
  use_table(text, path, crew);
  Array<std::uint64_t> names = text.table.names();
  std::ranges::sort(names);
  Array<Vertex> rank(names.size());  // by the number in the table
  crew.over(names.size(), NameTable::at_once, [&](std::uint64_t begin, std::uint64_t end) {
    Vertex numbers[NameTable::at_once];
    text.table.number({names.data() + begin, end - begin}, {numbers, end - begin});
    for (std::uint64_t i = begin; i < end; ++i) rank[numbers[i - begin]] = static_cast<Vertex>(i);
  });
  text.table.clear();
  renumber(text.list, crew, [&](Vertex number) { return rank[number]; });
  return names;
}

}  // namespace

Array<std::uint64_t> number_vertices(EdgeText& text, const std::string& path, Crew& crew) {
  const bool dense = text.numbered.empty() && text.largest / 32 <= text.edges + (1u << 20);
  return dense ? number_dense(text, path, crew) : number_sparse(text, path, crew);
}

}  // namespace gable::bench

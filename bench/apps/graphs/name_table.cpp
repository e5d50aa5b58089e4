#include "bench/apps/graphs/name_table.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <mutex>
#include <numeric>

#include "bench/apps/graphs/edge_text.hpp"

namespace gable::bench {

namespace {

std::uint64_t hash_of(std::uint64_t name) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  name = (name ^ name >> 32) * odd;
  return (name ^ name >> 29) * odd;
}

// The first slot to probe, from the hash bits after those that choose the shard.
std::size_t first_of(std::uint64_t hash, std::size_t slots) {
  return static_cast<std::size_t>((hash >> 8 & 0xffffffff) * slots >> 32);
}

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

NameTable::Slot& NameTable::place(const Array<Slot>& slots, std::uint64_t name, std::uint64_t hash) {
  std::size_t at = first_of(hash, slots.size());
  while (slots[at].number != 0 && slots[at].name != name) at = at + 1 == slots.size() ? 0 : at + 1;
  return slots[at];
}

void NameTable::grow(Shard& shard) {
  Array<Slot> more(std::max<std::size_t>(256, shard.memory.size() + shard.memory.size() / 2));
  for (const Slot& slot : shard.memory) {
    if (slot.number != 0) place(more, slot.name, hash_of(slot.name)) = slot;
  }
  shard.memory = std::move(more);
}

Vertex NameTable::number(Shard& shard, std::uint64_t name, std::uint64_t hash) {
  if (4 * shard.used >= 3 * shard.memory.size()) grow(shard);
  Slot& slot = place(shard.memory, name, hash);
  if (slot.number == 0) {
    slot = {name, next_.fetch_add(1, std::memory_order_relaxed) + 1};
    ++shard.used;
  }
  return static_cast<Vertex>(slot.number - 1);
}

void NameTable::number_some(std::span<const std::uint64_t> names, std::span<Vertex> numbers) {
  std::uint64_t hashes[at_once];
  std::uint16_t order[at_once];  // by shard
  std::size_t begin[shards + 1] = {};
  for (std::size_t i = 0; i < names.size(); ++i) {
    hashes[i] = hash_of(names[i]);
    ++begin[shard_of(hashes[i]) + 1];
  }
  std::partial_sum(begin, begin + shards + 1, begin);
  for (std::size_t i = 0; i < names.size(); ++i)
    order[begin[shard_of(hashes[i])]++] = static_cast<std::uint16_t>(i);
  // Now begin[s] is the end of shard s.
  for (std::size_t s = 0, from = 0; s < shards; from = begin[s++]) {
    if (from == begin[s]) continue;
    Shard& shard = shards_[s];
    const std::lock_guard lock(shard.mutex);
    for (std::size_t i = from; i < begin[s]; ++i)
      __builtin_prefetch(shard.memory.data() + first_of(hashes[order[i]], shard.memory.size()));
    for (std::size_t i = from; i < begin[s]; ++i)
      numbers[order[i]] = number(shard, names[order[i]], hashes[order[i]]);
  }
}

bool NameTable::number(std::span<const std::uint64_t> names, std::span<Vertex> numbers) {
  for (std::size_t begin = 0; begin < names.size(); begin += at_once) {
    const std::size_t count = std::min(at_once, names.size() - begin);
    number_some(names.subspan(begin, count), numbers.subspan(begin, count));
  }
  return size() <= std::numeric_limits<Vertex>::max();
}

Array<std::uint64_t> NameTable::names() const {
  Array<std::uint64_t> names(size());
  for (const Shard& shard : shards_) {
    for (const Slot& slot : shard.memory) {
      if (slot.number != 0) names[slot.number - 1] = slot.name;
    }
  }
  return names;
}

void NameTable::clear() {
  shards_ = std::vector<Shard>(shards);
  next_ = 0;
}

Array<std::uint64_t> number_vertices(EdgeText& text, const std::string& path, Crew& crew) {
  const bool dense = text.numbered.empty() && text.largest / 32 <= text.edges + (1u << 20);
  return dense ? number_dense(text, path, crew) : number_sparse(text, path, crew);
}

}  // namespace gable::bench

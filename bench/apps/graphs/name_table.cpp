#include "bench/apps/graphs/name_table.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>

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

}  // namespace gable::bench

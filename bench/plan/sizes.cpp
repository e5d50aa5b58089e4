// Sizes of working sets that fit in one level of the memory hierarchy and not in its neighbours.

#include <algorithm>

#include "base/numbers.hpp"
#include "bench/plan/plan.hpp"

namespace gable::bench {

namespace {

constexpr std::uint64_t least_usual_set = 256 * MiB;

// The share of each of `threads` threads in one cache instance.
std::uint64_t share_of(const machines::Cache& cache, int threads, bool smt) {
  const int sharing = std::max(1, smt ? cache.pus_sharing : cache.cores_sharing);
  return cache.bytes / static_cast<std::uint64_t>(std::clamp(threads, 1, sharing));
}

// The largest share that any of `threads` threads may have of the cache. If cores differ, this is an instance
// of its own, or its share of the largest instance.
std::uint64_t most_of(const machines::Cluster& cluster, const machines::Cache& cache, int threads, bool smt) {
  const std::uint64_t largest = std::max(cache.bytes, cache.largest_bytes);
  machines::Cache larger = cache;
  larger.bytes = largest;
  const std::uint64_t share = share_of(larger, threads, smt);
  const auto cores = static_cast<int>(cluster.cores.size());
  return cache.count * cache.cores_sharing > cores ? std::max(share, cache.bytes) : share;
}

std::uint64_t whole_lines(std::uint64_t bytes) {
  return bytes / 4096 * 4096;
}

}  // namespace

std::uint64_t last_level_bytes(const machines::Cluster& cluster) {
  std::uint64_t last_level = 0;
  for (const machines::Cache& cache : cluster.caches) {
    const std::uint64_t bytes = std::max(cache.bytes, cache.largest_bytes);
    if (bytes > 0) last_level = bytes * static_cast<std::uint64_t>(std::max(1, cache.count));
  }
  return last_level;
}

std::uint64_t cache_working_set(const machines::Cluster& cluster, std::size_t level, int threads, bool smt) {
  const std::uint64_t share = share_of(cluster.caches.at(level), threads, smt);
  if (level == 0) return whole_lines(share / 2);
  const std::uint64_t before = most_of(cluster, cluster.caches.at(level - 1), threads, smt);
  const std::uint64_t least = 2 * before;
  const std::uint64_t most = share / 8 * 7;
  // Well beyond the previous cache, and otherwise as small as possible, because others may share this one.
  if (least <= most) return whole_lines(std::clamp(std::min(share / 2, 4 * before), least, most));
  // A victim cache about as large as the previous cache holds the lines evicted from it.
  const bool holds_others = cluster.caches[level].inclusive == false;
  return share >= before && holds_others ? whole_lines((share + before) / 4 * 3) : 0;
}

model::Note no_cache_working_set(const machines::Cluster& cluster, std::size_t level, int threads, bool smt) {
  const machines::Cache& cache = cluster.caches.at(level);
  if (cache.bytes == 0 || level == 0) return model::NoteCode::unknown_size;
  if (share_of(cache, threads, smt) < most_of(cluster, cluster.caches[level - 1], threads, smt))
    return model::NoteCode::smaller_cache;
  return cache.inclusive ? model::NoteCode::hardly_larger_cache
                         : model::NoteCode::perhaps_hardly_larger_cache;
}

// A victim cache serves a fifth of the data of four times its size, and a twentieth of eight times
// (docs/results/zen5.md).
std::uint64_t usual_memory_set(const machines::Cluster& cluster) {
  return std::max(8 * last_level_bytes(cluster), least_usual_set);
}

std::uint64_t least_memory_set(const machines::Cluster& cluster) {
  const std::uint64_t caches = last_level_bytes(cluster);
  return caches > 0 ? 2 * caches : least_usual_set;
}

std::uint64_t memory_working_set(const machines::Cluster& cluster, int threads, std::uint64_t memory_set) {
  const std::uint64_t total = memory_set > 0 ? memory_set : usual_memory_set(cluster);
  const std::uint64_t least = memory_set > 0 ? 0 : 8 * MiB;
  const std::uint64_t each = std::max(total / static_cast<std::uint64_t>(std::max(1, threads)), least);
  return (each + 2 * MiB - 1) / (2 * MiB) * (2 * MiB);
}

model::Level level_of(const machines::Cluster& cluster, std::uint64_t bytes, int threads, bool smt) {
  for (const machines::Cache& cache : cluster.caches) {
    if (bytes <= share_of(cache, threads, smt)) return model::Level::cache(cache.level);
  }
  return model::Level::memory();
}

std::vector<unsigned> pus_of(const machines::Cluster& cluster, int threads, bool smt) {
  std::vector<unsigned> pus;
  for (const machines::Core& core : cluster.cores) {
    for (std::size_t i = 0; i < (smt ? core.pus.size() : 1); ++i) pus.push_back(core.pus[i]);
  }
  if (threads > 0 && static_cast<std::size_t>(threads) < pus.size())
    pus.resize(static_cast<std::size_t>(threads));
  return pus;
}

}  // namespace gable::bench

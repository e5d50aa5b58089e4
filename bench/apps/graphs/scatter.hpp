#pragma once

// Sorts the entries of rows into buckets of neighbouring rows: the first half of putting each entry into its
// row. Writing to a thousand places sequentially is fast, writing to a million is not. The content of one
// bucket fits into a core's cache, where its rows can then be built.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bench/apps/graphs/array.hpp"
#include "bench/apps/graphs/graph.hpp"

namespace gable::bench {

/// A bucket has 2^shift rows, so that a row's number in its bucket fits into 16 bits.
class Buckets {
 public:
  explicit Buckets(std::size_t rows) : rows_(rows) {
    constexpr int few =
        11;  // bits: each of 2048 buckets is written at a page of its own, and TLBs hold these
    const int bits = std::bit_width(rows == 0 ? rows : rows - 1);
    shift_ = static_cast<unsigned>(std::clamp(bits - few, 0, 16));
  }

  std::size_t size() const { return (rows_ + (std::size_t{1} << shift_) - 1) >> shift_; }
  std::size_t of(Vertex row) const { return row >> shift_; }
  std::uint16_t within(Vertex row) const {
    return static_cast<std::uint16_t>(row & ((Vertex{1} << shift_) - 1));
  }
  std::size_t first(std::size_t bucket) const { return std::min(rows_, bucket << shift_); }

 private:
  std::size_t rows_;
  unsigned shift_;
};

/// The destination of each part of the entries in each bucket, so that threads write independently and
/// entries keep their order. First all parts are counted, then placed, then written.
class Scatter {
 public:
  Scatter(std::size_t rows, std::size_t parts)
      : buckets_(rows), parts_(parts), at_(parts * buckets_.size()), begin_(buckets_.size() + 1) {}

  const Buckets& buckets() const { return buckets_; }
  std::size_t parts() const { return parts_; }

  class Counter {
   public:
    void operator()(Vertex row, Vertex) const { ++at_[buckets_.of(row)]; }

   private:
    friend Scatter;
    Counter(const Buckets& buckets, std::uint64_t* at) : buckets_(buckets), at_(at) {}
    Buckets buckets_;
    std::uint64_t* at_;
  };
  Counter counter(std::size_t part) { return {buckets_, of_part(part)}; }

  /// Returns the number of entries after all parts were counted. In the array of neighbours bucket b begins
  /// `gap(b)` entries later than directly behind the previous buckets.
  template <class Gap>
  std::uint64_t place(const Gap& gap) {
    std::uint64_t next = 0;
    for (std::size_t b = 0; b < buckets_.size(); ++b) {
      begin_[b] = next;
      for (std::size_t part = 0; part < parts_; ++part) next += std::exchange(of_part(part)[b], next);
      gap_.push_back(gap(b));
    }
    begin_.back() = next;
    gap_.push_back(gap(buckets_.size()));
    within_ = Array<std::uint16_t>(next);
    return next;
  }

  class Writer {
   public:
    void operator()(Vertex row, Vertex neighbour) const {
      const std::size_t bucket = buckets_.of(row);
      const std::uint64_t at = at_[bucket]++;
      neighbours_[at + gap_[bucket]] = neighbour;
      within_[at] = buckets_.within(row);
    }

   private:
    friend Scatter;
    Writer(Scatter& all, std::size_t part, Vertex* neighbours)
        : buckets_(all.buckets_),
          at_(all.of_part(part)),
          gap_(all.gap_.data()),
          neighbours_(neighbours),
          within_(all.within_.data()) {}
    Buckets buckets_;
    std::uint64_t* at_;
    const std::uint64_t* gap_;
    Vertex* neighbours_;
    std::uint16_t* within_;
  };
  /// Writes a part, in the order in which it was counted.
  Writer writer(std::size_t part, const Array<Vertex>& neighbours) {
    return {*this, part, neighbours.data()};
  }

  /// These describe a bucket that was written: its begin among the neighbours, and the row of each entry in
  /// it.
  std::uint64_t begin(std::size_t bucket) const { return begin_[bucket] + gap_[bucket]; }
  std::uint64_t gap(std::size_t bucket) const { return gap_[bucket]; }  ///< one more than buckets
  std::span<const std::uint16_t> within(std::size_t bucket) const {
    return {within_.data() + begin_[bucket], begin_[bucket + 1] - begin_[bucket]};
  }

 private:
  std::uint64_t* of_part(std::size_t part) { return at_.data() + part * buckets_.size(); }

  Buckets buckets_;
  std::size_t parts_;
  std::vector<std::uint64_t> at_;     // counts, then places, by part and bucket
  std::vector<std::uint64_t> begin_;  // of each bucket in within_; one more
  std::vector<std::uint64_t> gap_;
  Array<std::uint16_t> within_;
};

}  // namespace gable::bench

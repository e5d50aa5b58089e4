#pragma once

// The inner loop of PageRank: one iteration over some vertices, for every ISA.

#include <cstdint>
#include <string>

#include "bench/apps/pagerank.hpp"

namespace gable::bench {

struct RankStep {
  const std::uint64_t* in_offsets;
  const Vertex* in_neighbours;
  const std::uint64_t* out_offsets;
  const float* read;     ///< |V| x Z: rank over out-degree
  float* write;          ///< the same, or the ranks when `last`
  const float* base;     ///< of each rank: (1 - d) / |V|
  const float* damping;  ///< of each rank
  std::size_t ranks;
  bool last;        ///< of the iterations
  Vertex vertices;  ///< row |V| of `read` is zero
  Slices slices;    ///< the in-rows once more, for kernels that sum rows at once
};

/// Does the step for vertices first ... last - 1, or for these slices.
using RankKernel = void (*)(const RankStep& step, std::uint64_t first, std::uint64_t last);

RankKernel rank_kernel(RankVector vector, const std::string& isa, std::size_t ranks);

}  // namespace gable::bench

#pragma once

// The cells of the hybrid grid (LARM paper, section 6.3): the bandwidth of a cluster over the share of loads
// and the share of the data in each of two memories.

#include <string_view>
#include <vector>

#include "bench/plan/cell_maker.hpp"
#include "bench/plan/pairs.hpp"

namespace gable::bench {

/// A share of loads, as the operation that has it, or a share of pages. Level 0 are the ends, level 1 the
/// middle between them, and every further level is twice as dense as the one before.
struct GridOperation {
  std::string_view op;
  int level;
};
struct GridShare {
  int percent;
  int level;
};

/// Weights of a page interleave; level as above, 1:1 being the grid's own middle.
struct GridWeights {
  int node, other;
  int level;
};

/// Loads alone, NT stores alone, and their mixes; coarse before fine.
std::vector<GridOperation> grid_operations(int most_level);
/// Shares of the pages in one of the two memories, symmetric round the middle; coarse before fine.
std::vector<GridShare> grid_shares(int most_level);
/// Weights N:M and M:N. A bandwidth that is best between two of them is at most the distance of their shares
/// of pages above the better one.
std::vector<GridWeights> grid_weights(int most_level);

class GridCells : public CellMaker {
 public:
  using CellMaker::CellMaker;
  void make();

 private:
  std::vector<std::string> grid_pages() const;
  void add(const Pair& pair, const std::string& pages, std::string_view op, const Share& share, int priority);
  std::uint64_t working_set(const machines::Cluster& cluster, const std::string& pages) const;
};

}  // namespace gable::bench

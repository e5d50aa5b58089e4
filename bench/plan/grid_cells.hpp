#pragma once

// The cells of the hybrid grid (LARM paper, section 6.3): the bandwidth of a cluster over the share of loads
// and the share of the data in each of two memories. Where clusters have two memories of their own, also a
// grid of all clusters at once.

#include <string_view>
#include <vector>

#include "bench/plan/cell_maker.hpp"
#include "bench/plan/pairs.hpp"

namespace gable::bench {

/// A share of loads with its operation, or a share of pages. Level 0 are the ends, level 1 is the middle
/// between them, and each further level doubles the density.
struct GridOperation {
  std::string_view op;
  int level;
};
struct GridShare {
  int percent;
  int level;
};

/// Weights of a page interleave; levels as above, where 1:1 is the middle of the grid.
struct GridWeights {
  int node, other;
  int level;
};

/// Loads alone, NT stores alone, and their mixes; coarse before fine.
std::vector<GridOperation> grid_operations(int most_level);
/// Shares of the pages in one of the two memories, symmetric around the middle; coarse before fine.
std::vector<GridShare> grid_shares(int most_level);
/// Weights N:M and M:N. If the true best lies between two of them, its bandwidth exceeds the better one by at
/// most the distance of their shares of pages.
std::vector<GridWeights> grid_weights(int most_level);

class GridCells : public CellMaker {
 public:
  using CellMaker::CellMaker;
  void make();

 private:
  std::vector<model::Pages> grid_pages() const;
  void add_none(model::Pattern pattern, const model::Note& reason);
  void add_grid(const std::vector<Pair>& at_once, int level);
  /// A run of these pairs, each of another cluster; all have the share.
  void add(const std::vector<Pair>& at_once, model::Pages pages, std::string_view op, const Share& share,
           int priority);
};

}  // namespace gable::bench

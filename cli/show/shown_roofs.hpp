#pragma once

// Which roofs gable show shows first.

#include <string>
#include <vector>

#include "cli/show/recorded.hpp"

namespace gable::cli {

/// A cluster's or node's index with the words that its row or column has.
struct ShownIndex {
  int index = 0;
  std::string words;
};

/// A figure of one kind from every node for every cluster, each cluster alone.
struct ShownMatrix {
  std::vector<ShownIndex> clusters;             ///< "cluster 0 (node 0)"
  std::vector<ShownIndex> nodes;                ///< "node 0 DRAM"
  std::vector<model::Roof> bandwidth, latency;  ///< of loads; idle; the best over kernels and page sizes
};

/// One question, asked of each cluster.
struct ShownLine {
  std::string words, unit;             ///< "L2 loads", "GB/s"
  std::vector<model::Roof> figures;    ///< bandwidths or peaks, not all of them ok
  std::vector<model::Roof> latencies;  ///< not all of them ok
  std::string place = words;           ///< "L2": the words where loads are understood
};

ShownMatrix matrix_of(const ShownFolder& shown);

/// Peaks, cache levels and memories, also those of which no figure is known.
std::vector<ShownLine> lines_of(const ShownFolder& shown);

/// "0", "0 and 1", "0 to 3, 5".
std::string indices_text(std::vector<int> indices);

}  // namespace gable::cli

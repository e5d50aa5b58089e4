#pragma once

// gable predict: predictions from hybrid.json for a mix of loads and stores over two memories, and from
// points.json for a move of data.

#include <optional>
#include <string>

#include "model/hybrid/phases.hpp"

namespace gable::cli {

/// A mix of loads and stores (bytes or load_share), or a point and where its data goes.
struct PredictArguments {
  std::string folder;
  std::optional<int> cluster, slow_node, fast_node;  ///< only pairs of memories with these
  model::Quantities bytes = {};                      ///< of the mix, by transfer
  std::optional<double> load_share;                  ///< 0 to 1, instead of bytes
  std::optional<std::string> point;                  ///< its name, instead of a mix
  std::optional<std::string> to;  ///< of the point: node:N, fast, slow or shares as in 0=60,1=40
  bool json = false;
};

/// Prints the prediction. Throws Error::usage, Error::format.
void predict(const PredictArguments& arguments);

}  // namespace gable::cli

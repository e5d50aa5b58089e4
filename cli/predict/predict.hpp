#pragma once

// gable predict: the time of a program on other machines, or with its data in other memories, from its
// profile; and predictions from hybrid.json for a mix of loads and stores over two memories.

#include <optional>
#include <string>
#include <vector>

#include "cli/predict/elsewhere.hpp"
#include "model/hybrid/interleave.hpp"
#include "model/hybrid/phases.hpp"
#include "model/hybrid/predict.hpp"

namespace gable::cli {

/// A profile and machines; or a point, and where it or its data goes; or a mix of loads and stores (bytes or
/// load_share).
struct PredictArguments {
  std::vector<std::string> folders;                  ///< with a profile: the machines; otherwise one
  std::string profile;                               ///< file; empty: none
  std::optional<int> cluster, slow_node, fast_node;  ///< only pairs of memories with these
  model::Quantities bytes = {};                      ///< of the mix, by transfer
  std::optional<double> load_share;                  ///< 0 to 1, instead of bytes
  std::optional<std::string> point;                  ///< its name, instead of a mix
  std::vector<std::string> to;      ///< of the point: machines; or node:N, fast, slow, 0=60,1=40
  std::vector<std::string> memory;  ///< places of the data and of single objects, as take_memory() reads them
  ProgramUse use;                   ///< on the machines, without these
  PredictOutput output;
};

/// Prints the prediction. Throws Error::usage, Error::format.
void predict(PredictArguments arguments);

/// The prediction for one pair of memories.
struct PairPrediction {
  model::HybridPair pair;
  double load_share = 0;
  std::optional<model::Prediction> mix;  ///< absent if none was requested, or if the pair is not ok
  std::optional<model::Weights> weights;
  std::string no_weights;  ///< why there are none
};

/// "cluster 0, slow DRAM node 0, fast HBM node 4, 4k pages, 8 threads"; pages and threads where they are
/// known.
std::string pair_name(const model::HybridPair& pair);

/// A text for people, with the pair with the highest bandwidth first.
std::string predictions_text(std::vector<PairPrediction> predictions);

std::string predictions_json(const std::vector<PairPrediction>& predictions, const model::Quantities& bytes);

}  // namespace gable::cli

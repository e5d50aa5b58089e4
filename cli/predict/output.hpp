#pragma once

// What gable predict prints.

#include <optional>
#include <string>
#include <vector>

#include "model/hybrid/interleave.hpp"
#include "model/hybrid/predict.hpp"

namespace gable::cli {

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

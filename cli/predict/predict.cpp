#include "cli/predict/predict.hpp"

#include <algorithm>
#include <cstdio>

#include "base/error.hpp"
#include "cli/folder.hpp"
#include "cli/predict/output.hpp"
#include "cli/predict/point.hpp"

namespace gable::cli {
namespace {

using model::HybridPair;

bool matches(const HybridPair& pair, const PredictArguments& arguments) {
  return (!arguments.cluster || pair.cluster == *arguments.cluster) &&
         (!arguments.slow_node || pair.slow.node == *arguments.slow_node) &&
         (!arguments.fast_node || pair.fast.node == *arguments.fast_node);
}

double share_of_loads(const PredictArguments& arguments) {
  return arguments.load_share ? *arguments.load_share : model::share_of_loads(arguments.bytes);
}

void check(const PredictArguments& arguments) {
  for (const double bytes : arguments.bytes) {
    if (bytes > 1e30) throw Error::usage("predict: bytes must be from 0 to 1e30");
  }
  const bool any = std::ranges::any_of(arguments.bytes, [](double bytes) { return bytes > 0; });
  if (any == arguments.load_share.has_value()) {
    throw Error::usage(
        "predict: give either the bytes of a mix (--load-slow, --store-slow, --load-fast, "
        "--store-fast) or "
        "--load-share");
  }
}

std::vector<PairPrediction> predictions_of(const model::Hybrid& hybrid, const PredictArguments& arguments) {
  std::vector<PairPrediction> predictions;
  const double share = share_of_loads(arguments);
  for (const HybridPair& pair : hybrid.pairs) {
    if (!matches(pair, arguments)) continue;
    PairPrediction found = {pair, share, {}, {}, pair.reason};
    if (pair.status == model::Status::ok) {
      if (!arguments.load_share) found.mix = model::predict(pair.fit, arguments.bytes);
      found.weights = model::best_weights(pair, share, found.no_weights);
    }
    predictions.push_back(std::move(found));
  }
  return predictions;
}

}  // namespace

void predict(const PredictArguments& arguments) {
  if (arguments.point) {
    predict_point(arguments.folder, *arguments.point, arguments.to.value_or(""), arguments.json);
    return;
  }
  if (arguments.to) throw Error::usage("predict: --to needs --point: name the point whose data is moved");
  check(arguments);
  const model::Hybrid hybrid = hybrid_of(arguments.folder);
  const std::vector<PairPrediction> predictions = predictions_of(hybrid, arguments);
  const std::string path = file_in(arguments.folder, "hybrid.json");
  if (hybrid.pairs.empty()) throw Error::usage(path + ": no pair of memories");
  if (predictions.empty()) {
    std::string known;
    for (const HybridPair& pair : hybrid.pairs) known += "\n  " + pair_name(pair);
    throw Error::usage(path + ": no such pair of memories; there are:" + known);
  }
  const std::string text =
      arguments.json ? predictions_json(predictions, arguments.bytes) : predictions_text(predictions);
  std::fputs(text.c_str(), stdout);
}

}  // namespace gable::cli

#include "cli/predict/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/error.hpp"
#include "cli/folder.hpp"
#include "cli/predict/setting.hpp"

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
    PairPrediction found = {pair, share, {}, {}, sentence(pair.reason)};
    if (pair.status == model::Status::ok) {
      if (!arguments.load_share) found.mix = model::predict(pair.fit, arguments.bytes);
      found.weights = model::best_weights(pair, share, found.no_weights);
    }
    predictions.push_back(std::move(found));
  }
  return predictions;
}

// Options of predictions of programs that mean nothing for something else.
void refuse_use(const PredictArguments& arguments) {
  const ProgramUse& use = arguments.use;
  if (use.threads > 0 || !use.memory.empty() || !use.objects.empty() || !use.pages.empty() ||
      arguments.output.functions || !arguments.output.folder.empty())
    throw Error::usage(
        "predict: --threads, --memory, --pages, --functions and --output need a profile: they say nothing of "
        "a mix of loads and stores");
}

void predict_profile(const PredictArguments& arguments) {
  if (arguments.point || !arguments.to.empty())
    throw Error::usage("predict: --profile takes the machines without --point and --to");
  predict_elsewhere({arguments.profile, {}, {}, arguments.folders, {}, arguments.use, arguments.output});
}

void predict_of_point(const PredictArguments& arguments) {
  const std::string folder = machine_folder(arguments.folders.front());
  if (arguments.to.empty() || std::ranges::find(arguments.to, "") != arguments.to.end())
    throw Error::usage(
        "--point needs --to: machines; or where its data goes: node:N, fast, slow, or parts as in 0=60,1=40");
  ElsewhereArguments elsewhere{{}, folder, *arguments.point, {}, {}, arguments.use, arguments.output};
  for (const std::string& to : arguments.to)
    (is_memory_text(to) ? elsewhere.places : elsewhere.machines).push_back(to);
  predict_elsewhere(elsewhere);
}

}  // namespace

void predict(PredictArguments arguments) {
  take_memory(arguments.memory, arguments.use);
  if (!arguments.profile.empty()) return predict_profile(arguments);
  if (arguments.folders.size() != 1)
    throw Error::usage("predict: one DIR; --profile FILE takes several machines, --point NAME --to others");
  if (arguments.point) return predict_of_point(arguments);
  if (!arguments.to.empty())
    throw Error::usage("predict: --to needs --point: name the point whose data is moved");
  refuse_use(arguments);
  check(arguments);
  const std::string folder = machine_folder(arguments.folders.front());
  const model::Hybrid hybrid = hybrid_of(folder);
  const std::vector<PairPrediction> predictions = predictions_of(hybrid, arguments);
  const std::string path = file_in(folder, "hybrid.json");
  if (hybrid.pairs.empty()) throw Error::usage(path + ": no pair of memories");
  if (predictions.empty()) {
    std::string known;
    for (const HybridPair& pair : hybrid.pairs) known += "\n  " + pair_name(pair);
    throw Error::usage(path + ": no such pair of memories; there are:" + known);
  }
  const std::string text =
      arguments.output.json ? predictions_json(predictions, arguments.bytes) : predictions_text(predictions);
  std::fputs(text.c_str(), stdout);
}

}  // namespace gable::cli

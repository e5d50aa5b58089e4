// gable predict: what hybrid.json says of a mix of loads and stores over two memories, and what points.json
// says of a move.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "cli/bytes_option.hpp"
#include "cli/commands.hpp"
#include "cli/folder.hpp"
#include "cli/predict/output.hpp"
#include "cli/predict/point.hpp"
#include "model/hybrid/phases.hpp"

namespace gable::cli {
namespace {

using model::HybridPair;
using model::Transfer;

struct PredictOptions {
  std::string folder;
  std::optional<int> cluster, slow_node, fast_node;
  model::Quantities bytes = {};
  std::optional<double> load_share;
  std::optional<std::string> point, to;
  bool json = false;
};

bool matches(const HybridPair& pair, const PredictOptions& options) {
  return (!options.cluster || pair.cluster == *options.cluster) &&
         (!options.slow_node || pair.slow.node == *options.slow_node) &&
         (!options.fast_node || pair.fast.node == *options.fast_node);
}

double share_of_loads(const PredictOptions& options) {
  return options.load_share ? *options.load_share : model::share_of_loads(options.bytes);
}

void check(const PredictOptions& options) {
  for (const double bytes : options.bytes) {
    if (bytes > 1e30) throw UsageError("gable predict: bytes must be from 0 to 1e30");
  }
  const bool any = std::ranges::any_of(options.bytes, [](double bytes) { return bytes > 0; });
  if (any == options.load_share.has_value()) {
    throw UsageError(
        "gable predict: give either the bytes of a mix (--load-slow, --store-slow, --load-fast, "
        "--store-fast) or "
        "--load-share");
  }
  if (options.load_share && !(*options.load_share >= 0 && *options.load_share <= 1))
    throw UsageError("gable predict: --load-share must be from 0 (stores alone) to 1 (loads alone)");
}

std::vector<PairPrediction> predictions_of(const model::Hybrid& hybrid, const PredictOptions& options) {
  std::vector<PairPrediction> predictions;
  const double share = share_of_loads(options);
  for (const HybridPair& pair : hybrid.pairs) {
    if (!matches(pair, options)) continue;
    PairPrediction found = {pair, share, {}, {}, pair.reason};
    if (pair.status == model::Status::ok) {
      if (!options.load_share) found.mix = model::predict(pair.fit, options.bytes);
      found.weights = model::best_weights(pair, share, found.no_weights);
    }
    predictions.push_back(std::move(found));
  }
  return predictions;
}

void run_predict(const PredictOptions& options) {
  if (options.point) {
    predict_point(options.folder, *options.point, options.to.value_or(""), options.json);
    return;
  }
  if (options.to) throw UsageError("gable predict: --to needs --point: whose data is moved?");
  check(options);
  const model::Hybrid hybrid = hybrid_of(options.folder);
  const std::vector<PairPrediction> predictions = predictions_of(hybrid, options);
  const std::string path = file_in(options.folder, "hybrid.json");
  if (hybrid.pairs.empty()) throw UsageError(path + ": no pair of memories");
  if (predictions.empty()) {
    std::string known;
    for (const HybridPair& pair : hybrid.pairs) known += "\n  " + pair_name(pair);
    throw UsageError(path + ": no such pair of memories; there are:" + known);
  }
  const std::string text =
      options.json ? predictions_json(predictions, options.bytes) : predictions_text(predictions);
  std::fputs(text.c_str(), stdout);
}

}  // namespace

void define_predict(CLI::App& command) {
  const auto options = std::make_shared<PredictOptions>();
  command.add_option("DIR", options->folder, "folder of a recorded machine, with its hybrid.json")
      ->required();
  std::vector<CLI::Option*> mix;  // what says the mix and the memories, as a point does
  mix.push_back(command.add_option("--cluster", options->cluster,
                                   "of this cluster only (default: all pairs of memories)"));
  mix.push_back(command.add_option("--slow-node", options->slow_node,
                                   "with this slow memory only (os index of the node)"));
  mix.push_back(command.add_option("--fast-node", options->fast_node, "with this fast memory only"));
  std::vector<CLI::Option*> amounts;
  const auto bytes = [&](const char* name, Transfer transfer, const char* what) {
    mix.push_back(command.add_option(name, options->bytes[transfer], what)->transform(amount_of_bytes()));
    amounts.push_back(mix.back());
  };
  bytes("--load-slow", Transfer::ls,
        "loaded from the slow memory: 3e9, 3GB (3e9 too), 3G or 3GiB (3 * 2^30)");
  bytes("--store-slow", Transfer::ss, "stored into the slow memory");
  bytes("--load-fast", Transfer::lf, "loaded from the fast memory");
  bytes("--store-fast", Transfer::sf, "stored into the fast memory");
  mix.push_back(command.add_option(
      "--load-share", options->load_share,
      "instead of bytes: the share of loads, 0 to 1, for which pages are to be interleaved best"));
  for (CLI::Option* amount : amounts) amount->excludes(mix.back());  // a share beside bytes of 0 too
  CLI::Option* point =
      command.add_option("--point", options->point,
                         "instead of a mix: what a point of points.json would gain by moving its data");
  for (CLI::Option* option : mix) point->excludes(option);
  command.add_option("--to", options->to,
                     "where its data goes: node:N, fast, slow, or shares as in 0=60,1=40");
  command.add_flag("--json", options->json, "print JSON");
  command.callback([options] { run_predict(*options); });
}

}  // namespace gable::cli

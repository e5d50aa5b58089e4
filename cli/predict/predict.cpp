#include "cli/predict/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "cli/folder.hpp"
#include "cli/points_file.hpp"
#include "cli/predict/setting.hpp"
#include "cli/recorded_machine.hpp"
#include "cli/text/columns.hpp"
#include "model/points/move.hpp"

namespace gable::cli {

namespace {

using model::HybridPair;

model::Move move_to(const Background& background, const model::Point& point, const std::string& to,
                    const std::string& folder) {
  if (to == "fast" || to == "slow")
    return model::move_to_extreme(background.roofs, point, to == "fast", background.hybrid);
  model::Point moved = point;
  try {
    place_data(folder, recorded_machine(folder).value_or(RecordedMachine()), {"--to", to}, moved);
  } catch (const Error& error) {
    if (error.kind != Error::Kind::unavailable) throw;
    throw Error::usage(error.what());
  }
  return model::move_point(background.roofs, point, model::node_shares(moved), background.hybrid);
}

// A mix of nodes without a model is known to lie between two bounds alone, as gable point list says it too.
std::string roof_text(const model::Limit& limit) {
  if (!limit.fitted)
    return fmt::format(
        "{} (between {:.4g} GB/s, nothing overlaps, and {:.4g} GB/s, everything does: no hybrid model was "
        "fitted for this mix)",
        limit.name, limit.lo, limit.hi);
  return fmt::format("{} ({:.4g} GB/s{})", limit.name, limit.value, limit.interval ? "" : ", no interval");
}

std::string factor_text(const model::Point& point, const model::Move& move) {
  if (move.stays) return "  its data is already there: nothing changes";
  if (!move.latency_known)
    return fmt::format(
        "  not known how fast: memory {} bind it, so it may wait for latency, and the idle latencies of "
        "where "
        "its data lies and would lie are not known",
        move.may_be_bound ? "may" : "does not");
  const std::string times =
      fmt::format("{:.2f} to {:.2f} times as fast, {:.4g} to {:.4g} s instead of {:.4g} s", move.factor_lo,
                  move.factor_hi, move.seconds_lo, move.seconds_hi, point.seconds);
  if (!move.memory_bound) {
    return fmt::format("  {}: memory {} bind it, so the share of its time that memory takes is not known",
                       times, move.may_be_bound ? "may" : "does not");
  }
  if (!move.exact) return fmt::format("  {}", times);
  const std::string factor = fmt::format("  {:.2f} times as fast", move.factor);
  if (!move.interval)
    return fmt::format(
        "{} (no interval: the uncertainty of the roofs is not known): {:.4g} s instead of {:.4g} s", factor,
        move.seconds, point.seconds);
  return fmt::format("{} ({:.2f} to {:.2f}): {:.4g} s instead of {:.4g} s ({:.4g} to {:.4g} s)", factor,
                     move.factor_lo, move.factor_hi, move.seconds, point.seconds, move.seconds_lo,
                     move.seconds_hi);
}

std::string text_of(const model::Point& point, const model::Move& move) {
  std::string text =
      folded(fmt::format("{}: from {} to {}", point.name, roof_text(move.from), roof_text(move.to)), 2);
  text += folded(factor_text(point, move), 4);
  if (!move.stopped_by.empty())
    text += folded(fmt::format("  {} limits it before the memory does", move.stopped_by), 4);
  return text;
}

std::string json_of(const model::Point& point, const model::Move& move) {
  Json out = Json::object();
  out["schema"] = model::schema;
  out["point"] = point.name;
  const auto known = [](bool is, double value) { return is ? Json(value) : Json(nullptr); };
  for (const auto& [name, limit] : {std::pair("from", &move.from), std::pair("to", &move.to)}) {
    out[name] = limit->name;
    out[fmt::format("{}_gb_per_s", name)] = known(limit->fitted, limit->value);
    out[fmt::format("{}_gb_per_s_lo", name)] = known(limit->interval, limit->lo);
    out[fmt::format("{}_gb_per_s_hi", name)] = known(limit->interval, limit->hi);
  }
  out["memory_bound"] = move.may_be_bound ? Json(nullptr) : Json(move.memory_bound);
  out["stays"] = move.stays;
  const bool interval = move.interval && move.latency_known;
  out["factor"] = known(move.exact, move.factor);
  out["factor_lo"] = known(interval, move.factor_lo);
  out["factor_hi"] = known(interval, move.factor_hi);
  out["seconds"] = known(move.exact, move.seconds);
  out["seconds_lo"] = known(interval, move.seconds_lo);
  out["seconds_hi"] = known(interval, move.seconds_hi);
  out["stopped_by"] = move.stopped_by;
  return json_text(out) + "\n";
}

// `to`: "node:N", "fast" or "slow" (the node with the highest or lowest roof for the point's cluster), or
// shares as "0=60,1=40". Prints the bound after the move with its interval. Throws Error::usage.
void predict_point(const std::string& folder, const std::string& name, const std::string& to, bool json) {
  const Background background = background_of(folder);
  const std::vector<model::Point> points = points_of(folder);
  const model::Point& point = point_named(points, name, folder);
  const model::Move move = move_to(background, point, to, folder);
  fmt::print("{}", json ? json_of(point, move) : text_of(point, move));
}

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
void refuse_use(const PredictArguments& arguments, const std::string& what) {
  const ProgramUse& use = arguments.use;
  if (use.threads > 0 || !use.memory.empty() || !use.objects.empty() || !use.pages.empty() ||
      arguments.output.functions || !arguments.output.folder.empty())
    throw Error::usage(
        fmt::format("predict: --threads, --memory, --pages, --functions and --output need a profile: they "
                    "say nothing of {}",
                    what));
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
  const std::vector<model::Point> points = points_of(folder);
  const bool by_needs = can_be_predicted(point_named(points, *arguments.point, folder));
  if (by_needs) return predict_elsewhere(elsewhere);
  if (elsewhere.places.size() != 1 || !elsewhere.machines.empty())
    throw Error::usage(fmt::format(
        "--to {}: no profile is kept of the point '{}', so that only its data can be moved: give node:N, "
        "fast, slow, "
        "or parts as in 0=60,1=40; `gable point run` keeps a profile",
        elsewhere.machines.empty() ? arguments.to.back() : elsewhere.machines.front(), *arguments.point));
  refuse_use(arguments, "a point without its bytes by level");
  predict_point(folder, *arguments.point, arguments.to.front(), arguments.output.json);
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
  refuse_use(arguments, "a mix of loads and stores");
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

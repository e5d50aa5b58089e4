#include "cli/predict/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/sorting.hpp"
#include "base/words.hpp"
#include "cli/text/columns.hpp"
#include "model/hybrid/phases.hpp"
#include "model/json/document.hpp"
#include "model/records/names.hpp"

namespace gable::cli {
namespace {

using model::InterleaveRate;
using model::PhaseBound;
using model::Prediction;
using model::Transfer;
using model::transfers;
using model::Weights;

constexpr const char* weights_folder = "/sys/kernel/mm/mempolicy/weighted_interleave";

std::string rate(const Prediction& prediction) {
  std::string text = number(*prediction.gb_per_s()) + " GB/s";
  if (prediction.lo) {
    text += fmt::format(" (95 %: {} - {})", number(prediction.bytes / *prediction.hi / 1e9),
                        number(prediction.bytes / *prediction.lo / 1e9));
  }
  return text;
}

// What becomes of a transfer beside those that dominate.
std::string beside_text(const PhaseBound& phase, Transfer y) {
  const std::string alone = fmt::format("{} of {}", duration_text(phase.alone[y]), meaning(y));
  const double theta = phase.exposed[y] / phase.alone[y];
  if (theta > 1.005) return fmt::format("{} cost {} beside them", alone, duration_text(phase.exposed[y]));
  if (theta < -0.005)
    return fmt::format("{} are hidden, and save {}", alone, duration_text(-phase.exposed[y]));
  return fmt::format("they hide {:.0f} % of the {}", 100 * (1 - theta), alone);
}

// What happens in a phase, and what is hidden behind what.
std::string phase_text(const PhaseBound& phase, double bytes) {
  const Transfer x = phase.dominating;
  std::string text =
      folded(fmt::format("  {:.0f} % of the bytes in {}: {} dominate and take {}",
                         100 * model::total(phase.bytes) / bytes, duration_text(phase.seconds()), meaning(x),
                         duration_text(phase.alone[x])),
             4);
  for (const Transfer y : transfers) {
    if (y != x && phase.alone[y] > 0) text += folded("    " + beside_text(phase, y), 6);
  }
  for (const model::Term term : model::terms) {
    const double seconds = phase.added[term];
    if (seconds == 0) continue;
    text += folded(fmt::format("    {} {} {}", meaning(term), seconds < 0 ? "save" : "cost",
                               duration_text(std::abs(seconds))),
                   6);
  }
  return text;
}

std::string mix_text(const Prediction& mix) {
  const auto gigabytes = [&](double seconds) { return number(mix.bytes / seconds / 1e9); };
  std::string limits;
  if (mix.t_min)
    limits = folded(fmt::format("  limits: {} GB/s if nothing overlaps, {} GB/s if everything does",
                                gigabytes(*mix.t_max), gigabytes(*mix.t_min)),
                    4);
  if (!mix.seconds) return folded("  bound: not known: " + mix.reason, 4) + limits;
  std::string text =
      folded(fmt::format("  bound: {}, {} by {}", rate(mix), duration_text(*mix.seconds), title(mix.law)),
             4) +
      limits;
  for (const PhaseBound& phase : mix.phases) text += phase_text(phase, mix.bytes);
  return text;
}

// "114 GB/s (95 %: 112 - 116), measured"; what is known of an interleave. `source`: of published figures.
std::string rate_text(const std::optional<InterleaveRate>& rate, const std::string& source) {
  if (!rate) return "a guess of the model: no such mix was measured, so its bandwidth is not known";
  std::string text = number(rate->gb_per_s) + " GB/s";
  text += rate->lo ? fmt::format(" (95 %: {} - {})", number(*rate->lo), number(*rate->hi))
                   : std::string(" (no interval)");
  if (!source.empty()) return text + ", published: " + source;
  if (rate->below == rate->above) return text + ", measured";
  return text + fmt::format(", between those measured with {:.3g} and {:.3g} % loads", 100 * rate->below,
                            100 * rate->above);
}

std::string weights_text(const PairPrediction& of) {
  const std::string mix = fmt::format("  best interleave of pages for {:.3g} % loads: ", 100 * of.load_share);
  if (!of.weights) return folded(mix + "not known: " + of.no_weights, 4);
  const auto& [slow, fast, rate] = *of.weights;
  const int node[] = {of.pair.slow.node, of.pair.fast.node};
  if (slow == 0 || fast == 0) {
    return folded(fmt::format("{}none: all of it in the {} memory, {}", mix, slow == 0 ? "fast" : "slow",
                              rate_text(rate, of.pair.source)),
                  4) +
           fmt::format("    numactl --membind={} COMMAND\n", slow == 0 ? node[1] : node[0]);
  }
  return folded(fmt::format("{}{} slow to {} fast, {}", mix, slow, fast, rate_text(rate, of.pair.source)),
                4) +
         fmt::format(
             "    echo {} >{}/node{}\n"
             "    echo {} >{}/node{}\n"
             "    numactl --weighted-interleave={},{} COMMAND\n",
             slow, weights_folder, node[0], fast, weights_folder, node[1], std::min(node[0], node[1]),
             std::max(node[0], node[1]));
}

Json quantities_to_json(const model::Quantities& quantities) {
  Json out = Json::object();
  for (const Transfer x : transfers) out[name_of(x)] = quantities[x];
  return out;
}

Json prediction_to_json(const Prediction& prediction) {
  Json out = Json::object();
  const auto rate_of = [&](const std::optional<double>& seconds) {
    return seconds ? Json(prediction.bytes / *seconds / 1e9) : Json(nullptr);
  };
  out["model"] = name_of(prediction.law);
  out["gb_per_s"] = rate_of(prediction.seconds);
  out["gb_per_s_lo"] = rate_of(prediction.hi);
  out["gb_per_s_hi"] = rate_of(prediction.lo);
  out["seconds"] = model::or_null(prediction.seconds);
  out["seconds_lo"] = model::or_null(prediction.lo);
  out["seconds_hi"] = model::or_null(prediction.hi);
  out["t_min_seconds"] = model::or_null(prediction.t_min);
  out["t_max_seconds"] = model::or_null(prediction.t_max);
  out["reason"] = prediction.reason;
  out["phases"] = Json::array();
  for (const PhaseBound& phase : prediction.phases) {
    out["phases"].push_back({{"dominating", name_of(phase.dominating)},
                             {"bytes", quantities_to_json(phase.bytes)},
                             {"alone_seconds", quantities_to_json(phase.alone)},
                             {"exposed_seconds", quantities_to_json(phase.exposed)}});
    if (!has_terms(prediction.law)) continue;
    out["phases"].back()["added_seconds"] = Json::object();
    for (const model::Term term : model::terms)
      out["phases"].back()["added_seconds"][name_of(term)] = phase.added[term];
  }
  return out;
}

Json weights_to_json(const model::HybridPair& pair, const Weights& weights) {
  Json out = Json::object();
  out["slow"] = weights.slow;
  out["fast"] = weights.fast;
  const auto& rate = weights.rate;
  out["gb_per_s"] = rate ? Json(rate->gb_per_s) : Json(nullptr);
  out["gb_per_s_lo"] = model::or_null(rate ? rate->lo : std::nullopt);
  out["gb_per_s_hi"] = model::or_null(rate ? rate->hi : std::nullopt);
  out["load_shares"] = Json::array();
  if (rate) out["load_shares"] = {rate->below, rate->above};
  out["files"] = Json::object();
  if (weights.slow == 0 || weights.fast == 0) {
    out["numactl"] = fmt::format("--membind={}", weights.slow == 0 ? pair.fast.node : pair.slow.node);
    return out;
  }
  out["files"][fmt::format("{}/node{}", weights_folder, pair.slow.node)] = weights.slow;
  out["files"][fmt::format("{}/node{}", weights_folder, pair.fast.node)] = weights.fast;
  out["numactl"] = fmt::format("--weighted-interleave={},{}", std::min(pair.slow.node, pair.fast.node),
                               std::max(pair.slow.node, pair.fast.node));
  return out;
}

double best_rate(const PairPrediction& prediction) {
  if (prediction.mix) return prediction.mix->gb_per_s().value_or(0);
  return prediction.weights && prediction.weights->rate ? prediction.weights->rate->gb_per_s : 0;
}

}  // namespace

std::string pair_name(const model::HybridPair& pair) {
  std::string name =
      fmt::format("cluster {}, slow {} node {}, fast {} node {}", pair.cluster, name_of(pair.slow.tier),
                  pair.slow.node, name_of(pair.fast.tier), pair.fast.node);
  if (!pair.pages.empty()) name += ", " + model::pages_text(pair.pages) + " pages";
  if (pair.threads > 0) name += ", " + count_text(pair.threads, "thread");
  if (pair.all_clusters) name += ", all clusters busy";
  return name;
}

std::string predictions_text(std::vector<PairPrediction> predictions) {
  sort_down_by(predictions, best_rate);
  std::string text;
  for (const PairPrediction& prediction : predictions) {
    text += (text.empty() ? "" : "\n") + folded(pair_name(prediction.pair), 2);
    if (prediction.pair.status != model::Status::ok) {
      text += folded(
          fmt::format("  {}: {}", name_of(prediction.pair.status), sentence(prediction.pair.reason)), 4);
      continue;
    }
    if (prediction.mix) text += mix_text(*prediction.mix);
    text += weights_text(prediction);
  }
  return text;
}

std::string predictions_json(const std::vector<PairPrediction>& predictions, const model::Quantities& bytes) {
  Json out = Json::object();
  out["schema"] = model::schema;
  out["bytes"] = quantities_to_json(bytes);
  out["predictions"] = Json::array();
  for (const PairPrediction& prediction : predictions) {
    Json one = Json::object();
    one["cluster"] = prediction.pair.cluster;
    one["all_clusters"] = prediction.pair.all_clusters;
    one["slow_node"] = prediction.pair.slow.node;
    one["fast_node"] = prediction.pair.fast.node;
    one["pages"] = name_of(prediction.pair.pages);
    one["threads"] = prediction.pair.threads;
    one["status"] = name_of(prediction.pair.status);
    one["reason"] = sentence(prediction.pair.reason);
    one["load_share"] = prediction.load_share;
    one["bound"] = prediction.mix ? prediction_to_json(*prediction.mix) : Json(nullptr);
    one["weights"] =
        prediction.weights ? weights_to_json(prediction.pair, *prediction.weights) : Json(nullptr);
    one["weights_reason"] = prediction.no_weights;
    out["predictions"].push_back(std::move(one));
  }
  return json_text(out, 1) + "\n";
}

}  // namespace gable::cli

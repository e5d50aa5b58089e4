#include "model/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/phases.hpp"

namespace gable::model {
namespace {

constexpr double normal_95 = 1.96;
constexpr int most_weight = 255;           // of the kernel's weighted interleave
constexpr double as_good_as_best = 0.999;  // bandwidth within which smaller weights are preferred

using Gradient = std::array<double, slots>;

// A transfer whose bandwidth or θ is not known, told as a reason; empty when all are.
std::string unknown_bandwidth(const HybridFit& fit, const Quantities& bytes) {
  for (const Transfer x : transfers) {
    if (bytes[x] > 0 && !fit.bandwidths[x].gb_per_s)
      return fmt::format("the bandwidth of {} is not known: {}", name_of(x), fit.bandwidths[x].reason);
  }
  return {};
}

Quantities bandwidth_values(const HybridFit& fit) {
  Quantities values = {};
  for (const Transfer x : transfers)
    values[x] = fit.bandwidths[x].gb_per_s ? fit.bandwidths[x].gb_per_s->value : 0;
  return values;
}

// Fills in what is exposed; adds to the gradient of the time. False, with the reason, where a θ is not known.
bool expose(PhaseBound& phase, const HybridModel& model, Gradient& gradient, std::string& reason) {
  const Transfer x = phase.dominating;
  phase.exposed[x] = phase.alone[x];
  gradient[slot(x, x)] -= phase.alone[x];
  for (const Transfer y : transfers) {
    if (y == x || phase.alone[y] <= 0) continue;
    const Theta& theta = model.theta[x][y];
    if (!theta.value) {
      reason = fmt::format("how much of {} is hidden while {} dominates is not known: {}", name_of(y),
                           name_of(x), theta.reason);
      return false;
    }
    phase.exposed[y] = *theta.value * phase.alone[y];
    gradient[slot(x, y)] += phase.alone[y];
    gradient[slot(y, y)] -= phase.exposed[y];
  }
  return true;
}

// Relative variance of the time, from the parameters.
double variance_of(const Covariance& covariance, const Gradient& gradient, double seconds) {
  double variance = 0;
  for (std::size_t i = 0; i < slots; ++i) {
    for (std::size_t j = 0; j < slots; ++j) variance += gradient[i] * covariance[i][j] * gradient[j];
  }
  return std::max(variance, 0.0) / (seconds * seconds);
}

std::vector<Law> by_preference(const HybridFit& fit) {
  if (fit.better == Law::phased) return {Law::phased, Law::equation5};
  return {Law::equation5, Law::phased};
}

// 1 byte in all.
Quantities shared_out(double load_share, int slow, int fast) {
  const double slow_share = static_cast<double>(slow) / (slow + fast);
  return {{load_share * slow_share, (1 - load_share) * slow_share, load_share * (1 - slow_share),
           (1 - load_share) * (1 - slow_share)}};
}

struct Candidate {
  int slow, fast;
  double gb_per_s;
};

std::vector<Candidate> candidates(const HybridFit& fit, Law law, double load_share) {
  std::vector<Candidate> known;
  for (int slow = 0; slow <= most_weight; ++slow) {
    for (int fast = 0; fast <= most_weight; ++fast) {
      if (std::gcd(slow, fast) != 1) continue;
      const auto rate = predict(fit, law, shared_out(load_share, slow, fast), Layout::weighted).gb_per_s();
      if (rate) known.push_back({slow, fast, *rate});
    }
  }
  return known;
}

}  // namespace

std::optional<double> Prediction::gb_per_s() const {
  if (!seconds) return {};
  return bytes / *seconds / 1e9;
}

Prediction predict(const HybridFit& fit, Law law, const Quantities& bytes, Layout layout) {
  Prediction prediction;
  prediction.law = law;
  prediction.bytes = total(bytes);
  prediction.reason = unknown_bandwidth(fit, bytes);
  if (!prediction.reason.empty()) return prediction;
  const Quantities gb_per_s = bandwidth_values(fit);
  const Limits limit = limits(times_of(bytes, gb_per_s));
  prediction.t_min = limit.t_min;
  prediction.t_max = limit.t_max;

  const HybridModel& model = fit.model(law);
  Gradient gradient = {};
  double seconds = 0;
  for (const Quantities& part : phases_of(bytes, layout == Layout::weighted ? Law::equation5 : law)) {
    PhaseBound phase = {part, times_of(part, gb_per_s), {}, {}};
    phase.dominating = dominating(phase.alone);
    if (!expose(phase, model, gradient, prediction.reason)) {
      prediction.phases.clear();
      return prediction;
    }
    seconds += total(phase.exposed);
    prediction.phases.push_back(phase);
  }
  if (seconds <= 0) {
    prediction.phases.clear();
    prediction.reason = "its theta make the time of this mix 0 or less";
    return prediction;
  }
  prediction.seconds = seconds;
  if (layout == Layout::halves && model.covariance && model.errors.held_out_rms_percent) {
    const double deviation = std::sqrt(variance_of(*model.covariance, gradient, seconds) +
                                       std::pow(*model.errors.held_out_rms_percent / 100, 2));
    prediction.lo = seconds * std::exp(-normal_95 * deviation);
    prediction.hi = seconds * std::exp(normal_95 * deviation);
  }
  return prediction;
}

Prediction predict(const HybridFit& fit, const Quantities& bytes, Layout layout) {
  const std::vector<Law> order = by_preference(fit);
  Prediction first = predict(fit, order[0], bytes, layout);
  if (first.seconds) return first;
  Prediction second = predict(fit, order[1], bytes, layout);
  return second.seconds ? second : first;
}

std::optional<Weights> best_weights(const HybridFit& fit, double load_share) {
  for (const Law law : by_preference(fit)) {
    const std::vector<Candidate> known = candidates(fit, law, load_share);
    const bool interleaves =
        std::ranges::any_of(known, [](const Candidate& c) { return c.slow > 0 && c.fast > 0; });
    if (!interleaves) continue;
    const double best = std::ranges::max(known, {}, &Candidate::gb_per_s).gb_per_s;
    const Candidate* chosen = nullptr;
    for (const Candidate& candidate : known) {
      if (candidate.gb_per_s < best * as_good_as_best) continue;
      if (!chosen || candidate.slow + candidate.fast < chosen->slow + chosen->fast) chosen = &candidate;
    }
    return Weights{chosen->slow, chosen->fast,
                   predict(fit, law, shared_out(load_share, chosen->slow, chosen->fast), Layout::weighted)};
  }
  return {};
}

}  // namespace gable::model

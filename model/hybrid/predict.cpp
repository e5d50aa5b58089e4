#include "model/hybrid/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/sorting.hpp"
#include "model/hybrid/phases.hpp"

namespace gable::model {
namespace {

constexpr double standard_errors_of_doubt = 3;  // as in the fit (hybrid_rows.cpp)
constexpr int most_weight = 255;                // of the kernel's weighted interleave

using Gradient = std::array<double, slots>;

// The reason if a transfer has no known bandwidth or θ; empty if all are known.
std::string unknown_bandwidth(const HybridFit& fit, const Quantities& bytes) {
  for (const Transfer x : transfers) {
    if (bytes[x] > 0 && !fit.bandwidths[x].gb_per_s)
      return fmt::format("the bandwidth of {} is not known: {}", meaning(x),
                         sentence(fit.bandwidths[x].reason));
  }
  return {};
}

// Fills in what the law's terms add. As `expose`.
bool add_terms(PhaseBound& phase, const HybridModel& model, std::optional<double> otherwise,
               Gradient& gradient, std::string& reason) {
  const PerTerm<TermTime> times = term_times(phase.bytes, phase.alone);
  for (const Term term : terms) {
    if (times[term].seconds <= 0) continue;
    const Parameter& parameter = model.terms[term];
    if (!parameter.value && !otherwise) {
      reason = fmt::format("the cost of {} is not known: {}", meaning(term), sentence(parameter.reason));
      return false;
    }
    const double coefficient = parameter.value ? *parameter.value : *otherwise;
    phase.added[term] = coefficient * times[term].seconds;
    gradient[slot(term)] += times[term].seconds;
    for (const Transfer x : transfers) gradient[slot(x, x)] -= coefficient * times[term].slope[x];
  }
  return true;
}

// Fills in the exposed times and adds to the gradient of the time. An unknown θ is replaced by `otherwise`;
// without that, returns false with the reason.
bool expose(PhaseBound& phase, const HybridModel& model, std::optional<double> otherwise, Gradient& gradient,
            std::string& reason) {
  const Transfer x = phase.dominating;
  phase.exposed[x] = phase.alone[x];
  gradient[slot(x, x)] -= phase.alone[x];
  for (const Transfer y : transfers) {
    if (y == x || phase.alone[y] <= 0) continue;
    const Parameter& theta = model.theta[x][y];
    if (!theta.value && !otherwise) {
      reason = fmt::format("how much of the {} is hidden by the {} is not known: {}", meaning(y), meaning(x),
                           sentence(theta.reason));
      return false;
    }
    phase.exposed[y] = (theta.value ? *theta.value : *otherwise) * phase.alone[y];
    gradient[slot(x, y)] += phase.alone[y];
    gradient[slot(y, y)] -= phase.exposed[y];
  }
  return true;
}

// Relative variance of the time that comes from the parameters.
double variance_of(const Covariance& covariance, const Gradient& gradient, double seconds) {
  double variance = 0;
  for (std::size_t i = 0; i < slots; ++i) {
    for (std::size_t j = 0; j < slots; ++j) variance += gradient[i] * covariance[i][j] * gradient[j];
  }
  return std::max(variance, 0.0) / (seconds * seconds);
}

struct Time {
  double seconds = 0;
  Gradient gradient = {};
};

// The time of all phases, whose dominating transfers are set. It fails as `expose` does.
std::optional<Time> time_of(std::vector<PhaseBound>& phases, Law law, const HybridModel& model,
                            std::optional<double> otherwise, std::string& reason) {
  Time time;
  for (PhaseBound& phase : phases) {
    if (!expose(phase, model, otherwise, time.gradient, reason)) return {};
    if (has_terms(law) && !add_terms(phase, model, otherwise, time.gradient, reason)) return {};
    time.seconds += phase.seconds();
  }
  return time;
}

// Whether the uncertainty of the bandwidths leaves open which of two transfers takes longer.
bool in_doubt(const Margin& ahead, const Covariance& covariance) {
  const std::size_t x = slot(ahead.first, ahead.first), y = slot(ahead.second, ahead.second);
  const double variance = covariance[x][x] + covariance[y][y] - covariance[x][y] - covariance[y][x];
  return ahead.first != ahead.second &&
         ahead.log_ratio <= standard_errors_of_doubt * std::sqrt(std::max(variance, 0.0));
}

// Extends the interval to that of one assignment of dominating transfers.
void include(Prediction& prediction, const Time& time, const HybridModel& model) {
  if (time.seconds <= 0) return;
  const double deviation = std::sqrt(variance_of(*model.covariance, time.gradient, time.seconds) +
                                     std::pow(*model.errors.held_out_rms_percent / 100, 2) +
                                     std::pow(model.errors.between_rms_percent.value_or(0) / 200, 2));
  const double lo = time.seconds * std::exp(-normal_95 * deviation);
  const double hi = time.seconds * std::exp(normal_95 * deviation);
  prediction.lo = std::min(prediction.lo.value_or(lo), lo);
  prediction.hi = std::max(prediction.hi.value_or(hi), hi);
}

// The interval goes from the lowest to the highest time over all possible dominating transfers: in an
// uncertain phase each of the two may dominate. If a θ that only one alternative needs is unknown, it may be
// anything from 0 to 1.
void add_interval(Prediction& prediction, const std::vector<Margin>& margins, const HybridModel& model) {
  for (unsigned reading = 0; reading < 1U << margins.size(); ++reading) {
    std::vector<PhaseBound> phases = prediction.phases;
    bool possible = true;
    for (std::size_t i = 0; i < phases.size(); ++i) {
      if ((reading >> i & 1U) == 0) continue;
      possible = possible && in_doubt(margins[i], *model.covariance);
      phases[i].dominating = margins[i].second;
    }
    if (!possible) continue;
    for (const double otherwise : {0.0, 1.0}) {
      std::string unused;
      include(prediction, *time_of(phases, prediction.law, model, otherwise, unused), model);
    }
  }
}

// The best law first, the others by their error for held-out cells; of equal ones the simpler first.
std::vector<Law> by_preference(const HybridFit& fit) {
  std::vector<Law> order(laws.begin(), laws.end());
  sort_by(order, [&](Law law) {
    const double unknown = std::numeric_limits<double>::infinity();
    return std::pair(law != fit.best, fit.model(law).errors.unseen_percent().value_or(unknown));
  });
  return order;
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

double PhaseBound::seconds() const {
  double sum = total(exposed);
  for (const double seconds : added) sum += seconds;
  return sum;
}

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
  const Quantities gb_per_s = known_bandwidths(fit.bandwidths);
  const Limits limit = limits(times_of(bytes, gb_per_s));
  prediction.t_min = limit.t_min;
  prediction.t_max = limit.t_max;

  const HybridModel& model = fit.model(law);
  std::vector<Margin> margins;
  for (const Quantities& part : phases_of(bytes, layout == Layout::weighted ? Law::equation5 : law)) {
    prediction.phases.push_back({part, times_of(part, gb_per_s), {}, {}, {}});
    margins.push_back(margin(prediction.phases.back().alone));
    prediction.phases.back().dominating = margins.back().first;
  }
  const auto time = time_of(prediction.phases, law, model, {}, prediction.reason);
  if (!time || time->seconds <= 0) {
    prediction.phases.clear();
    if (time) prediction.reason = "its parameters give a time of 0 or less for this mix";
    return prediction;
  }
  prediction.seconds = time->seconds;
  if (layout == Layout::halves && model.covariance && model.errors.held_out_rms_percent)
    add_interval(prediction, margins, model);
  return prediction;
}

Prediction predict(const HybridFit& fit, const Quantities& bytes, Layout layout) {
  std::optional<Prediction> first;
  for (const Law law : by_preference(fit)) {
    Prediction found = predict(fit, law, bytes, layout);
    if (found.seconds) return found;
    if (!first) first = std::move(found);
  }
  return *first;
}

std::optional<std::pair<int, int>> model_weights(const HybridFit& fit, double load_share,
                                                 std::string& reason) {
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
    return std::pair(chosen->slow, chosen->fast);
  }
  reason = predict(fit, shared_out(load_share, 1, 1), Layout::weighted).reason;
  return {};
}

}  // namespace gable::model

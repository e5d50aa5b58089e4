#include "model/hybrid/interleave.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "model/hybrid/errors.hpp"
#include "model/hybrid/phases.hpp"
#include "model/hybrid/predict.hpp"

namespace gable::model {
namespace {

constexpr double even = 0.01;  // tolerance around 1:1, because pages are whole

Estimate rate(const Cell& cell) {
  const double gigabytes = total(cell.bytes) / 1e9;
  const auto& [value, lo, hi, n] = cell.seconds;
  return {gigabytes / value, gigabytes / hi, lo > 0 ? gigabytes / lo : gigabytes / value, n};
}

// The weights of a cell of the grid whose mix stays the same throughout; 0:0 for other cells.
std::pair<int, int> constant_weights(const Quantities& bytes) {
  const double all = total(bytes), slow = bytes[Transfer::ls] + bytes[Transfer::ss];
  if (slow <= 0) return {0, 1};
  if (slow >= all) return {1, 0};
  const bool loads_even = std::abs(bytes[Transfer::ls] - bytes[Transfer::lf]) < even * all;
  const bool stores_even = std::abs(bytes[Transfer::ss] - bytes[Transfer::sf]) < even * all;
  return loads_even && stores_even ? std::pair{1, 1} : std::pair{0, 0};
}

void add(std::vector<Interleave>& all, int slow, int fast, const Cell& cell) {
  if (slow + fast == 0) return;
  auto same =
      std::ranges::find_if(all, [&](const Interleave& i) { return i.slow == slow && i.fast == fast; });
  if (same == all.end()) same = all.insert(all.end(), {slow, fast, {}});
  same->mixes.push_back({share_of_loads(cell.bytes), rate(cell)});
}

double seconds_between(const Interleave::Mix& a, const Interleave::Mix& b, double load_share) {
  const double along = (load_share - a.load_share) / (b.load_share - a.load_share);
  return (1 - along) / a.gb_per_s.value + along / b.gb_per_s.value;
}

// Standard deviation of the logarithm of a measured bandwidth; nothing if there are no repetitions.
std::optional<double> spread(const Estimate& gb_per_s) {
  if (gb_per_s.n < 2) return {};
  return std::log(gb_per_s.hi / gb_per_s.lo) / (2 * normal_95);
}

InterleaveRate rate_from(double gb_per_s, std::optional<double> deviation, double below, double above) {
  InterleaveRate found = {gb_per_s, {}, {}, below, above};
  if (!deviation) return found;
  found.lo = gb_per_s * std::exp(-normal_95 * *deviation);
  found.hi = gb_per_s * std::exp(normal_95 * *deviation);
  return found;
}

bool is_mixed(const Interleave& interleave) {
  return interleave.slow > 0 && interleave.fast > 0 && interleave.slow != interleave.fast;
}

// The bandwidth of loads alone or stores alone in one memory.
std::optional<InterleaveRate> rate_alone(const HybridFit& fit, const std::pair<int, int>& weights,
                                         double load_share) {
  if ((weights.first > 0 && weights.second > 0) || (load_share > 0 && load_share < 1)) return {};
  const bool fast = weights.first == 0, load = load_share > 0;
  const auto& alone =
      fit.bandwidths[fast ? (load ? Transfer::lf : Transfer::sf) : (load ? Transfer::ls : Transfer::ss)];
  if (!alone.gb_per_s) return {};
  InterleaveRate rate{alone.gb_per_s->value, {}, {}, load_share, load_share};
  const bool measured = alone.gb_per_s->n > 1;  // 0: published, and its ± may mean anything
  if (measured && alone.gb_per_s->lo < alone.gb_per_s->hi)
    rate.lo = alone.gb_per_s->lo, rate.hi = alone.gb_per_s->hi;
  return rate;
}

}  // namespace

std::vector<Interleave> interleaves_of(const HybridPair& pair) {
  std::vector<Interleave> all;
  for (const Cell& cell : pair.cells) {
    const auto [slow, fast] = constant_weights(cell.bytes);
    add(all, slow, fast, cell);
  }
  for (const InterleavedCell& it : pair.interleaved) add(all, it.slow, it.fast, it.cell);
  for (Interleave& interleave : all) sort_by(interleave.mixes, &Interleave::Mix::load_share);
  return all;
}

HybridFit interleave_fit(const HybridPair& pair) {
  auto constant = those(pair.cells, [](const Cell& cell) {
    return constant_weights(cell.bytes) != std::pair{0, 0};
  });
  for (const InterleavedCell& it : pair.interleaved) constant.push_back(it.cell);
  return fit_hybrid(std::move(constant));
}

InterleaveErrors interleave_errors(const HybridPair& pair) {
  std::vector<double> between;
  for (const auto& [slow, fast, mixes] : interleaves_of(pair)) {
    if (slow == 0 || fast == 0) continue;
    for (std::size_t i = 1; i + 1 < mixes.size(); ++i) {
      const double told = seconds_between(mixes[i - 1], mixes[i + 1], mixes[i].load_share);
      between.push_back(told * mixes[i].gb_per_s.value - 1);
    }
  }
  InterleaveErrors errors;
  const Rms rms = rms_of(between);
  errors.between_cells = rms.cells;
  if (rms.cells > 0) errors.between_percent = rms.percent;
  if (pair.interleaved.empty()) return errors;
  const Errors fitted = interleave_fit(pair).model(Law::equation5).errors;
  errors.equation5_percent = fitted.held_out_rms_percent;
  errors.equation5_cells = fitted.held_out_cells;
  return errors;
}

std::optional<InterleaveRate> rate_of(const Interleave& interleave, double load_share,
                                      const InterleaveErrors& errors) {
  const auto& mixes = interleave.mixes;
  const auto from = [](double share) { return [share](const auto& mix) { return mix.load_share >= share; }; };
  const auto above = std::ranges::find_if(mixes, from(load_share - same_share));
  if (above == mixes.end()) return {};
  if (above->load_share < load_share + same_share)
    return rate_from(above->gb_per_s.value, spread(above->gb_per_s), above->load_share, above->load_share);
  if (above == mixes.begin()) return {};
  const auto below = std::prev(above);
  std::optional<double> deviation;
  if (errors.between_percent) {
    // Held-out cells are predicted from neighbours at twice the distance. The error of a straight line grows
    // at least in proportion to the distance.
    deviation = std::hypot(*errors.between_percent / 100 / 2, spread(below->gb_per_s).value_or(0),
                           spread(above->gb_per_s).value_or(0));
  }
  return rate_from(1 / seconds_between(*below, *above, load_share), deviation, below->load_share,
                   above->load_share);
}

std::optional<Weights> best_weights(const HybridPair& pair, double load_share, std::string& reason) {
  const InterleaveErrors errors = interleave_errors(pair);
  std::vector<Weights> known;
  for (const Interleave& interleave : interleaves_of(pair)) {
    if (const auto rate = rate_of(interleave, load_share, errors))
      known.push_back({interleave.slow, interleave.fast, rate});
  }
  const auto all = interleaves_of(pair);
  if (std::ranges::none_of(all, is_mixed) || known.empty()) {
    const auto guess = model_weights(pair.fit, load_share, reason);
    if (!guess) return {};
    return Weights{guess->first, guess->second, rate_alone(pair.fit, *guess, load_share)};
  }
  const auto gb_per_s = [](const Weights& weights) { return weights.rate->gb_per_s; };
  const double best = gb_per_s(std::ranges::max(known, {}, gb_per_s));
  std::erase_if(known, [&](const Weights& weights) { return gb_per_s(weights) < best * as_good_as_best; });
  return std::ranges::min(known, {}, [](const Weights& weights) { return weights.slow + weights.fast; });
}

}  // namespace gable::model

#include "model/hybrid/everywhere.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "model/hybrid/phases.hpp"

namespace gable::model {
namespace {

bool is_same(const HybridPair& a, const HybridPair& b) {
  return a.cluster == b.cluster && a.slow == b.slow && a.fast == b.fast;
}

const HybridPair* fitted_pair(const Hybrid& hybrid, const HybridPair& pair, bool all_clusters) {
  const auto found = std::ranges::find_if(hybrid.pairs, [&](const HybridPair& other) {
    return other.all_clusters == all_clusters && other.status == Status::ok && is_same(other, pair);
  });
  return found == hybrid.pairs.end() ? nullptr : &*found;
}

PerTransfer<double> pure_gb_per_s(const std::vector<Cell>& cells) {
  std::vector<Cell> pure = cells;
  std::erase_if(pure, [](const Cell& cell) { return !is_pure(cell.bytes); });
  return known_bandwidths(fit_hybrid(std::move(pure)).bandwidths);
}

}  // namespace

bool is_spot_check(const HybridPair& pair) {
  constexpr std::ptrdiff_t thetas = 12;
  return pair.all_clusters &&
         std::ranges::count_if(pair.cells, [](const Cell& cell) { return !is_pure(cell.bytes); }) < thetas;
}

HybridFit with_bandwidths(HybridFit fit, const PerTransfer<double>& gb_per_s) {
  for (const Transfer x : transfers) {
    fit.bandwidths[x] = {};
    if (gb_per_s[x] > 0) {
      fit.bandwidths[x].gb_per_s = Estimate{gb_per_s[x], gb_per_s[x], gb_per_s[x], 0};
    } else {
      fit.bandwidths[x].reason = NoteCode::not_measured_at_once;
    }
  }
  return fit;
}

Prediction estimate_everywhere(const HybridFit& fit, const Quantities& bytes) {
  Prediction found = predict(fit, bytes);
  if (!found.seconds) return found;
  const double least = (*found.seconds + *found.t_min) / 2, most = (*found.seconds + *found.t_max) / 2;
  found.lo = std::min(found.lo.value_or(least), least);
  found.hi = std::max(found.hi.value_or(most), most);
  return found;
}

std::string SpotCheck::text() const {
  const std::string measured = count_text(cells, "cell") + " measured with all clusters";
  if (confirms) return fmt::format("{} {} it", measured, cells == 1 ? "confirms" : "confirm");
  return fmt::format("it is widened to {}, which {} {:.0f} % shorter to {:.0f} % longer", measured,
                     cells == 1 ? "takes" : "take", 100 * (1 - shortest), 100 * (longest - 1));
}

SpotCheck spot_check(const HybridPair& alone, const HybridPair& spots) {
  const HybridFit fit = with_bandwidths(alone.fit, pure_gb_per_s(spots.cells));
  SpotCheck check;
  for (const Cell& cell : spots.cells) {
    const Prediction expected = estimate_everywhere(fit, cell.bytes);
    if (is_pure(cell.bytes) || !expected.seconds) continue;
    ++check.cells;
    const double ratio = cell.seconds.value / *expected.seconds;
    check.shortest = std::min(check.shortest, ratio);
    check.longest = std::max(check.longest, ratio);
    check.confirms = check.confirms && cell.seconds.hi >= *expected.lo && cell.seconds.lo <= *expected.hi;
  }
  return check;
}

std::optional<SpotCheck> spot_check_of(const Hybrid& hybrid, const HybridPair& alone) {
  for (const HybridPair& pair : hybrid.pairs) {
    if (!is_spot_check(pair) || !is_same(pair, alone) || alone.status != Status::ok) continue;
    if (const SpotCheck check = spot_check(alone, pair); check.cells > 0) return check;
  }
  return {};
}

void widen_to(Prediction& prediction, const SpotCheck& check) {
  if (check.confirms || !prediction.seconds) return;
  prediction.lo = std::min(prediction.lo.value_or(*prediction.seconds), *prediction.seconds * check.shortest);
  prediction.hi = std::max(prediction.hi.value_or(*prediction.seconds), *prediction.seconds * check.longest);
}

const HybridPair* alone_of(const Hybrid& hybrid, const HybridPair& pair) {
  return fitted_pair(hybrid, pair, false);
}

const HybridPair* fitted_everywhere(const Hybrid& hybrid, const HybridPair& pair) {
  return fitted_pair(hybrid, pair, true);
}

}  // namespace gable::model

#include "cli/place/memory/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/lists.hpp"

namespace gable::cli {

using model::TierFigure;
using Figures = std::vector<TierFigure>;

std::string ratio_text(const TierFigure& of, const TierFigure& to) {
  const auto [lo, hi] = model::ratio_interval(of.estimate, to.estimate);
  const double ratio = of.estimate.value / to.estimate.value;
  const int decimals = ratio < 0.1 ? 3 : 2;
  if (hi <= lo) return fmt::format("{:.{}f}", ratio, decimals);
  return fmt::format("{0:.{3}f} ({1:.{3}f} to {2:.{3}f})", ratio, lo, hi, decimals);
}

std::vector<std::string> tiers_in(const Figures& figures) {
  return distinct(figures, [](const TierFigure& figure) { return figure.spec.tier; });
}

int most_threads(const Figures& figures, bool smt) {
  int most = 0;
  for (const TierFigure& figure : figures) {
    if (figure.spec.smt == smt) most = std::max(most, figure.spec.threads);
  }
  return most;
}

}  // namespace gable::cli

#include "cli/place/memory/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"

namespace gable::cli {

using model::TierCase;
using model::TierFigure;
using Figures = std::vector<TierFigure>;

std::string describe(const TierCase& asked) {
  if (asked.what == "latency") return "read latency";
  if (asked.what == "load") return "loads";
  if (asked.what != "store")
    return fmt::format("STREAM {}{}", asked.what, asked.way == "nt" ? ", NT stores" : "");
  if (asked.access_bytes == 0) return way_text(asked.way) + " in a stream";
  return fmt::format("{} {} of {}", asked.order, way_text(asked.way), bytes_text(asked.access_bytes));
}

std::string way_text(const std::string& way) {
  if (way == "nt") return "NT stores";
  return way == "store" ? "stores" : fmt::format("stores and {}", way);
}

std::string ratio_text(const TierFigure& of, const TierFigure& to) {
  const auto [lo, hi] = model::ratio_interval(of.estimate, to.estimate);
  const double ratio = of.estimate.value / to.estimate.value;
  const int decimals = ratio < 0.1 ? 3 : 2;
  if (hi <= lo) return fmt::format("{:.{}f}", ratio, decimals);
  return fmt::format("{0:.{3}f} ({1:.{3}f} to {2:.{3}f})", ratio, lo, hi, decimals);
}

std::vector<std::string> tiers_in(const Figures& figures) {
  std::vector<std::string> tiers;
  for (const TierFigure& figure : figures) {
    if (std::ranges::find(tiers, figure.asked.tier) == tiers.end()) tiers.push_back(figure.asked.tier);
  }
  return tiers;
}

int most_threads(const Figures& figures, bool smt) {
  int most = 0;
  for (const TierFigure& figure : figures) {
    if (figure.asked.smt == smt) most = std::max(most, figure.asked.threads);
  }
  return most;
}

}  // namespace gable::cli

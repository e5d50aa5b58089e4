#include "cli/place/memory/memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "cli/text/columns.hpp"
#include "model/records/names.hpp"

namespace gable::cli {

namespace {

using model::Status;
using model::TierFigure;
using Figures = std::vector<TierFigure>;

const TierFigure* best_of(const Figures& figures, const std::string& tier, const std::string& what) {
  return model::best_figure(figures,
                            [&](const TierFigure& f) { return f.spec.tier == tier && f.spec.what == what; });
}

std::string made_by(const TierFigure& figure) {
  return fmt::format("{}, {}{}", name_of(figure.spec), count_text(figure.spec.threads, "thread"),
                     figure.spec.smt ? ", SMT" : "");
}

// "NVM compared with DRAM: reads at 0.38 (...) times the bandwidth, latency 2.94 (...) times as long": the
// best of each.
std::string beside(const Figures& figures, const std::string& tier, const std::string& base) {
  const auto part = [&](const char* what, const char* before, const char* after) {
    const TierFigure *of = best_of(figures, tier, what), *to = best_of(figures, base, what);
    return of != nullptr && to != nullptr ? fmt::format("{} {}{}", before, ratio_text(*of, *to), after)
                                          : std::string();
  };
  std::vector<std::string> parts = {part("load", "reads at", " times the bandwidth"),
                                    part("store", "writes at", " times the bandwidth"),
                                    part("latency", "latency", " times as long")};
  std::erase(parts, "");
  return parts.empty() ? ""
                       : fmt::format("  {} compared with {}, the best of each: {}.\n", tier, base,
                                     fmt::join(parts, ", "));
}

// The ratio of the worst way to write, by all threads, to the best one.
std::string collapse(const Figures& figures, const std::string& tier) {
  const TierFigure* best = best_of(figures, tier, "store");
  const TierFigure* worst = nullptr;
  const int most = most_threads(figures, false);
  for (const TierFigure& f : figures) {
    if (f.spec.tier != tier || !is_store(f.spec) || f.spec.threads != most || f.spec.smt ||
        f.status != Status::ok)
      continue;
    if (worst == nullptr || f.estimate.value < worst->estimate.value) worst = &f;
  }
  if (best == nullptr || worst == nullptr || worst == best) return "";
  return fmt::format("  {}: writes reach {} GB/s ({}); {}: {} of that.\n", tier, number(best->estimate.value),
                     made_by(*best), made_by(*worst), ratio_text(*worst, *best));
}

std::string claims(const Figures& figures, const std::string& tier) {
  std::string text;
  for (const auto& [what, word] : {std::pair("load", "reads"), {"store", "writes"}}) {
    const TierFigure* best = best_of(figures, tier, what);
    if (best == nullptr || best->vendor_gb_per_s <= 0) continue;
    const double claim = best->vendor_gb_per_s;
    std::string ratio = fmt::format("{:.2f}", best->estimate.value / claim);
    if (best->estimate.hi > best->estimate.lo)
      ratio += fmt::format(" ({:.2f} to {:.2f})", best->estimate.lo / claim, best->estimate.hi / claim);
    text += fmt::format("  {}: {} reach {} GB/s ({}), {} of the vendor's {:g} GB/s.\n", tier, word,
                        number(best->estimate.value), made_by(*best), ratio, claim);
  }
  return text;
}

// How each tier was allocated, and every reason and note once, merging different numbers.
std::string remarks(const Figures& figures) {
  model::NotesByKind told;
  std::string text;
  for (const std::string& tier : tiers_in(figures)) {
    const auto had = std::ranges::find_if(
        figures, [&](const TierFigure& f) { return f.spec.tier == tier && !f.how.empty(); });
    if (had != figures.end())
      text += fmt::format("  {}: {}{}.\n", tier, had->how, had->persistent ? "; persistent" : "");
  }
  for (const TierFigure& figure : figures) {
    const std::string& tier = figure.spec.tier;
    if (figure.status != Status::ok)
      add_alike(told, fmt::format("{}: {}", tier, model::name_of(figure.status)), figure.reason);
    for (const model::Note& note : figure.notes) add_alike(told, tier + ": note", note);
    if (!figure.source.empty()) add_alike(told, "published", model::Note(figure.source));
  }
  for (const auto& [kind, remark] : told)
    text += fmt::format("  {}: {} ({} of {} figures)\n", kind.first, remark.text(), remark.count(),
                        figures.size());
  return text;
}

}  // namespace

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

std::string memory_remarks(const Figures& figures) {
  std::string text;
  const std::vector<std::string> tiers = tiers_in(figures);
  for (std::size_t t = 1; t < tiers.size(); ++t) text += beside(figures, tiers[t], tiers[0]);
  for (const std::string& tier : tiers) text += collapse(figures, tier);
  for (const std::string& tier : tiers) text += claims(figures, tier);
  return folded_lines(text + remarks(figures), 4);
}

}  // namespace gable::cli

#include "cli/compare/side.hpp"

#include <fmt/format.h>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "cli/text/columns.hpp"
#include "model/records/names.hpp"
#include "model/roofs/interval.hpp"
#include "model/tiers/advice.hpp"

namespace gable::cli {
namespace {

using model::Better;
using model::Case;
using model::Estimate;
using model::Figure;
using model::Roof;

std::string section_of(const Case& spec) {
  if (is_ladder(spec.pattern)) return "ladder";
  return std::string(model::row_of(spec.kind).words);
}

bool is_in_cache(const Case& spec) {
  return is_in_cache(spec.pattern) || in_registers(spec.kind);
}

std::string cluster_text(int cluster) {
  return fmt::format("cluster {}", cluster);
}

std::string threads_of_figure(const Case& spec, const Places& places) {
  const bool one_thread = spec.kind == model::Kind::latency || spec.kind == model::Kind::branch ||
                          spec.kind == model::Kind::operation || spec.kind == model::Kind::window ||
                          is_ladder(spec.pattern) || (spec.kind == model::Kind::random && spec.threads == 1);
  return one_thread ? count_text(spec.threads, "thread")
                    : places.threads(spec.cluster, spec.threads, spec.smt);
}

std::string topic_of(const Case& spec, const Places& places) {
  const std::string where =
      is_in_cache(spec) ? "" : name_of(spec.tier) + " " + places.node(spec.cluster, spec.node);
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}", name_of(spec.kind), spec.cluster, spec.level.name(),
                     name_of(spec.pattern), where, spec.op.name(), name_of(spec.precision), spec.load_percent,
                     is_ladder(spec.pattern) ? spec.bytes : 0);
}

std::string variant_of(const Case& spec, const Places& places) {
  std::string text = spec.kernel;
  if (!spec.pages.empty())
    text += fmt::format("{}{} pages", text.empty() ? "" : ", ", model::pages_text(spec.pages));
  if (is_memory(spec.level) && places.is_behind_cache(spec))
    text += fmt::format("{}behind a memory-side cache", text.empty() ? "" : ", ");
  return text;
}

int rounds_of(const Side& side, const Roof& roof) {
  if (!roof.source.empty()) return Figure::published;
  const auto found = side.rounds.find(model::key(roof.spec));
  return found == side.rounds.end() ? 0 : found->second;
}

Figure roof_figure(const Roof& roof, const Side& side, const Places& places) {
  const Case& spec = roof.spec;
  Figure figure;
  figure.section = section_of(spec);
  figure.topic = topic_of(spec, places);
  figure.threads = threads_of_figure(spec, places);
  figure.question = figure.topic + "|" + figure.threads;
  figure.name = name_of(spec, model::Style::figure);
  figure.cluster = cluster_text(spec.cluster);
  figure.variant = variant_of(spec, places);
  figure.bytes = spec.bytes;
  figure.unit = roof.unit;
  figure.better = is_latency(spec.kind) ? Better::lower : Better::higher;
  const bool is_private = in_registers(spec.kind) || (is_cache(spec.level) && spec.level.number() <= 2);
  figure.drift_group = is_private ? core_drift : memory_drift;
  figure.estimate = model::is_95_interval(roof) ? Estimate{roof.value, roof.lo, roof.hi, roof.n}
                                                : Estimate{roof.value, roof.value, roof.value, roof.n};
  if (roof.idle_value > 0)
    figure.estimate = {roof.idle_value, roof.idle_lo, roof.idle_hi, roof.n};
  else
    figure.at_small_load = model::has(roof.remarks, model::NoteCode::idle_clock);
  figure.visits = rounds_of(side, roof);
  figure.other_state = roof.other_state;
  figure.status = roof.status;
  figure.reason = roof.reason;
  figure.no_partner = places.no_partner(spec);
  return figure;
}

// What the figures of a pair of memories have in common.
Figure pair_figure(const model::HybridPair& pair, const Side& side, const Places& places) {
  Figure figure;
  figure.section = "hybrid";
  figure.question = fmt::format("hybrid|{}|{} {}|{} {}|{}", pair.cluster, name_of(pair.slow.tier),
                                places.node(pair.cluster, pair.slow.node), name_of(pair.fast.tier),
                                places.node(pair.cluster, pair.fast.node), pair.source.empty());
  if (pair.all_clusters) figure.question += "|all";
  figure.cluster = cluster_text(pair.cluster) + (pair.all_clusters ? " of all busy ones" : "");
  figure.name = fmt::format("{}, {} {} and {} {}", figure.cluster, name_of(pair.slow.tier), pair.slow.node,
                            name_of(pair.fast.tier), pair.fast.node);
  figure.variant = pair.pages.empty() ? "" : model::pages_text(pair.pages) + " pages";
  figure.drift_group = memory_drift;
  figure.visits = pair.source.empty() ? side.hybrid_rounds : Figure::published;
  figure.status = pair.status;
  figure.reason = pair.reason;
  Case spec;
  spec.cluster = pair.cluster;
  spec.pattern = pair.all_clusters ? model::Pattern::hybrid_all : model::Pattern::hybrid;
  for (const model::Tiers of : {pair.slow.tier, pair.fast.tier}) {
    if (const auto tier = of.single()) spec.tier.add(*tier);
  }
  const bool own =
      places.is_own_node(pair.cluster, pair.slow.node) && places.is_own_node(pair.cluster, pair.fast.node);
  if (!own) spec.other_node = pair.fast.node;
  figure.no_partner = places.no_partner(spec);
  return figure;
}

void set_unknown(Figure& figure, const model::Note& reason) {
  figure.status = model::Status::invalid;
  figure.reason = reason;
}

void add_bandwidths(std::vector<Figure>& figures, const Figure& common, const model::HybridFit& fit) {
  for (const model::Transfer transfer : model::transfers) {
    Figure figure = common;
    figure.question += fmt::format("|b_{}", name_of(transfer));
    figure.name += fmt::format(": {}", meaning(transfer));
    figure.unit = "GB/s";
    const auto& [known, reason] = fit.bandwidths[transfer];
    if (known) figure.estimate = *known;
    if (figure.visits == Figure::published) figure.estimate.lo = figure.estimate.hi = figure.estimate.value;
    if (!known && figure.status == model::Status::ok) set_unknown(figure, reason);
    figures.push_back(std::move(figure));
  }
}

// θ of the simplest law, which the paper has.
void add_thetas(std::vector<Figure>& figures, const Figure& common, const model::HybridFit& fit) {
  for (const model::Transfer x : model::transfers) {
    for (const model::Transfer y : model::transfers) {
      if (x == y) continue;
      Figure figure = common;
      figure.question += fmt::format("|theta {}/{}", name_of(x), name_of(y));
      figure.name += fmt::format(": θ {}/{}", name_of(x), name_of(y));
      figure.better = Better::neither;
      figure.is_share = true;
      figure.visits = Figure::published;  // the error comes from many cells
      const model::Parameter& theta = fit.model(model::Law::equation5).theta[x][y];
      const double reach = model::normal_95 * theta.standard_error.value_or(0);
      if (theta.value)
        figure.estimate = {*theta.value, *theta.value - reach, *theta.value + reach, fit.cells};
      if (!theta.value && figure.status == model::Status::ok) set_unknown(figure, theta.reason);
      figures.push_back(std::move(figure));
    }
  }
}

Figure placed_figure(const model::Placed& placed, const Places& places) {
  Figure figure;
  figure.section = "placement";
  const std::string parts =
      joined(placed.parts, [](const auto& part) { return part.name + " in " + part.tier; });
  figure.question = model::key(placed) + (placed.source.empty() ? "" : "|" + placed.source);
  figure.cluster = cluster_text(placed.cluster);
  figure.name = fmt::format("{}, {} on {}, {}{}: {}", figure.cluster, count_text(placed.threads, "thread"),
                            placed.graph, parts, placed.smt ? ", one a hardware thread" : "",
                            placed.workload + " " + placed.variant);
  figure.variant = placed.how;
  figure.unit = "MTEPS";
  figure.drift_group = memory_drift;
  figure.status = placed.status;
  figure.reason = placed.reason;
  figure.visits = placed.source.empty() ? static_cast<int>(model::runs_of(placed)) : Figure::published;
  if (placed.status == model::Status::ok) {
    constexpr double million = 1e6;
    const Estimate teps = model::teps(placed);
    figure.estimate = {teps.value / million, teps.lo / million, teps.hi / million, teps.n};
  }
  figure.no_partner = places.no_partner(placed.cluster);
  return figure;
}

Figure tier_figure(const model::TierFigure& tier, const Side& side, const Places& places) {
  Figure figure;
  figure.section = "tier";
  model::TierCase spec = tier.spec;
  figure.bytes = spec.bytes;
  spec.bytes = 0;
  figure.question = model::key(spec);
  figure.cluster = cluster_text(spec.cluster);
  figure.name = fmt::format("{}, {}, {}: {}", figure.cluster, spec.tier, count_text(spec.threads, "thread"),
                            name_of(spec));
  figure.variant = tier.kernel;
  figure.unit = unit_of(spec);
  figure.better = is_latency(spec) ? Better::lower : Better::higher;
  figure.drift_group = memory_drift;
  figure.estimate = tier.estimate;
  figure.status = tier.status;
  figure.reason = tier.reason;
  const auto rounds = side.tier_rounds.find(model::key(tier.spec));
  figure.visits = rounds == side.tier_rounds.end() ? 0 : rounds->second;
  figure.no_partner = places.no_partner(spec.cluster);
  return figure;
}

}  // namespace

std::vector<Figure> figures_of(const Side& side, const Places& places) {
  std::vector<Figure> figures;
  const ShownFolder& shown = side.shown;
  for (const Roof& roof : shown.roofs.roofs) figures.push_back(roof_figure(roof, side, places));
  for (const model::HybridPair& pair : shown.hybrid.pairs) {
    const Figure common = pair_figure(pair, side, places);
    add_bandwidths(figures, common, pair.fit);
    add_thetas(figures, common, pair.fit);
  }
  for (const model::Placed& placed : shown.placed) figures.push_back(placed_figure(placed, places));
  for (const model::TierFigure& tier : shown.tiers) {
    if (tier.source.empty()) figures.push_back(tier_figure(tier, side, places));  // others are roofs
  }
  for (const Roof& roof : shown.roofs.ladder) figures.push_back(roof_figure(roof, side, places));
  add_c2c_figures(figures, shown.c2c);
  add_virt_figures(figures, side.virt);
  return figures;
}

}  // namespace gable::cli

#include "model/tiers/tiers.hpp"

#include <map>

#include "base/lists.hpp"

namespace gable::model {
namespace {

std::vector<double> rates_of(const TierSample& sample) {
  std::vector<double> rates;
  for (std::size_t i = 0; i < sample.seconds.size(); ++i) {
    const double giga_per_second = sample.work[i] / sample.seconds[i] / 1e9;
    rates.push_back(is_latency(sample.spec) ? 1 / giga_per_second : giga_per_second);
  }
  return rates;
}

TierFigure figure_of(const std::vector<const TierSample*>& visits) {
  const TierSample& last = *visits.back();
  TierFigure figure = {last.spec,       {}, last.status, last.reason, last.kernel, last.kind, last.how,
                       last.persistent, 0,  last.notes,  ""};
  std::vector<std::vector<double>> rates;
  for (const TierSample* visit : visits) {
    if (visit->vendor_gb_per_s > 0) figure.vendor_gb_per_s = visit->vendor_gb_per_s;
    if (visit->status == Status::ok) rates.push_back(rates_of(*visit));
  }
  if (rates.empty()) return figure;
  figure.status = Status::ok;
  figure.reason = {};
  figure.estimate = estimate(rates);
  return figure;
}

}  // namespace

std::vector<TierFigure> tier_figures(const std::vector<TierSample>& samples) {
  std::map<std::string, std::size_t> place;
  std::vector<std::vector<const TierSample*>> visits;
  for (const TierSample& sample : samples) {
    const auto [known, added] = place.try_emplace(key(sample.spec), visits.size());
    if (added) visits.emplace_back();
    visits[known->second].push_back(&sample);
  }
  return each_of(visits, [](const auto& each) { return figure_of(each); });
}

std::vector<TierFigure> published_figures(const Roofs& roofs) {
  std::vector<TierFigure> figures;
  for (const Roof& roof : roofs.roofs) {
    const Case& spec = roof.spec;
    const bool latency = spec.kind == Kind::latency;
    if (roof.source.empty() || !is_memory(spec.level) || spec.pattern != Pattern::local || spec.node < 0)
      continue;
    if (!latency && spec.kind != Kind::bandwidth) continue;
    TierFigure figure;
    figure.spec.tier = name_of(spec.tier);
    figure.spec.what = latency ? "latency" : without_way(spec.op).name();
    if (!latency && spec.op != operations::load) figure.spec.way = is_non_temporal(spec.op) ? "nt" : "store";
    figure.spec.order = latency ? "random" : "sequential";
    figure.spec.cluster = spec.cluster;
    figure.spec.threads = spec.threads;
    figure.spec.smt = spec.smt;
    figure.estimate = {roof.value, roof.lo, roof.hi, roof.n};
    figure.status = roof.status;
    figure.reason = roof.reason;
    figure.kind = spec.tier.single().value_or(plain_tier);
    figure.source = roof.source;
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace gable::model

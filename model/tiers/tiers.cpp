#include "model/tiers/tiers.hpp"

#include <fmt/format.h>

#include <map>

namespace gable::model {
namespace {

std::vector<double> rates_of(const TierSample& sample) {
  std::vector<double> rates;
  for (std::size_t i = 0; i < sample.seconds.size(); ++i) {
    const double giga_per_second = sample.work[i] / sample.seconds[i] / 1e9;
    rates.push_back(is_latency(sample.asked) ? 1 / giga_per_second : giga_per_second);
  }
  return rates;
}

TierFigure figure_of(const std::vector<const TierSample*>& visits) {
  const TierSample& last = *visits.back();
  TierFigure figure = {last.asked,      {}, last.status, last.reason, last.kernel, last.kind, last.how,
                       last.persistent, 0,  last.notes,  ""};
  std::vector<std::vector<double>> rates;
  for (const TierSample* visit : visits) {
    if (visit->vendor_gb_per_s > 0) figure.vendor_gb_per_s = visit->vendor_gb_per_s;
    if (visit->status == Status::ok) rates.push_back(rates_of(*visit));
  }
  if (rates.empty()) return figure;
  figure.status = Status::ok;
  figure.reason.clear();
  figure.estimate = estimate(rates);
  return figure;
}

}  // namespace

std::vector<TierFigure> tier_figures(const std::vector<TierSample>& samples) {
  std::map<std::string, std::size_t> place;
  std::vector<std::vector<const TierSample*>> visits;
  for (const TierSample& sample : samples) {
    const auto [known, added] = place.try_emplace(key(sample.asked), visits.size());
    if (added) visits.emplace_back();
    visits[known->second].push_back(&sample);
  }
  std::vector<TierFigure> figures;
  for (const auto& each : visits) figures.push_back(figure_of(each));
  return figures;
}

std::vector<TierFigure> published_figures(const Roofs& roofs) {
  std::vector<TierFigure> figures;
  for (const Roof& roof : roofs.roofs) {
    const Case& asked = roof.asked;
    const bool latency = asked.kind == Kind::latency;
    if (roof.source.empty() || !is_memory(asked.level) || asked.pattern != Pattern::local || asked.node < 0)
      continue;
    if (!latency && asked.kind != Kind::bandwidth) continue;
    TierFigure figure;
    figure.asked.tier = name_of(asked.tier);
    figure.asked.what = latency ? "latency" : without_way(asked.op).name();
    if (!latency && asked.op != operations::load)
      figure.asked.way = is_non_temporal(asked.op) ? "nt" : "store";
    figure.asked.order = latency ? "random" : "sequential";
    figure.asked.cluster = asked.cluster;
    figure.asked.threads = asked.threads;
    figure.asked.smt = asked.smt;
    figure.estimate = {roof.value, roof.lo, roof.hi, roof.n};
    figure.status = roof.status;
    figure.reason = roof.reason;
    figure.kind = asked.tier.single().value_or(plain_tier);
    figure.source = roof.source;
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace gable::model

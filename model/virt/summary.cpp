#include "model/virt/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/lists.hpp"
#include "base/sorting.hpp"

namespace gable::model {

namespace {

// Interruptions only slow down, so that the better quarter of the repetitions is what the machine does.
constexpr double undisturbed = 0.75;

std::vector<double> rates_of_visit(const VirtSample& sample) {
  std::vector<double> rates;
  for (std::size_t i = 0; i < sample.seconds.size(); ++i) rates.push_back(sample.work[i] / sample.seconds[i]);
  return rates;
}

VirtFigure figure_of_visits(const std::vector<const VirtSample*>& visits) {
  const VirtSample& last = *visits.back();
  VirtFigure figure;
  figure.spec = last.spec;
  figure.status = last.status;
  figure.reason = last.reason;
  const VirtMeasure measure = measure_of(last.spec);
  figure.unit = measure.unit;
  figure.lower_is_better = measure.is_time;
  std::vector<std::vector<double>> rates;
  std::vector<double> runs;
  for (const VirtSample* visit : visits) {
    if (visit->status != Status::ok) continue;
    rates.push_back(rates_of_visit(*visit));
    figure.verified = visit->verified;
    double seconds = 0;
    for (const double each : visit->seconds) seconds += each;
    runs.push_back(seconds);
  }
  if (rates.empty()) return figure;
  figure.status = Status::ok;
  figure.reason = {};
  figure.visits = static_cast<int>(rates.size());
  figure.seconds = median(runs);
  const Estimate rate = estimate(rates, undisturbed);
  figure.estimate = measure.is_time
                        ? Estimate{1 / rate.value / measure.per_unit, 1 / rate.hi / measure.per_unit,
                                   1 / rate.lo / measure.per_unit, rate.n}
                        : Estimate{rate.value / measure.per_unit, rate.lo / measure.per_unit,
                                   rate.hi / measure.per_unit, rate.n};
  return figure;
}

double error_of(const VirtFigure& figure) {
  return standard_error(figure.estimate, static_cast<std::size_t>(figure.visits));
}

using Figures = std::vector<VirtFigure>;

const VirtFigure* packed_like(const Figures& packed, const VirtFigure& figure, VirtPages pages) {
  for (const VirtFigure& each : packed) {
    if (each.spec.bytes == figure.spec.bytes && each.spec.pages == pages) return &each;
  }
  return nullptr;
}

// Packed accesses in huge pages miss no TLB; in small pages they hardly do.
VirtPages pages_of_packed(const Figures& packed) {
  for (const VirtPages pages : {VirtPages::huge, VirtPages::transparent, VirtPages::small}) {
    const bool any =
        std::ranges::any_of(packed, [&](const VirtFigure& each) { return each.spec.pages == pages; });
    if (any) return pages;
  }
  return VirtPages::none;
}

std::vector<WalkLadder> ladders_of(const Figures& walks) {
  const auto packed = those(walks, [](const VirtFigure& each) { return each.spec.what == walks::packed; });
  std::vector<WalkLadder> ladders;
  for (const VirtPages pages :
       {VirtPages::small, VirtPages::transparent, VirtPages::huge, VirtPages::giant}) {
    WalkLadder ladder;
    ladder.pages = pages;
    ladder.packed_pages = pages_of_packed(packed);
    for (const VirtFigure& each : walks) {
      if (each.spec.pages != pages) continue;
      if (each.spec.what == walks::bandwidth) ladder.bandwidths.push_back(each);
      if (each.spec.what != walks::latency) continue;
      ladder.latencies.push_back(each);
      const VirtFigure* const base = packed_like(packed, each, ladder.packed_pages);
      if (base == nullptr) continue;
      ladder.points.push_back({static_cast<double>(each.spec.bytes),
                               each.estimate.value - base->estimate.value,
                               std::hypot(error_of(each), error_of(*base))});
    }
    if (ladder.latencies.empty()) continue;
    const auto by_bytes = [](const VirtFigure& figure) { return figure.spec.bytes; };
    sort_by(ladder.latencies, by_bytes);
    sort_by(ladder.bandwidths, by_bytes);
    sort_by(ladder.points, &WalkPoint::bytes);
    ladder.fit = fit_walks(ladder.points);
    ladders.push_back(std::move(ladder));
  }
  return ladders;
}

std::vector<TlbReach> reaches_of(const WalkLadder* ladder) {
  std::vector<TlbReach> reaches;
  if (ladder == nullptr || !ladder->fit.unknown.empty()) return reaches;
  for (const TlbLevel& level : ladder->fit.levels)
    reaches.push_back({level.reach.value, std::max(0.0, level.cost.lo), std::max(0.0, level.cost.hi)});
  return reaches;
}

}  // namespace

std::vector<std::string> notes_of(const std::vector<VirtSample>& samples, VirtKind kind) {
  NotesByKind alike;
  int visits = 0;
  for (const VirtSample& sample : samples) {
    if (sample.spec.kind != kind || sample.status != Status::ok) continue;
    ++visits;
    for (const Note& note : sample.notes) add_alike(alike, "", note);
  }
  std::vector<std::string> lines;
  for (const auto& [of, notes] : alike) {
    const bool avoidable = of.second.code == NoteCode::others_busy;
    lines.push_back(fmt::format("{} of {} visits: {}{}.", notes.count(), visits, notes.text(),
                                avoidable ? "; measure again on an idle machine" : ""));
  }
  return lines;
}

const VirtFigure* VirtSummary::figure(VirtKind kind, std::string_view what, VirtPages pages) const {
  for (const VirtFigure& each : figures) {
    if (each.spec.kind == kind && each.spec.what == what && each.spec.pages == pages) return &each;
  }
  return nullptr;
}

const WalkLadder* VirtSummary::ladder(VirtPages pages) const {
  const auto found = std::ranges::find(ladders, pages, &WalkLadder::pages);
  return found == ladders.end() ? nullptr : &*found;
}

double VirtSummary::noise_share() const {
  double sum = 0;
  for (const Noise& noise : noises) sum += noise.share.value;
  return noises.empty() ? 0 : sum / static_cast<double>(noises.size());
}

VirtSummary virt_summary(const std::vector<VirtSample>& samples) {
  VirtSummary summary;
  std::map<std::string, std::size_t> place;
  std::vector<std::vector<const VirtSample*>> cases;
  for (const VirtSample& sample : samples) {
    if (!row_of(sample.spec.kind).is_timed) {
      summary.facts = sample.facts;
      summary.hypervisor = sample.hypervisor;
    } else if (sample.spec.kind != VirtKind::noise || sample.status != Status::ok) {
      const auto [known, added] = place.try_emplace(key(sample.spec), cases.size());
      if (added) cases.emplace_back();
      cases[known->second].push_back(&sample);
    }
  }
  Figures walks;
  for (const auto& visits : cases) {
    VirtFigure figure = figure_of_visits(visits);
    if (figure.status != Status::ok) {
      summary.skipped.push_back(std::move(figure));
    } else {
      (figure.spec.kind == VirtKind::walk ? walks : summary.figures).push_back(std::move(figure));
    }
  }
  summary.ladders = ladders_of(walks);
  summary.noises = noise_of(samples);
  for (const VirtKindRow& kind : virt_kind_rows) {
    auto notes = kind.is_timed ? notes_of(samples, kind.value) : std::vector<std::string>();
    if (!notes.empty()) summary.notes[kind.value] = std::move(notes);
  }
  return summary;
}

ProfileTlb tlb_of(const VirtSummary& summary) {
  ProfileTlb tlb = {reaches_of(summary.ladder(VirtPages::small)),
                    reaches_of(summary.ladder(VirtPages::huge))};
  if (tlb.huge.empty()) tlb.huge = reaches_of(summary.ladder(VirtPages::transparent));
  return tlb;
}

}  // namespace gable::model

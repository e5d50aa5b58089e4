#include "model/roofs/roofs.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <set>
#include <tuple>
#include <utility>

#include "base/lists.hpp"
#include "model/records/question.hpp"
#include "model/roofs/states.hpp"
#include "model/roofs/visits.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {

namespace {

using Visits = std::vector<const Sample*>;

double load_gb_per_s(const Visits& visits) {
  std::vector<double> medians;
  for (const Sample* visit : visits) {
    std::vector<double> loads;
    for (std::size_t i = 0; i < visit->load_bytes.size(); ++i) {
      loads.push_back(visit->load_bytes[i] / visit->seconds[i] / 1e9);
    }
    if (!loads.empty()) medians.push_back(median(loads));
  }
  return medians.empty() ? 0 : median(medians);
}

double typical_clock(const Visits& visits) {
  return median_clock(visits |
                      std::views::transform([](const Sample* visit) -> const Sample& { return *visit; }));
}

// What takes so many cycles varies with the clock from visit to visit: its figure is that at the typical
// clock.
Estimate estimate_of(const Visits& visits) {
  const bool clocks_known =
      std::ranges::all_of(visits, [](const Sample* visit) { return visit->clock_ghz > 0; });
  const bool in_cycles = takes_cycles(visits.front()->spec.kind) && clocks_known;
  const double clock = typical_clock(visits);
  std::vector<std::vector<double>> values;
  for (const Sample* visit : visits) {
    values.push_back(repetitions_of(*visit));
    if (!in_cycles) continue;
    for (double& value : values.back()) value *= visit->clock_ghz / clock;
  }
  return estimate(values, quantile_of(visits.front()->spec));
}

void set_figure(const Visits& visits, Roof& roof) {
  const Estimate figure = estimate_of(visits);
  roof.value = figure.value;
  roof.lo = figure.lo;
  roof.hi = figure.hi;
  roof.n = figure.n;
  roof.load_gb_per_s = load_gb_per_s(visits);
  roof.clock_ghz = typical_clock(visits);
  for (const Sample* visit : visits)
    roof.adds_per_cycle = std::max(roof.adds_per_cycle, visit->adds_per_cycle);
}

// The lowest and the highest figure of single visits, without the `strays` farthest ones at each end.
std::pair<double, double> range_of(const Visits& visits, std::size_t strays = 0) {
  auto figures = each_of(visits, [](const Sample* visit) { return visit_figure(*visit); });
  std::ranges::sort(figures);
  return {figures.at(strays), figures.at(figures.size() - 1 - strays)};
}

// Whether the visits' figures differ by more than their spread and 5 %. A quarter of them may be strays.
bool differ(const Visits& one, const Visits& other) {
  constexpr double same = 1.05;
  struct Group {
    double middle;
    std::pair<double, double> range;
  };
  const auto group_of = [](const Visits& visits) {
    return Group{estimate_of(visits).value, range_of(visits, visits.size() / 4)};
  };
  Group low = group_of(one), high = group_of(other);
  if (low.middle > high.middle) std::swap(low, high);
  return high.middle > same * low.middle && low.range.second < high.middle && high.range.first > low.middle;
}

// The figure of the reported state of the machine, if those of its two states differ. The interval contains
// all other visits, because the machine may be in either state when a program runs.
void report_state(const Visits& visits, const States& states, Roof& roof) {
  if (!states.clusters.contains(roof.spec.cluster)) return;
  Visits reported, others;
  for (const Sample* visit : visits) {
    const auto state = states.reported.find(visit);
    (state != states.reported.end() && state->second ? reported : others).push_back(visit);
  }
  const char* const name = states.faster ? "faster" : "slower";
  if (reported.empty()) {
    roof.other_state = true;
    roof.remarks.push_back({NoteCode::other_state, {name}});
    return;
  }
  if (others.empty() || !differ(reported, others)) return;
  set_figure(reported, roof);
  if (reported.size() < 3) std::tie(roof.lo, roof.hi) = range_of(reported);
  const auto [least, most] = range_of(others);
  roof.lo = std::min({roof.lo, least, roof.value});
  roof.hi = std::max({roof.hi, most, roof.value});
  roof.remarks.push_back({NoteCode::two_states, {name}});
}

void tell_crowded(const Visits& visits, const Crowded& crowded, Roof& roof) {
  const auto count =
      std::ranges::count_if(visits, [&](const Sample* visit) { return crowded.is_crowded(*visit); });
  if (count == 0) return;
  roof.remarks.push_back({NoteCode::crowded_visits, {double(count), double(visits.size())}});
}

Roof fit_roof(const Visits& samples, const Crowded& crowded, const States& states) {
  Roof roof;
  roof.spec = samples.front()->spec;
  roof.unit = std::string(unit_of(roof.spec.kind));
  const Visits visits = those(samples, [](const Sample* sample) { return sample->status == Status::ok; });
  if (visits.empty()) {
    roof.status = samples.back()->status;
    roof.reason = samples.back()->reason;
    return roof;
  }
  roof.remarks = remarks_on_caches(visits);
  set_figure(visits, roof);
  report_state(visits, states, roof);
  tell_crowded(visits, crowded, roof);
  return roof;
}

bool is_same_memory(const Case& a, const Case& b) {
  return a.cluster == b.cluster && a.level == b.level && a.pattern == b.pattern && a.node == b.node &&
         a.tier == b.tier && a.pages == b.pages;
}

// The lowest latency of this memory while other cores load it, in the same state of the machine; nullptr:
// none.
const Roof* lowest_loaded(const std::vector<Roof>& roofs, const Roof& idle) {
  return best(roofs, [&](const Roof& roof) {
    return has_load(roof.spec.kind) && roof.spec.load_percent > 0 && roof.other_state == idle.other_state &&
           is_same_memory(roof.spec, idle.spec);
  });
}

bool is_clearly_above(const Roof& roof, const Roof& lowest) {
  constexpr double clearly = 1.02;
  return roof.lo > lowest.hi && roof.value > clearly * lowest.value;
}

}  // namespace

std::vector<Roof> fit_roofs(const std::vector<Sample>& samples,
                            const std::function<bool(const Case&)>& is_wanted) {
  std::map<std::string, std::size_t> place;
  std::vector<Visits> cases;
  Visits all;
  for (const Sample& sample : samples) {
    const auto [found, is_new] = place.try_emplace(key(sample.spec), cases.size());
    if (is_new) cases.emplace_back();
    auto& visits = cases[found->second];
    const auto same = [&](const Sample* other) { return *other == sample; };
    if (std::ranges::any_of(visits, same)) continue;
    visits.push_back(&sample);
    all.push_back(&sample);
  }
  const Crowded crowded(all);
  std::set<const Sample*> left;
  for (Visits& visits : cases) {
    visits = crowded.without(visits);
    left.insert(visits.begin(), visits.end());
  }
  std::erase_if(all, [&](const Sample* sample) { return !left.contains(sample); });
  const States states = find_states(all);
  std::vector<Roof> roofs;
  for (const Visits& visits : cases)
    if (is_wanted(visits.front()->spec)) roofs.push_back(fit_roof(visits, crowded, states));
  return roofs;
}

Roofs fit(const std::vector<Sample>& samples, const std::vector<CacheClaim>& claims) {
  Roofs out;
  std::vector<Roof> points;
  const auto is_wanted = [](const Case& spec) { return !is_grid(spec.pattern) && !bypasses_its_cache(spec); };
  for (Roof& roof : fit_roofs(samples, is_wanted)) {
    if (roof.spec.kind == Kind::validation) {
      points.push_back(std::move(roof));
      continue;
    }
    (is_ladder(roof.spec.pattern) ? out.ladder : out.roofs).push_back(std::move(roof));
  }
  drop_smaller_sets(out.roofs);
  drop_smaller_sets(points);
  correct_idle_latencies(out.roofs);
  out.validation = validate(points, out.roofs);
  out.levels = confirm_levels(out.ladder, claims);
  return out;
}

void correct_idle_latencies(std::vector<Roof>& roofs) {
  std::vector<Roof> corrected = roofs;
  for (Roof& roof : corrected) {
    const Case& spec = roof.spec;
    const bool idle = spec.kind == Kind::latency;
    if (roof.status != Status::ok || !roof.source.empty() || (!idle && !has_load(spec.kind))) continue;
    const Roof* lowest = lowest_loaded(roofs, roof);
    if (lowest == nullptr || !is_clearly_above(roof, *lowest)) continue;
    if (!idle && roof.load_gb_per_s >= lowest->load_gb_per_s) continue;  // latency rises with load
    if (idle) {
      roof.remarks.push_back({NoteCode::idle_clock, {roof.value, lowest->load_gb_per_s}});
      roof.idle_value = roof.value;
      roof.idle_lo = roof.lo;
      roof.idle_hi = roof.hi;
      roof.value = lowest->value;
      roof.lo = lowest->lo;
      roof.hi = lowest->hi;
      roof.n = lowest->n;
    } else {
      roof.remarks.push_back({NoteCode::falls_with_load, {lowest->value, lowest->load_gb_per_s}});
    }
  }
  roofs = std::move(corrected);
}

}  // namespace gable::model

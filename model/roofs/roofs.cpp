#include "model/roofs/roofs.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "model/statistics/statistics.hpp"

namespace gable::model {
namespace {

bool is_latency(const Case& asked) {
  return asked.kind == "latency" || asked.kind == "loaded_latency";
}

const char* unit_of(const Case& asked) {
  if (is_latency(asked)) return "ns";
  return asked.kind == "flops" || asked.kind == "validation" ? "GFlop/s" : "GB/s";
}

// One value per repetition, in the Case's unit.
std::vector<double> values_of(const Sample& sample) {
  std::vector<double> values;
  for (std::size_t i = 0; i < sample.seconds.size(); ++i) {
    const double giga_per_second = sample.work[i] / sample.seconds[i] / 1e9;
    values.push_back(is_latency(sample.asked) ? 1 / giga_per_second : giga_per_second);
  }
  return values;
}

// The roof of a cluster alone is the reachable rate, which one repetition in ten exceeds. Other processes
// only slow repetitions down, and with a median, applications would be above the roof half of the time. If
// clusters run together, one is fast while another is slow, so the roof is the median. Latencies are medians
// too.
constexpr double attainable = 0.9;
constexpr double typical = 0.5;

bool alone(const Case& asked) {
  return !is_latency(asked) && asked.pattern != "local_all" && asked.pattern != "contended" &&
         asked.pattern != "congested";
}

double load_gb_per_s(const std::vector<const Sample*>& visits) {
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

// What the plan says of the memory-side caches in front of the data.
void add_remark(const Sample& sample, std::string& remark) {
  for (const std::string& note : sample.notes) {
    if (note.find("memory-side cache") == std::string::npos || remark.find(note) != std::string::npos)
      continue;
    remark += (remark.empty() ? "" : "; ") + note;
  }
}

double median_clock(const std::vector<const Sample*>& visits) {
  std::vector<double> clocks;
  for (const Sample* visit : visits) {
    if (visit->clock_ghz > 0) clocks.push_back(visit->clock_ghz);
  }
  return clocks.empty() ? 0 : median(clocks);
}

Roof fit_roof(const std::vector<const Sample*>& samples) {
  Roof roof;
  roof.asked = samples.front()->asked;
  roof.unit = unit_of(roof.asked);
  std::vector<const Sample*> visits;
  std::vector<std::vector<double>> values;
  for (const Sample* sample : samples) {
    if (sample->status != Status::ok) continue;
    visits.push_back(sample);
    add_remark(*sample, roof.remark);
    values.push_back(values_of(*sample));
  }
  if (visits.empty()) {
    roof.status = samples.back()->status;
    roof.reason = samples.back()->reason;
    return roof;
  }
  const Estimate figure = estimate(values, alone(roof.asked) ? attainable : typical);
  roof.value = figure.value;
  roof.lo = figure.lo;
  roof.hi = figure.hi;
  roof.n = figure.n;
  roof.load_gb_per_s = load_gb_per_s(visits);
  roof.clock_ghz = median_clock(visits);
  return roof;
}

template <typename Value>
bool admits(const Value& any, const Value& like, const Value& found) {
  return like == any || like == found;
}

bool satisfies(const Case& found, const Case& like) {
  const std::string any;
  return found.kind == like.kind && found.cluster == like.cluster &&
         found.load_percent == like.load_percent &&
         (found.pattern == "ladder") == (like.pattern == "ladder") && admits(any, like.level, found.level) &&
         admits(any, like.pattern, found.pattern) && admits(-1, like.node, found.node) &&
         admits(any, like.tier, found.tier) && admits(any, like.op, found.op) &&
         admits(any, like.kernel, found.kernel) && admits(any, like.precision, found.precision) &&
         admits(any, like.pages, found.pages) && admits(0, like.threads, found.threads) &&
         admits(std::uint64_t{0}, like.bytes, found.bytes);
}

}  // namespace

std::vector<Roof> fit_roofs(const std::vector<Sample>& samples) {
  std::map<std::string, std::size_t> place;
  std::vector<std::vector<const Sample*>> cases;
  for (const Sample& sample : samples) {
    const auto [found, is_new] = place.try_emplace(key(sample.asked), cases.size());
    if (is_new) cases.emplace_back();
    auto& visits = cases[found->second];
    const auto same = [&](const Sample* other) { return *other == sample; };
    if (std::none_of(visits.begin(), visits.end(), same)) visits.push_back(&sample);
  }
  std::vector<Roof> roofs;
  std::transform(cases.begin(), cases.end(), std::back_inserter(roofs), fit_roof);
  return roofs;
}

Roofs fit(const std::vector<Sample>& samples, const std::vector<CacheClaim>& claims) {
  Roofs out;
  std::vector<Roof> points;
  for (Roof& roof : fit_roofs(samples)) {
    if (roof.asked.pattern == "hybrid") continue;  // hybrid_pairs.hpp
    if (roof.asked.kind == "validation") {
      points.push_back(std::move(roof));
      continue;
    }
    (roof.asked.pattern == "ladder" ? out.ladder : out.roofs).push_back(std::move(roof));
  }
  awaken(out.roofs);
  out.validation = validate(points, out.roofs);
  out.levels = confirm_levels(out.ladder, claims);
  return out;
}

bool has_threads(const Roof& roof, int least) {
  return roof.asked.threads == 0 || roof.asked.threads >= least;
}

const Roof* best_roof(const std::vector<Roof>& roofs, const Case& like, int least_threads) {
  const Roof* best = nullptr;
  for (const Roof& roof : roofs) {
    if (roof.status != Status::ok || !satisfies(roof.asked, like) || !has_threads(roof, least_threads))
      continue;
    const bool better =
        best == nullptr || (is_latency(like) ? roof.value < best->value : roof.value > best->value);
    if (better) best = &roof;
  }
  return best;
}

}  // namespace gable::model

#include "model/roofs/validation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "model/records/question.hpp"
#include "model/roofs/best.hpp"

namespace gable::model {

bool counts(const ValidationPoint& point) {
  return point.measured.status == Status::ok && !point.measured.other_state && point.bound > 0;
}

namespace {

// The load roof that a point belongs to.
Case roof_of(const Case& point) {
  Case roof;
  roof.kind = Kind::bandwidth;
  roof.cluster = point.cluster;
  roof.level = point.level;
  roof.pattern = point.pattern;
  roof.node = point.node;
  roof.tier = point.tier;
  roof.op = operations::load;
  roof.pages = point.pages;
  roof.threads = point.threads;
  return roof;
}

Case peak_of(const Case& roof) {
  Case peak;
  peak.kind = Kind::flops;
  peak.level = Level::core();
  peak.pattern = Pattern::core;
  peak.cluster = roof.cluster;
  peak.op = operations::fma;
  peak.precision = Precision::dp;
  peak.threads = roof.threads;
  return peak;
}

double bound_of(double flop_per_byte, const Validation& under) {
  if (!under.gb_per_s || !under.peak_gflop_per_s) return 0;  // without them the ridge point is unknown
  return std::min(flop_per_byte * *under.gb_per_s, *under.peak_gflop_per_s);
}

void add_errors(Validation& validation) {
  double squares = 0, most = 0;
  int n = 0;
  for (const ValidationPoint& point : validation.points) {
    if (!counts(point)) continue;
    const double error = (point.measured.value - point.bound) / point.bound;
    squares += error * error;
    most = std::max(most, std::abs(error));
    ++n;
  }
  if (n == 0) return;
  validation.paper_percent = 100 * std::sqrt(squares) / n;
  validation.rms_percent = 100 * std::sqrt(squares / n);
  validation.max_percent = 100 * most;
}

}  // namespace

std::vector<Validation> validate(const std::vector<Roof>& measured, const std::vector<Roof>& roofs) {
  std::vector<Validation> found;
  std::map<std::string, std::size_t> place;
  std::vector<std::map<double, Roof>> points;  // by intensity
  for (const Roof& point : measured) {
    const Case roof = roof_of(point.spec);
    const auto [it, is_new] = place.try_emplace(key(roof), found.size());
    if (is_new) {
      found.push_back({roof, {}, {}, {}, {}, {}, {}});
      points.emplace_back();
    }
    const auto [best, first] = points[it->second].try_emplace(point.spec.flop_per_byte, point);
    if (!first && is_better(point, best->second)) best->second = point;
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    Validation& validation = found[i];
    if (const Roof* roof = best_roof(roofs, validation.roof)) validation.gb_per_s = roof->value;
    if (const Roof* peak = best_roof(roofs, peak_of(validation.roof)))
      validation.peak_gflop_per_s = peak->value;
    for (const auto& [flop_per_byte, point] : points[i])
      validation.points.push_back({point, bound_of(flop_per_byte, validation)});
    add_errors(validation);
  }
  return found;
}

}  // namespace gable::model

#include "plots/charts/larm/roof_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plots/charts/recorded.hpp"

namespace gable::charts {

using model::Roof;
using model::Status;
using model::Validation;

namespace {

// Two decimals below 1 %.
std::string percent_digits(double percent) {
  return fmt::format("{:.{}f}", percent, percent < 0.995 ? 2 : 1);
}

}  // namespace

const Validation* validation_of(const std::vector<Validation>& validations, const Roof& roof) {
  if (roof.status != Status::ok) return nullptr;
  const auto found = std::find_if(validations.begin(), validations.end(), [&](const Validation& one) {
    const model::Case &like = one.roof, &spec = roof.spec;
    const bool same_place = (like.node < 0 || like.node == spec.node) &&
                            (like.tier.empty() || like.tier == spec.tier) && like.level == spec.level;
    return same_place && like.kind == spec.kind && like.cluster == spec.cluster &&
           like.pattern == spec.pattern && like.op == spec.op && like.threads == spec.threads;
  });
  return found == validations.end() ? nullptr : &*found;
}

std::string error_text(const std::vector<Validation>& validations, const std::vector<Roof>& roofs) {
  std::vector<double> rms;
  for (const Roof& roof : roofs) {
    const Validation* const validation = validation_of(validations, roof);
    if (validation && validation->rms_percent) rms.push_back(*validation->rms_percent);
  }
  if (rms.empty()) return {};
  const auto [lo, hi] = std::ranges::minmax(rms);
  const std::string least = percent_digits(lo), most = percent_digits(hi);
  return fmt::format("{}{} % (RMS) off their roof{}", least == most ? "" : least + " to ", most,
                     rms.size() == 1 ? "" : "s");
}

std::vector<Roof> validation_points(const std::vector<Validation>& validations,
                                    const std::vector<Roof>& roofs) {
  std::vector<Roof> points;
  for (const Roof& roof : roofs) {
    if (const Validation* const validation = validation_of(validations, roof)) {
      for (const model::ValidationPoint& point : validation->points) points.push_back(point.measured);
    }
  }
  return points;
}

std::vector<PlacedPoint> places_of(const std::vector<Roof>& points) {
  std::vector<PlacedPoint> places;
  for (const Roof& point : points) {
    if (point.status == Status::ok)
      places.push_back({"", point.spec.flop_per_byte, point.value, point.value, point.value, ""});
  }
  return places;
}

void add_validation_rows(Table& table, const std::vector<Roof>& points) {
  for (const Roof& point : points) {
    table.add_row();
    set_roof(table, point);
    table.set("flop_per_byte", point.spec.flop_per_byte);
  }
}

}  // namespace gable::charts

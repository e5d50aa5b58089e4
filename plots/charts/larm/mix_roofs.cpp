#include "plots/charts/larm/mix_roofs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plots/charts/larm/points/points.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

using model::Limit;
using model::Roof;

namespace {

Roof roof_of_mix(const std::string& point, const Limit& limit, int cluster) {
  Roof roof;
  roof.spec.kind = model::Kind::bandwidth;
  roof.spec.cluster = cluster;
  roof.spec.level = model::Level::memory();
  roof.spec.pattern = limit.fitted ? model::Pattern::hybrid : model::Pattern::mix;
  roof.spec.op =
      model::Operation(limit.fitted             ? point
                       : is_grid(limit.pattern) ? point + ": hybrid roof"  // its name lists all nodes
                                                : limit.name);
  roof.spec.threads = limit.threads;
  roof.value = limit.value;
  roof.lo = limit.lo;
  roof.hi = limit.hi;
  roof.unit = "GB/s";
  return roof;
}

}  // namespace

std::vector<Roof> mix_roofs(const Recorded& recorded, int cluster) {
  std::vector<Roof> roofs;
  for (std::size_t i = 0; i < recorded.points.size(); ++i) {
    if (!is_on_chart(recorded, i, cluster)) continue;
    const model::Reading reading = reading_on(recorded, i, cluster);
    if (reading.roof.empty() || reading.limit.kind != Limit::Kind::hybrid) continue;
    Roof roof = roof_of_mix(recorded.points[i].name, reading.limit, cluster);
    const auto is_same = [&](const Roof& other) {
      return other.spec == roof.spec && other.lo == roof.lo && other.hi == roof.hi;
    };
    if (std::ranges::none_of(roofs, is_same)) roofs.push_back(std::move(roof));
  }
  return roofs;
}

bool is_between_bounds(const Roof& roof) {
  return roof.spec.pattern == model::Pattern::mix;
}

std::vector<Roof> without_bounds(std::vector<Roof> roofs) {
  std::erase_if(roofs, is_between_bounds);
  return roofs;
}

std::string bounds_detail(const Roof& roof) {
  return fmt::format(
      "{} GB/s (nothing overlaps) to {} GB/s (everything does), from the roofs of its memories",
      three_digits(roof.lo), three_digits(roof.hi));
}

std::string bounds_note(const std::vector<Roof>& roofs) {
  if (std::ranges::none_of(roofs, is_between_bounds)) return {};
  return " Pale violet: the roof of a mix of memories lies between no overlap of its transfers (lower line) "
         "and "
         "full overlap (upper line).";
}

}  // namespace gable::charts

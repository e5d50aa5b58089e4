#include "cli/fit/validation_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/columns.hpp"

namespace gable::cli {

std::string validation_table(const std::vector<model::Validation>& validations) {
  std::vector<Cells> lines = {
      {"cluster", "roof", "pattern", "GB/s", "points", "RMS %", "largest %", "RMS / sqrt n"}};
  for (const model::Validation& it : validations) {
    if (!it.rms_percent) continue;
    const model::Case& roof = it.roof;
    const std::string where = roof.level != "memory" ? roof.level
                              : roof.node < 0        ? roof.tier
                                                     : fmt::format("{} node {}", roof.tier, roof.node);
    const auto points = std::ranges::count_if(it.points, [](const model::ValidationPoint& point) {
      return point.measured.status == model::Status::ok;
    });
    lines.push_back({std::to_string(roof.cluster), where, roof.pattern, number(*it.gb_per_s),
                     std::to_string(points), fmt::format("{:.1f}", *it.rms_percent),
                     fmt::format("{:.1f}", *it.max_percent), fmt::format("{:.1f}", *it.paper_percent)});
  }
  if (lines.size() == 1) return "";
  return "Validation: programs of every arithmetic intensity against the roofs\n" + aligned(lines, 3, false) +
         "\n";
}

}  // namespace gable::cli

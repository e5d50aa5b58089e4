#include "cli/place/ways.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/text/columns.hpp"

namespace gable::cli {

namespace {

// The first placement with a figure, for every variant with a figure there.
std::vector<model::Placed> first_placement(const std::vector<model::Placed>& placed) {
  const auto where = [](const model::Placed& each) {
    std::vector<std::string> tiers;
    for (const model::PlacedPart& part : each.parts) tiers.push_back(part.tier);
    return tiers;
  };
  std::vector<model::Placed> found;
  for (const model::Placed& each : placed) {
    if (each.status != model::Status::ok || each.ways.empty()) continue;
    if (found.empty() || where(each) == where(found.front())) found.push_back(each);
  }
  return found;
}

}  // namespace

std::string ways_table(const std::vector<model::Placed>& placed) {
  const std::vector<model::Placed> variants = first_placement(placed);
  if (variants.empty()) return "";
  std::vector<Cells> lines = {{"MTEPS of a short run"}};
  std::vector<std::string> ways;
  for (const model::Placed& variant : variants) {
    lines[0].push_back(variant.variant);
    for (const auto& [way, unused] : variant.ways) {
      if (std::ranges::find(ways, way) == ways.end()) ways.push_back(way);
    }
  }
  if (ways.size() < 2) return "";
  for (const std::string& way : ways) {
    lines.push_back({way});
    for (const model::Placed& variant : variants) {
      const auto found = variant.ways.find(way);
      lines.back().push_back(
          found == variant.ways.end() ? "" : number(found->second / 1e6) + (way == variant.how ? "*" : " "));
    }
  }
  std::string where;
  for (const model::PlacedPart& part : variants.front().parts)
    where += fmt::format("{}{} in {}", where.empty() ? "" : ", ", part.name, part.tier);
  return folded(fmt::format("  Ways to run it, {} (*: the one used)", where), 4) + aligned(lines, 1, false);
}

}  // namespace gable::cli

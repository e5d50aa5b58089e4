#include "cli/point/list.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "cli/point/table.hpp"
#include "cli/points_file.hpp"
#include "cli/text/shell_words.hpp"
#include "model/json/points.hpp"

namespace gable::cli {

void list_points(const PointListArguments& arguments) {
  const std::vector<model::Point> points = points_of(arguments.folder);
  const std::vector<model::Reading> readings = readings_of(points, background_of(arguments.folder));
  if (arguments.json) {
    std::fputs(model::points_to_json(points, readings).c_str(), stdout);
    return;
  }
  if (points.empty()) {
    const std::string folder = shell_quoted(arguments.folder);
    fmt::print("no points; {}`gable point run {} -- ./app` makes one\n",
               std::filesystem::is_empty(arguments.folder)
                   ? fmt::format("nothing was measured here either: `gable measure {}` first, then ", folder)
                   : "",
               folder);
    return;
  }
  if (!arguments.functions) {
    std::fputs(point_table(points, readings, points).c_str(), stdout);
    return;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string table = function_table(points[i]);
    fmt::print("{}{}{}", i > 0 ? "\n" : "", point_table({points[i]}, {readings[i]}, points),
               table.empty() ? "  its functions were not counted (gable point run --functions)\n" : table);
  }
}

}  // namespace gable::cli

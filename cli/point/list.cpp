#include "cli/point/list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "cli/point/tables/table.hpp"
#include "cli/points_file.hpp"
#include "cli/text/shell_words.hpp"
#include "model/json/points.hpp"

namespace gable::cli {
namespace {

void say_none(const std::string& named) {
  const std::string folder = shell_quoted(named);
  fmt::print("no points; {}`gable point run {} -- ./app` makes one\n",
             std::filesystem::is_empty(named)
                 ? fmt::format("nothing was measured here either: `gable measure {}` first, then ", folder)
                 : "",
             folder);
}

// The points whose names contain one of the texts. Throws Error::usage for a text that none contains.
std::vector<model::Point> chosen(const std::vector<model::Point>& points,
                                 const std::vector<std::string>& texts, const std::string& folder) {
  std::vector<std::string> names;
  for (const model::Point& point : points) names.push_back(point.name);
  for (const std::string& text : texts) {
    const auto has = [&](const std::string& name) { return name.find(text) != std::string::npos; };
    if (std::ranges::none_of(names, has))
      throw Error::usage(fmt::format("no point of {} has '{}' in its name; it has {}{}", folder, text,
                                     names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
                                     did_you_mean(text, names)));
  }
  std::vector<model::Point> kept;
  std::ranges::copy_if(points, std::back_inserter(kept), [&](const model::Point& point) {
    return texts.empty() || std::ranges::any_of(texts, [&](const std::string& text) {
             return point.name.find(text) != std::string::npos;
           });
  });
  return kept;
}

}  // namespace

void list_points(const PointListArguments& arguments) {
  const std::vector<model::Point> all = points_of(arguments.folder);
  std::vector<model::Point> points = chosen(all, arguments.names, arguments.folder);
  if (!arguments.json) std::ranges::stable_sort(points, std::greater<>(), &model::Point::started);
  const std::vector<model::Reading> readings = readings_of(points, background_of(arguments.folder));
  if (arguments.json) {
    std::fputs(model::points_to_json(points, readings).c_str(), stdout);
  } else if (points.empty()) {
    say_none(arguments.folder);
  } else if (arguments.table) {
    std::fputs(summary_table(points, readings).c_str(), stdout);
  } else {
    const Details details{arguments.functions, arguments.objects, true};
    std::fputs(point_table(points, readings, all, details).c_str(), stdout);
  }
}

}  // namespace gable::cli

#include "cli/point/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/reading.hpp"
#include "base/sorting.hpp"
#include "base/words.hpp"
#include "cli/folder.hpp"
#include "cli/point/measured_point.hpp"
#include "cli/point/tables/table.hpp"
#include "cli/points_file.hpp"
#include "cli/text/arguments.hpp"
#include "model/json/points.hpp"
#include "points/import/import.hpp"

namespace gable::cli {

namespace {

using points::ImportedRegion;

struct Imported {
  std::string format;
  std::vector<ImportedRegion> regions;
};

Imported read_figures(const PointImportArguments& arguments) {
  const std::string& file = arguments.file;
  const std::string whole = named_file(file);
  return reading(file, [&]() -> Imported {
    const std::string text(unmarked_text(whole, file));
    const std::string format =
        arguments.format == "auto" ? points::import_format(text, file) : arguments.format;
    if (format == "likwid") return {format, points::import_likwid(text, file)};
    if (format == "cachegrind") return {format, points::import_cachegrind(text, file)};
    if (format == "perf") return {format, points::import_perf(text, file)};
    return {format, points::import_advisor(text, file)};
  });
}

// Bytes as the tool told them, as the user says, or accesses times a width that the user states.
void decide_bytes(const PointImportArguments& arguments, const ImportedRegion& region, model::Point& point) {
  if (arguments.load_bytes) {
    point.load_bytes = *arguments.load_bytes;
    point.store_bytes = *arguments.store_bytes;
    return;
  }
  if (set_bytes(point, region.work)) return;
  if (arguments.access_bytes > 0 && region.loads && region.stores) {
    point.load_bytes = *region.loads * arguments.access_bytes;
    point.store_bytes = *region.stores * arguments.access_bytes;
    point.notes.push_back({model::NoteCode::bytes_by_width, {fmt::format("{}", arguments.access_bytes)}});
    return;
  }
  throw Error::usage(
      fmt::format("{}: it has no bytes{}: give --load-bytes and --store-bytes{}", arguments.file,
                  region.loads ? ", and the counts of loads and stores do not give their widths" : "",
                  region.loads && region.stores ? ", or the width of all of them with --access-bytes" : ""));
}

// The file's bytes by level, but for levels whose bytes the user gives.
void add_levels(const ImportedRegion& region, model::Point& point) {
  for (const model::LevelBytes& bytes : region.levels) {
    if (std::ranges::find(point.levels, bytes.level, &model::LevelBytes::level) == point.levels.end())
      point.levels.push_back(bytes);
  }
  sort_by(point.levels, &model::LevelBytes::level);
}

// `point` is what all regions share, with the time of the import.
model::Point point_of(const PointImportArguments& arguments, model::Point point, const ImportedRegion& region,
                      const std::string& format, bool only) {
  point.region = region.name;
  const std::string stem = std::filesystem::path(arguments.file).stem();
  if (point.name.empty()) {
    point.name = region.name.empty() ? stem : region.name;
  } else if (!only) {
    point.name += ": " + region.name;
  }
  const double seconds = arguments.seconds > 0 ? arguments.seconds : region.seconds.value_or(0);
  if (seconds <= 0) {
    throw Error::usage(fmt::format(
        "{}: it has no wall clock time: give --seconds (perf: add the event duration_time)", arguments.file));
  }
  decide_bytes(arguments, region, point);
  add_levels(region, point);
  points::Counts counts;
  counts.counter = format;
  counts.total = region.work;
  counts.notes = region.notes;
  set_flops(point, counts);
  if (point.threads == 0) point.threads = region.threads;
  point.seconds = point.seconds_lo = point.seconds_hi = seconds;
  return point;
}

// A file may list a loop several times, such as its body and its remainder: the second one is "NAME (2)".
void tell_apart(std::vector<model::Point>& points) {
  std::set<std::string> names;
  for (model::Point& point : points) {
    const std::string own = point.name;
    for (int number = 2; !names.insert(point.name).second; ++number)
      point.name = fmt::format("{} ({})", own, number);
  }
}

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
  const std::vector<std::string> names = each_of(points, &model::Point::name);
  for (const std::string& text : texts) {
    const auto has = [&](const std::string& name) { return name.find(text) != std::string::npos; };
    if (std::ranges::none_of(names, has))
      throw Error::usage(fmt::format("no point of {} has '{}' in its name; it has {}{}", folder, text,
                                     names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
                                     did_you_mean(text, names)));
  }
  return those(points, [&](const model::Point& point) {
    return texts.empty() || std::ranges::any_of(texts, [&](const std::string& text) {
             return point.name.find(text) != std::string::npos;
           });
  });
}

}  // namespace

void add_point(const PointAddArguments& arguments) {
  model::Point point = point_from(arguments.point);
  point.flops = arguments.flops;
  point.load_bytes = arguments.load_bytes;
  point.store_bytes = arguments.store_bytes;
  point.seconds = arguments.seconds;
  point.seconds_lo = arguments.seconds_lo > 0 ? arguments.seconds_lo : arguments.seconds;
  point.seconds_hi = arguments.seconds_hi > 0 ? arguments.seconds_hi : arguments.seconds;
  require_policy(known_machine(arguments.point.folder), arguments.policy);
  point.policy = arguments.policy;
  point.alone = point.alone && !arguments.busy;
  point.counter = "add";
  require_from(arguments.point.folder, point);
  record_points(arguments.point.folder, {point}, {arguments.point.json});
}

void import_points(const PointImportArguments& arguments) {
  auto [format, regions] = read_figures(arguments);
  if (!arguments.region.empty()) {
    std::erase_if(regions, [&](const ImportedRegion& region) { return region.name != arguments.region; });
    if (regions.empty())
      throw Error::usage(
          fmt::format("{}: --region {}: there is no such region in it", arguments.file, arguments.region));
  }
  const model::Point shared = point_from(arguments.point);
  std::vector<model::Point> points;
  for (const ImportedRegion& region : regions)
    points.push_back(point_of(arguments, shared, region, format, regions.size() == 1));
  tell_apart(points);
  record_points(arguments.point.folder, points, {arguments.point.json});
}

void list_points(const PointListArguments& arguments) {
  const std::vector<model::Point> all = points_of(arguments.folder);
  std::vector<model::Point> points = chosen(all, arguments.names, arguments.folder);
  if (!arguments.json) sort_down_by(points, &model::Point::started);
  const std::vector<model::Reading> readings =
      readings_of(arguments.folder, points, background_of(arguments.folder));
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

// gable point import: points from what other tools measured.

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "cli/bytes_option.hpp"
#include "cli/commands.hpp"
#include "cli/folder.hpp"
#include "cli/point/figures.hpp"
#include "cli/point/point.hpp"
#include "cli/validators.hpp"
#include "points/import/import.hpp"

namespace gable::cli {
namespace {

using points::ImportedRegion;

struct ImportOptions {
  PointOptions point;
  std::string file;
  std::string format = "auto";
  std::string region;
  double seconds = 0, access_bytes = 0;
  std::optional<double> load_bytes, store_bytes;
};

struct Imported {
  std::string format;
  std::vector<ImportedRegion> regions;
};

Imported read_figures(const ImportOptions& options) {
  const std::string text = named_file(options.file);
  try {
    const std::string format =
        options.format == "auto" ? points::import_format(text, options.file) : options.format;
    if (format == "likwid") return {format, points::import_likwid(text, options.file)};
    if (format == "perf") return {format, points::import_perf(text, options.file)};
    return {format, points::import_advisor(text, options.file)};
  } catch (const points::ImportError& error) {
    throw UsageError(error.what());
  }
}

// Bytes as the tool told them, as the user says, or accesses times a width that the user states.
void decide_bytes(const ImportOptions& options, const ImportedRegion& region, model::Point& point) {
  if (options.load_bytes) {
    point.load_bytes = *options.load_bytes;
    point.store_bytes = *options.store_bytes;
    return;
  }
  if (set_bytes(point, region.work)) return;
  if (options.access_bytes > 0 && region.loads && region.stores) {
    point.load_bytes = *region.loads * options.access_bytes;
    point.store_bytes = *region.stores * options.access_bytes;
    point.notes.push_back(
        fmt::format("bytes: loads and stores times {} bytes, as given", options.access_bytes));
    return;
  }
  throw UsageError(
      fmt::format("{}: it has no bytes{}: give --load-bytes and --store-bytes{}", options.file,
                  region.loads ? ", and counted loads and stores say nothing of their widths" : "",
                  region.loads && region.stores ? ", or the width of all of them with --access-bytes" : ""));
}

model::Point point_of(const ImportOptions& options, const ImportedRegion& region, const std::string& format,
                      bool only) {
  model::Point point = point_from(options.point);
  point.region = region.name;
  const std::string stem = std::filesystem::path(options.file).stem();
  if (point.name.empty()) {
    point.name = region.name.empty() ? stem : region.name;
  } else if (!only) {
    point.name += ": " + region.name;
  }
  const double seconds = options.seconds > 0 ? options.seconds : region.seconds.value_or(0);
  if (seconds <= 0) {
    throw UsageError(fmt::format(
        "{}: no wall clock's time in it: give --seconds (perf: add the event duration_time)", options.file));
  }
  decide_bytes(options, region, point);
  points::Counts counts;
  counts.counter = format;
  counts.total = region.work;
  counts.notes = region.notes;
  set_flops(point, counts);
  if (point.threads == 0) point.threads = region.threads;
  point.seconds = point.seconds_lo = point.seconds_hi = seconds;
  return point;
}

void run_import(const ImportOptions& options) {
  auto [format, regions] = read_figures(options);
  if (!options.region.empty()) {
    std::erase_if(regions, [&](const ImportedRegion& region) { return region.name != options.region; });
    if (regions.empty())
      throw UsageError(
          fmt::format("{}: --region {}: there is no such region in it", options.file, options.region));
  }
  std::vector<model::Point> points;
  for (const ImportedRegion& region : regions)
    points.push_back(point_of(options, region, format, regions.size() == 1));
  for (const model::Point& point : points) record_point(options.point.folder, point);
}

}  // namespace

void define_point_import(CLI::App& command) {
  const auto options = std::make_shared<ImportOptions>();
  add_folder_option(command, options->point);
  command.add_option("FILE", options->file, "what the tool wrote")->required();
  command
      .add_option("--format", options->format,
                  "likwid (likwid-perfctr -O), perf (perf stat -j), advisor (CSV)")
      ->check(CLI::IsMember({"auto", "likwid", "perf", "advisor"}))
      ->capture_default_str();
  command.add_option("--name", options->point.name, "label (default: the regions' names, or the file's)");
  command.add_option("--region", options->region, "only this region, loop or function");
  command.add_option("--seconds", options->seconds, "wall clock, instead of the file's")->check(positive());
  CLI::Option* load =
      command.add_option("--load-bytes", options->load_bytes, "as known, instead of the file's");
  CLI::Option* store = command.add_option("--store-bytes", options->store_bytes, "likewise");
  load->transform(amount_of_bytes())->needs(store);
  store->transform(amount_of_bytes())->needs(load);
  command
      .add_option("--access-bytes", options->access_bytes,
                  "width of every load and store: 32 where all of it is AVX2")
      ->check(positive())
      ->excludes(load);
  add_figure_options(command, options->point);
  command.callback([options] { run_import(*options); });
}

}  // namespace gable::cli

// gable point: application points under the roofs of a folder.

#include "cli/point/point.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "cli/commands.hpp"
#include "cli/point/machine.hpp"
#include "cli/point/table.hpp"
#include "cli/points_file.hpp"
#include "cli/shell_words.hpp"
#include "cli/validators.hpp"
#include "model/json/points.hpp"

namespace gable::cli {
namespace {

void run_list(const PointOptions& options, bool json, bool functions) {
  const std::vector<model::Point> points = points_of(options.folder);
  const std::vector<model::Reading> readings = readings_of(points, background_of(options.folder));
  if (json) {
    std::fputs(model::points_to_json(points, readings).c_str(), stdout);
    return;
  }
  if (points.empty()) {
    fmt::print("no points; `gable point run {} -- ./app` makes one\n", shell_quoted(options.folder));
    return;
  }
  if (!functions) {
    std::fputs(point_table(points, readings, points).c_str(), stdout);
    return;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string table = function_table(points[i]);
    fmt::print("{}{}{}", i > 0 ? "\n" : "", point_table({points[i]}, {readings[i]}, points),
               table.empty() ? "  its functions were not counted (gable point run --functions)\n" : table);
  }
}

void define_list(CLI::App& command) {
  const auto options = std::make_shared<PointOptions>();
  const auto json = std::make_shared<bool>(false);
  const auto functions = std::make_shared<bool>(false);
  command.add_option("DIR", options->folder, "folder of a recorded machine")->required();
  command.add_flag("--json", *json, "print points.json, read anew under the roofs");
  command.add_flag("--functions", *functions, "what each function did, where that was counted");
  command.callback([options, json, functions] { run_list(*options, *json, *functions); });
}

void define_remove(CLI::App& command) {
  const auto options = std::make_shared<PointOptions>();
  command.add_option("DIR", options->folder, "folder of a recorded machine")->required();
  command.add_option("NAME", options->name, "the point's name")->required();
  command.callback([options] { remove_point(options->folder, options->name); });
}

}  // namespace

std::map<int, std::uint64_t> nodes_from(const std::string& text, const std::string& option) {
  std::map<int, double> parts;
  const auto refuse = [&]() -> UsageError {
    return UsageError(fmt::format(
        "{} {}: give each node its part, as in 0=60,1=40 (bytes, or anything in proportion)", option, text));
  };
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    int node = -1;
    double part = 0;
    const auto key = std::from_chars(at, end, node);
    if (key.ec != std::errc{} || node < 0 || key.ptr == end || *key.ptr != '=') throw refuse();
    const auto value = std::from_chars(key.ptr + 1, end, part);
    const bool last = value.ptr == end;
    if (value.ec != std::errc{} || !(part >= 0) || part > 1e18 || (!last && *value.ptr != ','))
      throw refuse();
    parts[node] = part;
    at = last ? end : value.ptr + 1;
  }
  double all = 0;
  for (const auto& [node, part] : parts) all += part;
  if (!text.empty() && all <= 0) throw refuse();
  std::map<int, std::uint64_t> nodes;  // small parts, such as 0.6 and 0.4, keep their proportion
  for (const auto& [node, part] : parts)
    nodes[node] = static_cast<std::uint64_t>(std::llround(all < 1e6 ? part * 1e9 : part));
  return nodes;
}

std::string now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

void add_folder_option(CLI::App& command, PointOptions& options) {
  command.add_option("DIR", options.folder, "folder of a recorded machine")->required();
  command.add_option("--cluster", options.cluster, "whose threads: an index, or all (default)");
}

void add_from_option(CLI::App& command, PointOptions& options) {
  command.add_option(
      "--from", options.from,
      "the point that is the same program placed or managed otherwise: an arrow leads from it");
}

void add_figure_options(CLI::App& command, PointOptions& options) {
  command.add_option("--nodes", options.nodes, "where its data lay, as NODE=PART,...: 0=60,1=40");
  command.add_option("--precision", options.precision, "of its flops")
      ->check(CLI::IsMember({"dp", "sp", "mixed"}));
  command.add_option("--threads", options.threads, "in all")->check(not_negative());
}

model::Point point_from(const PointOptions& options) {
  const KnownMachine machine = known_machine(options.folder);
  model::Point point;
  point.name = options.name;
  point.from = options.from;
  point.cluster = known_cluster(machine, options.cluster, options.folder);
  point.alone = point.cluster >= 0;
  point.node_bytes = nodes_from(options.nodes, "--nodes");
  for (const auto& [node, unused] : point.node_bytes)
    require_node(machine, node, "--nodes " + options.nodes, options.folder);
  require_threads(machine, point.cluster, options.threads, options.folder);
  point.precision = options.precision;
  point.threads = options.threads;
  point.started = now();
  return point;
}

void record_point(const std::string& folder, const model::Point& point) {
  if (const std::string wrong = model::contradiction(point); !wrong.empty())
    throw UsageError(fmt::format("no point '{}': {}", point.name, wrong));
  put_point(folder, point);
  const Background background = background_of(folder);
  std::fputs(point_table({point}, readings_of({point}, background), points_of(folder)).c_str(), stdout);
  std::fputs(function_table(point).c_str(), stdout);
}

void define_point(CLI::App& command) {
  command.require_subcommand(1);
  define_point_run(
      *command.add_subcommand("run", "run a program, count what it does and where its data lies"));
  define_point_add(*command.add_subcommand("add", "add a point from figures of your own"));
  define_point_import(
      *command.add_subcommand("import", "points from likwid-perfctr, perf stat or Intel Advisor"));
  define_list(*command.add_subcommand("list", "each point with the roof that binds it"));
  define_remove(*command.add_subcommand("remove", "remove a point"));
}

}  // namespace gable::cli

#include "cli/point/point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "base/error.hpp"
#include "base/words.hpp"
#include "bench/visit/utc.hpp"
#include "cli/point/access_option.hpp"
#include "cli/point/level_bytes.hpp"
#include "cli/point/machine.hpp"
#include "cli/point/tables/table.hpp"
#include "cli/points_file.hpp"
#include "cli/text/message.hpp"
#include "model/json/points.hpp"

namespace gable::cli {

std::map<int, std::uint64_t> nodes_from(const std::string& text, const std::string& option) {
  std::map<int, double> parts;
  const auto refuse = [&] {
    return Error::usage(fmt::format(
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

std::string managed_name(const std::string& program, const std::string& policy) {
  return program + " by " + policy;
}

model::Point point_from(const PointArguments& arguments) {
  const KnownMachine machine = known_machine(arguments.folder);
  model::Point point;
  point.name = arguments.name;
  point.from = arguments.from;
  point.cluster = known_cluster(machine, arguments.cluster, arguments.folder);
  point.alone = point.cluster >= 0;
  point.node_bytes = nodes_from(arguments.nodes, "--nodes");
  for (const auto& [node, unused] : point.node_bytes)
    require_node(machine, node, "--nodes " + arguments.nodes, arguments.folder);
  point.access = access_from(arguments.access);
  for (const model::NodeAccess& access : point.access)
    require_node(machine, access.node, fmt::format("--access {}=…", access.node), arguments.folder);
  if (!point.access.empty()) point.access_source = model::AccessSource::given;
  require_threads(machine, point.cluster, arguments.threads, arguments.folder);
  point.precision = *model::named<model::Precision>(arguments.precision);
  point.threads = arguments.threads;
  point.levels = level_bytes_from(arguments.level_bytes);
  point.started = bench::utc_now();
  return point;
}

namespace {

void say_if_replaced(const std::vector<model::Point>& before, const model::Point& point) {
  const auto old = std::ranges::find(before, point.name, &model::Point::name);
  if (old == before.end()) return;
  tell(fmt::format("replaced the earlier point '{}'{}; another --name keeps both", point.name,
                   recorded_clause(*old)));
}

}  // namespace

void record_points(const std::string& folder, const std::vector<model::Point>& points,
                   const PointOutput& output) {
  for (const model::Point& point : points) {
    if (const std::string wrong = model::contradiction(point); !wrong.empty())
      throw Error::usage(fmt::format("no point '{}': {}", point.name, wrong));
  }
  const std::vector<model::Point> before = points_of(folder);
  put_points(folder, points, output.profile);
  for (const model::Point& point : points) say_if_replaced(before, point);
  const std::vector<model::Point> all = points_of(folder);
  std::vector<model::Point> made;
  for (const model::Point& point : points) made.push_back(point_named(all, point.name, folder));
  const std::vector<model::Reading> readings = readings_of(made, background_of(folder));
  const Details details{output.functions, true, false, true};
  std::fputs(output.json ? model::points_to_json(made, readings).c_str()
                         : point_table(made, readings, all, details).c_str(),
             stdout);
}

}  // namespace gable::cli

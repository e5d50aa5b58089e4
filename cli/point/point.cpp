#include "cli/point/point.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/numbers.hpp"
#include "base/sorting.hpp"
#include "base/words.hpp"
#include "bench/visit/utc.hpp"
#include "cli/folder.hpp"
#include "cli/point/tables/table.hpp"
#include "cli/points_file.hpp"
#include "cli/recorded_machine.hpp"
#include "cli/text/arguments.hpp"
#include "cli/text/message.hpp"
#include "model/json/points.hpp"
#include "points/policy.hpp"

namespace gable::cli {

namespace {

model::LevelBytes one_level(const std::string& text) {
  const auto refuse = [&](const std::string& why) {
    return Error::usage(fmt::format(
        "--level-bytes {}: {}; give LEVEL=READ,WRITTEN, as in L3=9e9,3e9 or DRAM=33.7GB,0.8GB", text, why));
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) throw refuse("no level");
  const std::string name = text.substr(0, equals);
  model::LevelBytes bytes;
  bytes.level = model::tiers_named(name) ? model::Level::memory() : model::Level(name);
  if (!model::is_memory(bytes.level) && (!model::is_cache(bytes.level) || model::is_first_cache(bytes.level)))
    throw refuse(fmt::format("{} is no cache behind the first one, and no memory", name));
  const std::vector<std::string> amounts = split(text.substr(equals + 1), ',');
  if (amounts.empty() || amounts.size() > 2) throw refuse("not one or two amounts of bytes");
  double* const to[] = {&bytes.read, &bytes.written};
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    const std::optional<double> amount = bytes_from(amounts[i]);
    if (!amount) throw refuse(fmt::format("'{}' is not an amount of bytes", amounts[i]));
    *to[i] = *amount;
  }
  return bytes;
}

// "L3=9e9,3e9", "DRAM=33.7e9,0.8e9" (or "memory"): bytes read from a level and written to it, in any order
// of the levels. The bytes written may be left out. Throws Error::usage.
std::vector<model::LevelBytes> level_bytes_from(const std::vector<std::string>& texts) {
  std::vector<model::LevelBytes> levels = each_of(texts, one_level);
  sort_by(levels, &model::LevelBytes::level);
  for (std::size_t i = 1; i < levels.size(); ++i) {
    if (levels[i].level == levels[i - 1].level)
      throw Error::usage(fmt::format("--level-bytes: {} twice", levels[i].level.name()));
  }
  return levels;
}

model::NodeAccess one_node(const std::string& text) {
  const auto refuse = [&](const std::string& why) {
    return Error::usage(fmt::format(
        "--access {}: {}; give NODE=load:BYTES,store:BYTES, as in 0=load:3e9,store:1GB", text, why));
  };
  const std::size_t equals = text.find('=');
  const auto node = read_as<int>(text.substr(0, equals));
  if (equals == std::string::npos || !node || *node < 0) throw refuse("no node");
  model::NodeAccess access;
  access.node = *node;
  std::vector<std::string> seen;
  for (const std::string& part : split(text.substr(equals + 1), ',')) {
    const std::size_t colon = part.find(':');
    const std::string what = part.substr(0, colon);
    if (colon == std::string::npos || (what != "load" && what != "store"))
      throw refuse(fmt::format("'{}' is neither load:BYTES nor store:BYTES", part));
    if (is_among(seen, what)) throw refuse(what + " twice");
    seen.push_back(what);
    const auto bytes = bytes_from(part.substr(colon + 1));
    if (!bytes) throw refuse(fmt::format("{}: '{}' is not an amount of bytes", what, part.substr(colon + 1)));
    (what == "load" ? access.load : access.store) = *bytes;
  }
  if (seen.empty()) throw refuse("no bytes");
  return access;
}

// "0=load:3e9,store:1e9": bytes read from a memory node and written to it; one of the two may be left out.
// Each text is of another node. Throws Error::usage.
std::vector<model::NodeAccess> access_from(const std::vector<std::string>& texts) {
  return each_of(texts, one_node);
}

void say_if_replaced(const std::vector<model::Point>& before, const model::Point& point) {
  const auto old = std::ranges::find(before, point.name, &model::Point::name);
  if (old == before.end()) return;
  tell(fmt::format("replaced the earlier point '{}'{}; another --name keeps both", point.name,
                   recorded_clause(*old)));
}

// The cluster of `--cluster named`: -1 for all of several; empty means all. Throws Error::usage for one that
// DIR does not have.
int known_cluster(const KnownMachine& machine, const std::string& named, const std::string& folder) {
  if (named.empty() || named == "all") return machine.threads.size() > 1 ? -1 : 0;
  const int cluster = read_as<int>(named).value_or(-1);
  if (cluster < 0 || (!machine.threads.empty() && !machine.threads.contains(cluster)))
    refuse_cluster(named, folder, machine.clusters());
  return cluster;
}

}  // namespace

std::set<int> KnownMachine::clusters() const {
  std::set<int> all;
  for (const auto& [cluster, unused] : threads) all.insert(cluster);
  return all;
}

KnownMachine known_machine(const RecordedMachine& recorded) {
  KnownMachine machine;
  for (const machines::Cluster& cluster : recorded.clusters)
    machine.threads[cluster.index] = static_cast<int>(hardware_threads(cluster).size());
  for (const machines::Node& node : recorded.nodes) machine.nodes.push_back(node.os_index);
  std::sort(machine.nodes.begin(), machine.nodes.end());
  return machine;
}

KnownMachine known_machine(const std::string& folder) {
  KnownMachine machine = known_machine(recorded_machine(folder).value_or(RecordedMachine()));
  if (!machine.threads.empty()) return machine;
  for (const model::Roof& roof : background_of(folder).roofs.roofs) machine.threads[roof.spec.cluster] = 0;
  return machine;
}

void require_node(const KnownMachine& machine, int node, const std::string& option,
                  const std::string& folder) {
  const auto is_it = [&](unsigned known) { return static_cast<int>(known) == node; };
  if (machine.nodes.empty() || std::any_of(machine.nodes.begin(), machine.nodes.end(), is_it)) return;
  throw Error::usage(fmt::format("{}: no memory node {}: {} has the {} {}", option, node, folder,
                                 plural(std::ssize(machine.nodes), "node"), fmt::join(machine.nodes, ", ")));
}

void require_threads(const KnownMachine& machine, int cluster, int threads, const std::string& folder) {
  int most = 0;
  for (const auto& [index, count] : machine.threads) {
    if (count == 0) return;
    if (cluster < 0 || index == cluster) most += count;
  }
  if (machine.threads.empty() || threads <= most) return;
  throw Error::usage(fmt::format("--threads {}: {} of {} has {}", threads,
                                 cluster < 0 ? "all" : fmt::format("cluster {}", cluster), folder,
                                 count_text(most, "hardware thread")));
}

void require_policy(const KnownMachine& machine, const std::string& policy) {
  constexpr unsigned most_nodes = 1024;  // of Linux
  std::vector<unsigned> nodes = machine.nodes;
  for (unsigned node = 0; machine.nodes.empty() && node < most_nodes; ++node) nodes.push_back(node);
  if (!policy.empty()) points::parse_policy(policy, nodes);
}

std::map<int, std::uint64_t> nodes_from(const std::string& text, const std::string& option) {
  std::map<int, double> parts;
  const auto refuse = [&] {
    return Error::usage(fmt::format(
        "{} {}: give each node its part, as in 0=60,1=40 (bytes, or anything in proportion)", option, text));
  };
  for (const std::string& word : split(text, ',')) {
    const std::size_t equals = word.find('=');
    const auto node = read_as<int>(word.substr(0, equals));
    const auto part = read_as<double>(equals == std::string::npos ? "" : word.substr(equals + 1));
    if (!node || *node < 0 || !part || !(*part >= 0) || *part > 1e18) throw refuse();
    parts[*node] = *part;
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
  const std::vector<model::Reading> readings = readings_of(folder, made, background_of(folder));
  const Details details{output.functions, true, false, true};
  std::fputs(output.json ? model::points_to_json(made, readings).c_str()
                         : point_table(made, readings, all, details).c_str(),
             stdout);
}

}  // namespace gable::cli

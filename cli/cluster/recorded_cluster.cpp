#include "cli/cluster/recorded_cluster.hpp"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <ranges>
#include <set>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "cli/cluster/node_facts.hpp"
#include "cli/cluster/run/node_records.hpp"
#include "cli/fit/fit.hpp"
#include "cli/folder.hpp"
#include "cli/text/arguments.hpp"
#include "model/c2c/classes.hpp"
#include "model/json/lines.hpp"
#include "model/records/c2c.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::cli {
namespace {

namespace fs = std::filesystem;
using model::NodeRecord;
using model::NodeStatus;

// A file in a closed folder counts as there: who reads it gets the reason.
bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) || error == std::errc::permission_denied;
}

// A folder that was measured without gable cluster.
NodeRecord record_of_machine(const std::string& folder, const std::string& name) {
  NodeRecord record;
  record.node = name;
  record.status = NodeStatus::complete;
  add_machine(record, folder);
  return record;
}

// A measurement that began and never delivered has hung.
void give_up_late(NodeRecord& record) {
  if (record.status != NodeStatus::measuring || record.deadline > seconds_now()) return;
  record.status = NodeStatus::hung;
  record.reason = {model::NoteCode::began_without_result, {record.started}};
}

void judge(const RecordedCluster& cluster, NodeGroup& group) {
  std::set<std::size_t> known;
  for (const std::size_t node : group.nodes) {
    for (std::size_t q = 0; q < cluster.nodes[node].figures.size(); ++q)
      if (cluster.nodes[node].figures[q].value > 0) known.insert(q);
  }
  group.questions.assign(known.begin(), known.end());
  for (const std::size_t q : group.questions) {
    const std::vector<double> values = cluster.values(group, q);
    const auto own = each_of(group.nodes, [&](std::size_t node) { return cluster.figure(node, q).error; });
    group.spreads.push_back(model::nodes_spread(values));
    const bool lower = cluster.questions[q].lower_is_better();
    for (const model::Outlier& each : model::outliers_of(values, own, group.questions.size()))
      group.outliers.push_back(
          {group.nodes[each.node], q, values[each.node], each.change, each.p, (each.change > 0) == lower});
  }
  sort_with(group.outliers, [](const NodeOutlier& a, const NodeOutlier& b) {
    return std::abs(std::log1p(a.change)) > std::abs(std::log1p(b.change));
  });
}

void add_usual_facts(const RecordedCluster& cluster, NodeGroup& group) {
  std::map<std::string, std::size_t> places;
  for (const std::size_t node : group.nodes) {
    const NodeRecord& record = cluster.nodes[node].record;
    for (const model::NodeFact& fact : record.facts) {
      const auto [place, is_new] = places.emplace(fact.group + "|" + fact.name, group.facts.size());
      if (is_new) group.facts.push_back({fact.group, fact.name, {}, {}});
      ++group.facts[place->second].counts[fact.value];
    }
  }
  for (UsualFact& fact : group.facts)
    fact.value =
        std::ranges::max_element(fact.counts, {}, [](const auto& each) { return each.second; })->first;
  group.clock_ghz = model::median_clock(
      group.nodes | std::views::transform([&](std::size_t node) { return cluster.nodes[node].record; }));
}

std::vector<NodeGroup> groups_of(const RecordedCluster& cluster) {
  std::map<HardwareGroup, NodeGroup> by_hardware;
  for (std::size_t i = 0; i < cluster.nodes.size(); ++i) {
    if (cluster.nodes[i].figures.empty()) continue;
    NodeGroup& group = by_hardware[hardware_group(cluster.nodes[i].record)];
    group.nodes.push_back(i);
  }
  std::vector<NodeGroup> groups;
  for (auto& [hardware, group] : by_hardware) {
    std::vector<double> memory_bytes;
    for (const std::size_t node : group.nodes)
      if (const std::uint64_t bytes = cluster.nodes[node].record.memory_bytes; bytes > 0)
        memory_bytes.push_back(static_cast<double>(bytes));
    group.hardware = hardware_group_text(hardware, memory_bytes);
    judge(cluster, group);
    add_usual_facts(cluster, group);
    groups.push_back(std::move(group));
  }
  sort_with(groups, [](const NodeGroup& a, const NodeGroup& b) { return a.nodes.size() > b.nodes.size(); });
  return groups;
}

// The classes of pairs of cores, each with the line on the node of the first core.
void add_c2c(const std::string& node, model::RoofLines& lines, std::vector<model::NodeFigure>& figures) {
  for (const model::C2cClassFigure& each :
       model::c2c_classes(model::c2c_figures(model::read_lines<model::C2cSample>(node + "/c2c.jsonl")))) {
    if (is_at_first(each.home))
      lines.add_time(figures,
                     fmt::format("between cores, {}: {}", name_of(each.between), row_of(each.measure).words),
                     each.estimate);
  }
}

// A node with a file that is damaged or cannot be read has failed: nothing more of it is read, and it hides
// no other node.
template <typename Read>
void read_part(ClusterNode& node, const Read& read) {
  if (node.record.status == NodeStatus::failed) return;
  const auto fail_with = [&](const std::exception& error) {
    node.record.status = NodeStatus::failed;
    node.record.reason = model::Note(error.what());
  };
  try {
    read();
  } catch (const Error& error) {
    if (error.kind == Error::Kind::interrupted) throw;
    fail_with(error);
  } catch (const std::system_error& error) {
    fail_with(error);
  }
}

// Where there is no roofs.json, what gable fit would write. A node that failed has no figures: it is in no
// group.
ClusterNode read_node(const std::string& folder, const std::string& name, model::RoofLines& lines) {
  const std::string node = fs::path(folder) / name, file = node + "/node.json", roofs = node + "/roofs.json";
  ClusterNode read;
  read.record.node = name;
  read_part(read, [&] {
    read.record =
        is_there(file) ? model::node_record_from_json(read_whole(file), file) : record_of_machine(node, name);
  });
  give_up_late(read.record);
  read_part(read, [&] {
    if (is_there(roofs)) {
      read.figures = lines.read(read_whole(roofs), roofs);
    } else if (const auto fitted = fit_unfitted(node)) {
      read.figures = lines.read(model::roofs_to_json(fitted->roofs), roofs);
    }
  });
  read_part(read, [&] { add_c2c(node, lines, read.figures); });
  if (read.record.status == NodeStatus::failed) read.figures.clear();
  return read;
}

}  // namespace

bool is_main_roof(const model::NodeQuestion& question) {
  const model::Case& spec = question.spec;
  if (spec.kind == model::Kind::bandwidth)
    return spec.op == model::operations::load || spec.op == model::operations::store;
  return spec.kind == model::Kind::latency || (is_peak(spec.kind) && spec.op == model::operations::fma);
}

const model::NodeFigure& RecordedCluster::figure(std::size_t node, std::size_t question) const {
  static const model::NodeFigure none;
  const std::vector<model::NodeFigure>& figures = nodes[node].figures;
  return question < figures.size() ? figures[question] : none;
}

std::vector<double> RecordedCluster::values(const NodeGroup& group, std::size_t question) const {
  return each_of(group.nodes, [&](std::size_t node) { return figure(node, question).value; });
}

RecordedCluster recorded_cluster(const std::string& folder) {
  if (!is_there(folder)) throw Error::usage(folder + ": no such folder");
  RecordedCluster cluster;
  cluster.folder = folder;
  cluster.name = name_of_folder(folder);
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name.starts_with('.') || !entry.is_directory()) continue;
    const auto has = [&](const char* file) { return is_there(entry.path() / file); };
    if (has("node.json") || has("roofs.json") || has("samples.jsonl")) names.push_back(name);
  }
  sort_with(names, [](const std::string& a, const std::string& b) {  // "n9" before "n10"
    return strverscmp(a.c_str(), b.c_str()) < 0;
  });
  cluster.mpi = model::read_mpi(fs::path(folder) / "mpi.jsonl");
  if (names.empty() && cluster.mpi.figures.empty())
    throw Error::usage(fmt::format("{}: no nodes are recorded there; `gable cluster measure {}` records them",
                                   folder, shell_quoted(folder)));
  model::RoofLines lines;
  for (const std::string& name : names) cluster.nodes.push_back(read_node(folder, name, lines));
  cluster.questions = lines.questions();
  cluster.groups = groups_of(cluster);
  return cluster;
}

std::string what_differs(const RecordedCluster& cluster, const NodeGroup& group, std::size_t node) {
  constexpr double noticeable = 0.005;
  const NodeRecord& own = cluster.nodes[node].record;
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : "; ") + what; };
  if (own.clock_ghz > 0 && std::abs(own.clock_ghz / group.clock_ghz - 1) > noticeable)
    add(fmt::format("clock {:.3f} GHz (others {:.3f})", own.clock_ghz, group.clock_ghz));
  for (const UsualFact& fact : group.facts) {
    std::string value = "none";
    for (const model::NodeFact& each : own.facts)
      if (each.group == fact.group && each.name == fact.name) value = each.value;
    const auto same = fact.counts.find(value);
    const std::size_t count = same == fact.counts.end() ? 1 : same->second;
    if (2 * count < fact.counts.at(fact.value))  // where half of the nodes differ, no value is usual
      add(fmt::format("{} {} (others {})", fact.name, value, fact.value));
  }
  return text;
}

}  // namespace gable::cli

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/tables/table.hpp"
#include "base/words.hpp"
#include "cli/cluster/show.hpp"
#include "cli/text/columns.hpp"
#include "model/cluster/spread.hpp"

namespace gable::cli {
namespace {

using model::NodeQuestion;
using model::NodeStatus;
using model::RoofSpread;

std::string few_names(const RecordedCluster& cluster, const std::vector<std::size_t>& nodes) {
  return first_few(nodes, 4, [&](std::size_t node) { return cluster.nodes[node].record.node; });
}

// A table of nodes has room for loads, peaks and idle latencies of each cluster's own memory.
bool is_column(const NodeQuestion& question) {
  const model::Case& spec = question.spec;
  return is_own(spec.pattern) && spec.cluster == 0 && spec.op != model::operations::store &&
         is_main_roof(question);
}

Cell interval_cells(const std::optional<model::Estimate>& figure) {
  if (!figure) return "–";
  return with_interval(figure->value, figure->lo, figure->hi);
}

}  // namespace

std::string nodes_summary(const RecordedCluster& cluster) {
  std::map<NodeStatus, int> counts;
  std::string reasons;
  for (const ClusterNode& node : cluster.nodes) {
    ++counts[node.record.status];
    if (node.record.status == NodeStatus::complete || node.record.status == NodeStatus::left_out) continue;
    reasons += fmt::format("  {}  {}{}{}\n", node.record.node, name_of(node.record.status),
                           node.record.reason.empty() ? "" : ": ", sentence(node.record.reason));
  }
  const std::string statuses =
      joined(counts, [](const auto& each) { return fmt::format("{} {}", each.second, name_of(each.first)); });
  return fmt::format("{}: {}: {}\n{}", cluster.name, count_text(std::ssize(cluster.nodes), "node"), statuses,
                     reasons);
}

Table spread_table(const RecordedCluster& cluster, const NodeGroup& group, bool all) {
  Table table{fmt::format("{} of {}", count_text(std::ssize(group.nodes), "node"), group.hardware),
              columns({"roof", "unit"}, {"nodes", "median", "lowest", "highest", "spread"}, {"outliers"})};
  std::map<std::size_t, std::vector<std::size_t>> outliers;
  for (const NodeOutlier& each : group.outliers) outliers[each.question].push_back(each.node);
  for (std::size_t i = 0; i < group.questions.size(); ++i) {
    const RoofSpread& spread = group.spreads[i];
    const NodeQuestion& question = cluster.questions[group.questions[i]];
    if (!all && !is_main_roof(question)) continue;
    table.rows.push_back({question.name, question.unit, std::to_string(spread.n), number(spread.median),
                          number(spread.least), number(spread.most),
                          spread.n < 2 ? "?" : fmt::format("{:.2f} %", 100 * spread.deviation),
                          few_names(cluster, outliers[group.questions[i]])});
  }
  table.notes = {"spread: standard deviation between nodes, from the median of the deviations (MAD)"};
  if (group.nodes.size() < model::least_nodes)
    table.notes.push_back(
        fmt::format("fewer than {} nodes: outliers cannot be identified", model::least_nodes));
  return table;
}

Table outlier_table(const RecordedCluster& cluster, const NodeGroup& group) {
  Table table{"Nodes that differ from the others",
              columns({"node", "roof"}, {"value", "from median", ""}, {"differs in"})};
  const auto order = distinct(group.outliers, &NodeOutlier::node);  // by their largest deviation
  constexpr std::size_t most_nodes = 40, most_roofs = 4;
  for (std::size_t i = 0; i < std::min(order.size(), most_nodes); ++i) {
    const std::string why = what_differs(cluster, group, order[i]);
    std::size_t shown = 0, all = 0;
    for (const NodeOutlier& each : group.outliers) {
      if (each.node != order[i] || ++all > most_roofs) continue;
      const NodeQuestion& question = cluster.questions[each.question];
      const bool first = shown++ == 0;
      table.rows.push_back({first ? cluster.nodes[each.node].record.node : "", question.name,
                            number(each.value) + " " + question.unit, signed_percent(each.change),
                            each.worse ? "worse" : "better",
                            first ? (why.empty() ? "nothing recorded" : why) : ""});
    }
    if (all > most_roofs)
      table.rows.push_back({"", fmt::format("and {} more", all - most_roofs), "", "", "", ""});
  }
  if (order.size() > most_nodes)
    table.notes.push_back(fmt::format("and {} more nodes", order.size() - most_nodes));
  return table;
}

Table node_table(const RecordedCluster& cluster, const NodeGroup& group) {
  Table table{fmt::format("Every node of {}, cluster 0 of each", group.hardware),
              columns({"node"}, {"clock"})};
  std::vector<std::size_t> shown;
  std::size_t width = 30;  // of the first two columns, about
  for (const std::size_t q : group.questions) {
    if (!is_column(cluster.questions[q])) continue;
    const std::string& name = cluster.questions[q].name;
    const std::string short_name =
        name.substr(std::min(name.size(), name.find_first_of(",:") + 2)) + " " + cluster.questions[q].unit;
    width += short_name.size() + 2;
    if (width > screen_columns) break;
    shown.push_back(q);
    table.add_column(short_name);
  }
  for (const std::size_t node : group.nodes) {
    const double clock = cluster.nodes[node].record.clock_ghz;
    Row line = {cluster.nodes[node].record.node, clock > 0 ? fmt::format("{:.2f} GHz", clock) : "?"};
    for (const std::size_t q : shown) {
      const double value = cluster.figure(node, q).value;
      line.emplace_back(value > 0 ? number(value) : "–");
    }
    table.rows.push_back(std::move(line));
  }
  return table;
}

Table mpi_table(const model::MpiRecords& records) {
  Table table{"Among the processes of gable-mpi",
              columns({"measurement", "where"}, {"message", "processes", "nodes", "µs", "GB/s or GFlop/s"},
                      {"library"})};
  for (const model::MpiFigure& figure : records.figures)
    table.rows.push_back({name_of(figure.what), name_of(figure.where),
                          figure.side > 0 ? fmt::format("{}³ points", figure.side) : bytes_text(figure.bytes),
                          std::to_string(figure.ranks), std::to_string(figure.nodes),
                          interval_cells(figure.microseconds), interval_cells(figure.rate),
                          figure.status == model::Status::ok
                              ? figure.mpi
                              : name_of(figure.status) + ": " + sentence(figure.reason)});
  return table;
}

Table clock_table(const model::MpiRecords& records) {
  Table table{"Clocks relative to that of the first process", columns({"node"}, {"ahead by", "±", "drift"})};
  std::set<std::string> nodes;
  for (const model::MpiClock& clock : records.clocks) {
    if (!nodes.insert(clock.node).second) continue;
    table.rows.push_back({clock.node, fmt::format("{:.3f} µs", clock.offset_us),
                          fmt::format("{:.3f} µs", clock.error_us),
                          fmt::format("{:.3f} ppm", clock.drift_ppm)});
  }
  if (table.empty()) return table;
  table.notes = {
      "Each time is measured by the clock of one process. The order of two events on different nodes is "
      "known only if they are further apart than both errors."};
  return table;
}

std::size_t question_named(const RecordedCluster& cluster, const std::string& words) {
  const auto fits = [&](const NodeQuestion& question) {
    if (!words.empty()) return question.name.find(words) != std::string::npos;
    return question.spec.kind == model::Kind::bandwidth && is_memory(question.spec.level) &&
           question.spec.op == model::operations::load;
  };
  const auto found = std::ranges::find_if(cluster.questions, fits);
  if (found != cluster.questions.end()) return static_cast<std::size_t>(found - cluster.questions.begin());
  if (words.empty()) return 0;
  throw Error::usage(fmt::format(
      "--roof {}: no roof has this in its name; `gable cluster show {}` lists them", words, cluster.folder));
}

}  // namespace gable::cli

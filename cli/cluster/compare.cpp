#include "cli/cluster/cluster.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "base/words.hpp"
#include "cli/cluster/recorded_cluster.hpp"
#include "cli/cluster/show.hpp"
#include "cli/text/columns.hpp"
#include "model/compare/compare.hpp"

namespace gable::cli {
namespace {

using model::GroupChange;

// A roof of a group of nodes, now and then.
struct RoofChange {
  std::size_t group = 0, question = 0;
  std::vector<double> ratios;  // by node of the group; not a number where one of the two is missing
  GroupChange change;
  bool lower_is_better = false;

  bool is_worse(double relative) const { return (relative > 0) == lower_is_better; }
  bool group_changed() const { return change.p <= model::most_false_alarms; }
};

struct ClusterChange {
  RecordedCluster now, then;
  std::vector<RoofChange> roofs;
  std::vector<std::string> lost;     // nodes that had figures and have none, or failed, with the reason
  std::vector<std::string> unknown;  // nodes that failed in the earlier recording and have figures now
  std::size_t nodes = 0;             // that have figures in both
};

// The same question in the other recording; size of its list where it has none.
std::size_t partner_of(const model::NodeQuestion& question, const RecordedCluster& other) {
  const auto found = std::ranges::find_if(other.questions, [&](const model::NodeQuestion& each) {
    return each.name == question.name && each.unit == question.unit;
  });
  return static_cast<std::size_t>(found - other.questions.begin());
}

std::map<std::string, std::size_t> nodes_by_name(const RecordedCluster& cluster) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < cluster.nodes.size(); ++i) places.emplace(cluster.nodes[i].record.node, i);
  return places;
}

RoofChange roof_change(const ClusterChange& all, std::size_t index, std::size_t q,
                       const std::map<std::string, std::size_t>& earlier) {
  const NodeGroup& group = all.now.groups[index];
  RoofChange roof{index, q, {}, {}, all.now.questions[q].lower_is_better()};
  const std::size_t partner = partner_of(all.now.questions[q], all.then);
  std::vector<double> logs, own;
  for (const std::size_t node : group.nodes) {
    const auto before = earlier.find(all.now.nodes[node].record.node);
    const model::NodeFigure& now = all.now.figure(node, q);
    const model::NodeFigure then = before == earlier.end() || partner == all.then.questions.size()
                                       ? model::NodeFigure()
                                       : all.then.figure(before->second, partner);
    roof.ratios.push_back(now.value / then.value);
    logs.push_back(std::log(roof.ratios.back()));
    own.push_back(std::hypot(now.error, then.error));
  }
  roof.change = model::change_of(logs, own, group.questions.size());
  return roof;
}

std::string with_reason(const model::NodeRecord& record) {
  return fmt::format("{} ({}: {})", record.node, name_of(record.status), sentence(record.reason));
}

// Nodes that failed in one of both recordings, and whose figures the other one does not have for comparison.
void add_failed(ClusterChange& all, const std::map<std::string, std::size_t>& earlier) {
  for (const ClusterNode& node : all.now.nodes) {
    const auto found = earlier.find(node.record.node);
    const ClusterNode* const before = found == earlier.end() ? nullptr : &all.then.nodes[found->second];
    const bool had_figures = before && !before->figures.empty();
    if (node.record.status == model::NodeStatus::failed && !had_figures)
      all.lost.push_back(with_reason(node.record));
    else if (before && before->record.status == model::NodeStatus::failed)
      all.unknown.push_back(with_reason(before->record));
  }
}

ClusterChange cluster_change(const ClusterCompareArguments& arguments) {
  ClusterChange all{recorded_cluster(arguments.folder), recorded_cluster(arguments.earlier), {}, {}, {}, 0};
  const auto earlier = nodes_by_name(all.then), now = nodes_by_name(all.now);
  for (std::size_t i = 0; i < all.now.groups.size(); ++i) {
    for (const std::size_t q : all.now.groups[i].questions) {
      RoofChange roof = roof_change(all, i, q, earlier);
      if (roof.change.n > 0) all.roofs.push_back(std::move(roof));
    }
  }
  for (const auto& [name, place] : earlier) {
    if (all.then.nodes[place].figures.empty()) continue;
    const auto same = now.find(name);
    if (same == now.end()) {
      all.lost.push_back(name + " (not in this recording)");
    } else if (all.now.nodes[same->second].figures.empty()) {
      all.lost.push_back(with_reason(all.now.nodes[same->second].record));
    } else {
      ++all.nodes;
    }
  }
  add_failed(all, earlier);
  return all;
}

const std::string& node_name_in(const ClusterChange& all, const RoofChange& roof, std::size_t node) {
  return all.now.nodes[all.now.groups[roof.group].nodes[node]].record.node;
}

Table groups_table(const ClusterChange& all, bool every) {
  Table table{"Change of every roof since the earlier recording",
              columns({"roof"}, {"nodes", "median change", "spread", ""}, {"nodes that changed"})};
  for (const RoofChange& roof : all.roofs) {
    if (!every && !roof.group_changed() && roof.change.nodes.empty()) continue;
    std::vector<model::Outlier> nodes = roof.change.nodes;
    sort_down_by(nodes, [](const model::Outlier& each) { return std::abs(each.change); });
    const std::string names = first_few(nodes, 3, [&](const model::Outlier& each) {
      return node_name_in(all, roof, each.node) + " " + signed_percent(each.change);
    });
    table.rows.push_back({all.now.questions[roof.question].name, std::to_string(roof.change.n),
                          signed_percent(roof.change.median),
                          fmt::format("{:.2f} %", 100 * roof.change.deviation),
                          !roof.group_changed()               ? ""
                          : roof.is_worse(roof.change.median) ? "worse"
                                                              : "better",
                          names});
  }
  table.notes = {
      fmt::format("Two recordings of an unchanged node are assumed to differ by {:g} % (standard deviation), "
                  "or by what most nodes show if that is more.",
                  100 * model::most_drift)};
  return table;
}

std::string changed_text(const ClusterChange& all) {
  const auto changed = std::ranges::count_if(
      all.roofs, [](const RoofChange& roof) { return roof.group_changed() || !roof.change.nodes.empty(); });
  return fmt::format("{} compared, {} changed on all nodes or on some\n",
                     count_text(std::ssize(all.roofs), "roof"), changed);
}

// What a nightly job has to know, a line for all nodes and for each that is worse; empty if nothing is wrong.
std::vector<std::string> failures_of(const ClusterChange& all, double above) {
  struct Worst {
    int roofs = 0;
    double change = 0;
    std::string name;
  };
  std::map<std::string, Worst> by_node;
  const auto judge = [&](const std::string& node, const RoofChange& roof, double change) {
    if (!roof.is_worse(change) || 100 * std::abs(change) <= above) return;
    Worst& worst = by_node[node];
    ++worst.roofs;
    if (std::abs(change) <= std::abs(worst.change)) return;
    worst.change = change;
    worst.name = all.now.questions[roof.question].name;
  };
  for (const RoofChange& roof : all.roofs) {
    if (roof.group_changed()) judge("all nodes", roof, roof.change.median);
    for (const model::Outlier& node : roof.change.nodes)
      judge(node_name_in(all, roof, node.node), roof, node.change);
  }
  auto failures = each_of(all.lost, [](const std::string& lost) { return "no figures of " + lost; });
  for (const auto& [node, worst] : by_node)
    failures.push_back(fmt::format("{}: {} worse, such as {} {}", node, count_text(worst.roofs, "roof"),
                                   worst.name, signed_percent(worst.change)));
  return failures;
}

std::string change_json(const ClusterChange& all) {
  Json out = {{"schema", model::schema},
              {"nodes", all.nodes},
              {"lost", all.lost},
              {"failed_earlier", all.unknown},
              {"roofs", Json::array()}};
  for (const RoofChange& roof : all.roofs) {
    Json nodes = Json::array();
    for (const model::Outlier& each : roof.change.nodes)
      nodes.push_back({{"node", node_name_in(all, roof, each.node)},
                       {"change", each.change},
                       {"p", each.p},
                       {"worse", roof.is_worse(each.change)}});
    out["roofs"].push_back({{"roof", all.now.questions[roof.question].name},
                            {"hardware", all.now.groups[roof.group].hardware},
                            {"nodes", roof.change.n},
                            {"median_change", roof.change.median},
                            {"deviation", roof.change.deviation},
                            {"p", roof.change.p},
                            {"worse", roof.is_worse(roof.change.median)},
                            {"changed", nodes}});
  }
  return json_text(out, 1) + "\n";
}

std::vector<charts::Chart> drift_charts(const ClusterChange& all) {
  std::vector<charts::Chart> made;
  for (std::size_t i = 0; i < all.now.groups.size(); ++i) {
    charts::NodeGroupFigures figures = figures_of_group(all.now, i);
    figures.roofs.clear();
    for (const RoofChange& roof : all.roofs) {
      const bool changed = roof.group_changed() || !roof.change.nodes.empty();
      if (roof.group != i || !(changed || is_main_roof(all.now.questions[roof.question]))) continue;
      charts::NodeRoof drawn{all.now.questions[roof.question].name, "", roof.ratios, {}};
      for (const model::Outlier& each : roof.change.nodes) drawn.outliers.push_back(each.node);
      figures.roofs.push_back(std::move(drawn));
    }
    made.push_back(charts::strip_chart(figures, true));
  }
  return made;
}

}  // namespace

void cluster_compare(const ClusterCompareArguments& arguments) {
  const ClusterChange all = cluster_change(arguments);
  std::string text = arguments.json ? change_json(all)
                                    : fmt::format("{} beside the earlier {}: {} in both\n", arguments.folder,
                                                  arguments.earlier,
                                                  count_text(static_cast<std::int64_t>(all.nodes), "node"));
  if (!arguments.json) {
    for (const std::string& lost : all.lost) text += "  no figures of " + lost + "\n";
    for (const std::string& unknown : all.unknown) text += "  no earlier figures of " + unknown + "\n";
    text += "\n" + table_text(groups_table(all, arguments.all)) + changed_text(all);
  }
  std::fputs(text.c_str(), stdout);
  if (!arguments.output.empty())
    draw_charts(drift_charts(all), arguments.output, arguments.pictures, arguments.json ? stderr : stdout);
  if (!arguments.fail_above) return;
  std::fflush(stdout);
  if (all.roofs.empty()) throw Error::failed("no figure of any node can be compared");
  std::vector<std::string> failures = failures_of(all, *arguments.fail_above);
  if (failures.empty()) return;
  constexpr std::size_t most = 3;
  const std::size_t count = failures.size();
  if (count > most) failures.resize(most);
  throw Error::failed(fmt::format("worse by more than {:g} %: {}{}", *arguments.fail_above,
                                  fmt::join(failures, "; "),
                                  count > most ? fmt::format("; and {} more nodes", count - most) : ""));
}

}  // namespace gable::cli

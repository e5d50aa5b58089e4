#include "cli/show/shown_roofs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "base/lists.hpp"
#include "base/tables/table.hpp"
#include "base/words.hpp"
#include "cli/text/columns.hpp"
#include "model/roofs/interval.hpp"

namespace gable::cli {
namespace {

using model::IntervalForm;
using model::Roof;
using model::Status;
using Roofs = std::vector<Roof>;

// Lowest to highest of several figures, with the worst of their intervals.
Cell range_cell(const Roofs& roofs) {
  if (roofs.empty()) return "-";
  if (roofs.size() == 1) return figure_cell(roofs.front());
  const auto [least, most] = std::ranges::minmax_element(roofs, {}, &Roof::value);
  const std::string text = number_range(least->value, most->value);
  std::optional<double> worst;
  for (const Roof& roof : roofs) {
    if (has_unknown_interval(roof)) return {text, "±?"};
    if (!model::has_interval(roof)) continue;
    if (has_shown_ends(roof)) {
      return {text, fmt::format("({} to {})", number(std::ranges::min(roofs, {}, &Roof::lo).lo),
                                number(std::ranges::max(roofs, {}, &Roof::hi).hi))};
    }
    worst = std::max(worst, std::optional(model::interval_percent(roof).value_or(0)));
  }
  return {text, worst ? fmt::format("±{:.1f} %", *worst) : ""};
}

Cell matrix_cell(const Roofs& roofs, int cluster, int node) {
  for (const Roof& roof : roofs) {
    if (roof.spec.cluster == cluster && roof.spec.node == node && roof.status == Status::ok)
      return figure_cell(roof);
  }
  return "-";
}

using Member = Roofs ShownLine::*;

// What is in one column of a line; empty where nothing of the kind was asked for.
Cell cell_of(const ShownLine& line, Member member, const Roofs& ok) {
  const bool never = member == &ShownLine::latencies && line.latencies.empty();
  return ok.empty() && never ? Cell() : range_cell(ok);
}

using Titles = std::array<const char*, 2>;

// The two blocks, each with columns and lines where any figure of its kind is known.
template <class Fill>
std::vector<Table> blocks_of(const std::vector<ShownLine>& lines, const Titles& titles, const Fill& fill) {
  std::vector<Table> blocks = {{.title = titles[0]}, {.title = titles[1]}};
  const std::array<Member, 2> members = {&ShownLine::figures, &ShownLine::latencies};
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Member member = members.at(i);
    const bool known =
        std::ranges::any_of(lines, [&](const ShownLine& line) { return !ok_of(line.*member).empty(); });
    if (known) fill(blocks[i], member);
  }
  return blocks;
}

// A column for each cluster; that of a single one has no name.
std::vector<Table> by_cluster(const std::vector<ShownLine>& lines, const Titles& titles,
                              const std::set<int>& clusters, CoreKinds kinds) {
  return blocks_of(lines, titles, [&](Table& block, Member member) {
    for (const int cluster : clusters)
      block.add_column(clusters.size() == 1     ? ""
                       : kinds[cluster].empty() ? fmt::format("cluster {}", cluster)
                                                : fmt::format("cluster {}, {}", cluster, kinds[cluster]));
    for (const ShownLine& line : lines) {
      block.rows.emplace_back();
      for (const int cluster : clusters)
        block.rows.back().push_back(cell_of(line, member, ok_of(line.*member, cluster)));
    }
  });
}

// The figures of the line of these clusters, as a range.
Cell group_cell(const ShownLine& line, Member member, const std::set<int>& clusters) {
  Roofs ok = ok_of(line.*member);
  std::erase_if(ok, [&](const Roof& roof) { return !clusters.contains(roof.spec.cluster); });
  const std::size_t having = clusters_in(ok).size();
  Cell cell = cell_of(line, member, ok);
  if (!ok.empty() && having < clusters.size())
    cell.interval += fmt::format("{}({} of {})", cell.interval.empty() ? "" : " ", having, clusters.size());
  return cell;
}

// One column for all clusters of a kind.
std::vector<Table> by_kind(const std::vector<ShownLine>& lines, const Titles& titles,
                           const std::set<int>& clusters, CoreKinds kinds) {
  std::vector<std::pair<std::string, std::set<int>>> groups;  // by their first clusters
  for (const int cluster : clusters) value_for(groups, kinds[cluster]).insert(cluster);
  return blocks_of(lines, titles, [&](Table& block, Member member) {
    for (const auto& [kind, members] : groups)
      block.add_column(fmt::format("{}{} {}", kind.empty() ? "" : kind + " cores, ",
                                   plural(std::ssize(members), "cluster"),
                                   indices_text({members.begin(), members.end()})));
    for (const ShownLine& line : lines) {
      block.rows.emplace_back();
      for (const auto& [kind, members] : groups)
        block.rows.back().push_back(group_cell(line, member, members));
    }
  });
}

// Sets the blocks of the lines, for the table's labels.
void set_blocks(const std::vector<ShownLine>& lines, const Titles& titles, const CoreKinds& kinds,
                ShownTable& table) {
  constexpr std::size_t most_clusters = 4;
  const std::set<int> clusters = clusters_of(lines);
  table.blocks = by_cluster(lines, titles, clusters, kinds);
  if (clusters.size() < 2) return;  // where there is no room, the blocks are below each other
  if (clusters.size() <= most_clusters && fit_side_by_side(table.labels, table.blocks)) return;
  table.blocks = by_kind(lines, titles, clusters, kinds);
  table.note = "Of several clusters: lowest to highest, with the largest ±.";
}

}  // namespace

Roofs ok_of(const Roofs& roofs, int cluster) {
  return those(roofs, [&](const Roof& roof) {
    return roof.status == Status::ok && (cluster < 0 || roof.spec.cluster == cluster);
  });
}

bool has_shown_ends(const Roof& roof) {
  return model::has_interval(roof) && model::interval_form(roof) == IntervalForm::ends;
}

bool has_unknown_interval(const Roof& roof) {
  return model::has_interval(roof) ? model::interval_form(roof) == IntervalForm::unknown
                                   : roof.source.empty();
}

std::set<int> clusters_of(const std::vector<ShownLine>& lines) {
  std::set<int> clusters;
  for (const ShownLine& line : lines) {
    for (const Roofs* roofs : {&line.figures, &line.latencies}) clusters.merge(clusters_in(ok_of(*roofs)));
  }
  return clusters;
}

bool is_known(const ShownLine& line) {
  return !ok_of(line.figures).empty() || !ok_of(line.latencies).empty();
}

ShownTable matrix_table(const ShownMatrix& matrix) {
  if (matrix.clusters.size() * matrix.nodes.size() < 2) return {};
  ShownTable table{"Memory, each cluster alone",
                   {},
                   {},
                   {{.title = "Load bandwidth, GB/s"}, {.title = "Idle latency, ns"}},
                   ""};
  for (const ShownIndex& cluster : matrix.clusters) table.labels.push_back(cluster.words);
  table.places = table.labels;
  for (Table& block : table.blocks) {
    const Roofs& roofs = &block == &table.blocks.front() ? matrix.bandwidth : matrix.latency;
    if (ok_of(roofs).empty()) continue;
    for (const ShownIndex& node : matrix.nodes) block.add_column(node.words);
    for (const ShownIndex& cluster : matrix.clusters) {
      block.rows.emplace_back();
      for (const ShownIndex& node : matrix.nodes)
        block.rows.back().push_back(matrix_cell(roofs, cluster.index, node.index));
    }
  }
  return table;
}

ShownTable summary_table(const std::vector<ShownLine>& all, const CoreKinds& kinds) {
  const std::vector<ShownLine> lines = those(all, is_known);
  ShownTable table;
  for (const ShownLine& line : lines) {
    table.labels.push_back(line.words + ", " + line.unit);
    table.places.push_back(line.place);
  }
  set_blocks(lines, {"Peaks and bandwidths", "Idle latency, ns"}, kinds, table);
  if (const std::set<int> clusters = clusters_of(lines); clusters.size() == 1)
    table.blocks.front().title = fmt::format("Cluster {}", *clusters.begin());
  return table;
}

ShownTable operations_table(const std::vector<ShownLine>& operations, const CoreKinds& kinds) {
  ShownTable table;
  table.title = "Operations that wait for each other";
  for (const ShownLine& line : operations) table.labels.push_back(line.words);
  table.places = table.labels;
  set_blocks(operations, {"ns", "cycles"}, kinds, table);
  return table;
}

}  // namespace gable::cli

#include "cli/show/shown_roofs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "base/sorting.hpp"
#include "base/tables/table.hpp"
#include "base/words.hpp"
#include "cli/text/columns.hpp"
#include "model/roofs/interval.hpp"
#include "plots/charts/recorded.hpp"

namespace gable::cli {
namespace {

using model::Roof;
using model::Status;
using Roofs = std::vector<Roof>;

Roofs ok_of(const Roofs& roofs, int cluster = -1) {
  Roofs found;
  std::ranges::copy_if(roofs, std::back_inserter(found), [&](const Roof& roof) {
    return roof.status == Status::ok && (cluster < 0 || roof.spec.cluster == cluster);
  });
  return found;
}

std::set<int> clusters_in(const Roofs& roofs) {
  std::set<int> clusters;
  for (const Roof& roof : roofs) clusters.insert(roof.spec.cluster);
  return clusters;
}

// Whether the two ends of its interval are printed.
bool has_shown_ends(const Roof& roof) {
  return model::has_interval(roof) && model::is_wide_interval(roof.value, roof.lo, roof.hi);
}

// Lowest to highest of several figures, with the worst of their intervals.
Cell range_cell(const Roofs& roofs) {
  if (roofs.empty()) return "-";
  if (roofs.size() == 1) return figure_cell(roofs.front());
  const auto [least, most] = std::ranges::minmax_element(roofs, {}, &Roof::value);
  const std::string text = number_range(least->value, most->value);
  std::optional<double> worst;
  for (const Roof& roof : roofs) {
    if (!model::has_interval(roof)) {
      if (roof.source.empty()) return {text, "±?"};
      continue;
    }
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

std::set<int> clusters_of(const std::vector<ShownLine>& lines) {
  std::set<int> clusters;
  for (const ShownLine& line : lines) {
    for (const Roofs* roofs : {&line.figures, &line.latencies}) clusters.merge(clusters_in(ok_of(*roofs)));
  }
  return clusters;
}

using Member = Roofs ShownLine::*;

// What is in one column of a line; empty where nothing of the kind was asked for.
Cell cell_of(const ShownLine& line, Member member, const Roofs& ok) {
  const bool never = member == &ShownLine::latencies && line.latencies.empty();
  return ok.empty() && never ? Cell() : range_cell(ok);
}

// The two blocks, each with columns and lines where any figure of its kind is known.
template <class Fill>
std::vector<Table> blocks_of(const std::vector<ShownLine>& lines, const Fill& fill) {
  std::vector<Table> blocks = {{.title = "Peaks and bandwidths"}, {.title = "Idle latency, ns"}};
  const std::array<Member, 2> members = {&ShownLine::figures, &ShownLine::latencies};
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Member member = members.at(i);
    const bool known =
        std::ranges::any_of(lines, [&](const ShownLine& line) { return !ok_of(line.*member).empty(); });
    if (known) fill(blocks[i], member);
  }
  return blocks;
}

// A column for each cluster; a single one stands in the title.
std::vector<Table> by_cluster(const std::vector<ShownLine>& lines, const std::set<int>& clusters,
                              CoreKinds kinds) {
  std::vector<Table> blocks = blocks_of(lines, [&](Table& block, Member member) {
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
  if (clusters.size() == 1) blocks.front().title = fmt::format("Cluster {}", *clusters.begin());
  return blocks;
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
std::vector<Table> by_kind(const std::vector<ShownLine>& lines, const std::set<int>& clusters,
                           CoreKinds kinds) {
  std::vector<std::pair<std::string, std::set<int>>> groups;  // by their first clusters
  for (const int cluster : clusters) {
    const auto known = std::ranges::find(groups, kinds[cluster], &decltype(groups)::value_type::first);
    (known == groups.end() ? groups.emplace_back(kinds[cluster], std::set<int>()) : *known)
        .second.insert(cluster);
  }
  return blocks_of(lines, [&](Table& block, Member member) {
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

// Every figure that the screen shows.
Roofs shown_roofs(const ShownMatrix& matrix, const std::vector<ShownLine>& lines, bool latencies) {
  Roofs roofs;
  const auto add = [&](const Roofs& some) {
    const Roofs ok = ok_of(some);
    roofs.insert(roofs.end(), ok.begin(), ok.end());
  };
  add(matrix.bandwidth);
  if (latencies) add(matrix.latency);
  for (const ShownLine& line : lines) {
    add(line.figures);
    if (latencies) add(line.latencies);
  }
  return roofs;
}

// The remarks on these figures, alike ones as one, the most frequent ones first.
std::string remarks_text(const Roofs& roofs) {
  constexpr std::size_t most = 3;
  model::NotesByKind alike;
  std::set<std::string> seen;  // a figure may be in the matrix and in the table
  for (const Roof& roof : roofs) {
    if (!seen.insert(model::key(roof.spec)).second) continue;
    for (const model::Note& remark : roof.remarks) add_alike(alike, "", remark);
  }
  std::vector<model::AlikeNotes> remarks;
  for (const auto& [kind, notes] : alike) remarks.push_back(notes);
  sort_down_by(remarks, &model::AlikeNotes::count);
  std::string text;
  for (std::size_t i = 0; i < std::min(most, remarks.size()); ++i)
    text += fmt::format(" Remark on {}: {}.", count_text(remarks[i].count(), "figure"), remarks[i].text());
  if (remarks.size() > most) text += fmt::format(" {} more remarks.", remarks.size() - most);
  return text;
}

}  // namespace

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
  constexpr std::size_t most_clusters = 4;
  std::vector<ShownLine> lines;
  std::ranges::copy_if(all, std::back_inserter(lines), is_known);
  const std::set<int> clusters = clusters_of(lines);
  ShownTable table;
  for (const ShownLine& line : lines) {
    table.labels.push_back(line.words + ", " + line.unit);
    table.places.push_back(line.place);
  }
  table.blocks = by_cluster(lines, clusters, kinds);
  if (clusters.size() <= most_clusters && fit_side_by_side(table.labels, table.blocks)) return table;
  table.blocks = by_kind(lines, clusters, kinds);
  table.note = "Of several clusters: lowest to highest, with the largest ±.";
  return table;
}

std::string conditions_of(const ShownMatrix& matrix, const std::vector<ShownLine>& lines) {
  Roofs rates = shown_roofs(matrix, lines, false);
  for (Roof& roof : rates) roof.source.clear();
  const Roofs all = shown_roofs(matrix, lines, true);
  const std::string how = charts::conditions_text(rates), sources = charts::sources_text(all);
  std::string text;
  if (!how.empty()) text = fmt::format("Peaks and bandwidths: {}.", how);
  if (!sources.empty()) text += fmt::format("{}The {}.", text.empty() ? "" : " ", sources);
  const auto has = [&](bool (*wanted)(const Roof&)) { return std::ranges::any_of(all, wanted); };
  if (has([](const Roof& roof) { return roof.lo < roof.hi && roof.source.empty(); }))
    text += fmt::format(" {}.", model::interval_rule);
  if (has(has_shown_ends)) text += " Brackets: the interval itself, where it is wider than ±100 %.";
  if (has([](const Roof& roof) { return roof.lo < roof.hi && !roof.source.empty(); }))
    text += " ± is as published.";
  return text + remarks_text(all);
}

// Lines and clusters without any figure.
std::vector<std::string> unknown_words(const ShownFolder& shown, const std::vector<ShownLine>& lines) {
  std::vector<std::string> words;
  for (const ShownLine& line : lines) {
    if (!is_known(line)) words.push_back(line.words);
  }
  if (std::ranges::none_of(lines, [](const ShownLine& line) { return !ok_of(line.latencies).empty(); }))
    words.emplace_back("idle latencies");
  if (!shown.machine) return words;
  const std::set<int> known = clusters_of(lines);
  std::vector<int> others;
  for (const machines::Cluster& cluster : shown.machine->clusters) {
    if (!known.contains(cluster.index)) others.push_back(cluster.index);
  }
  if (!others.empty())
    words.push_back(fmt::format("{} {}", plural(std::ssize(others), "cluster"), indices_text(others)));
  return words;
}

}  // namespace gable::cli

#include "cli/show/screen.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "base/words.hpp"
#include "cli/fit/figure_text.hpp"
#include "cli/show/blocks.hpp"
#include "cli/show/figures.hpp"
#include "model/json/case.hpp"
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
    return roof.status == Status::ok && (cluster < 0 || roof.asked.cluster == cluster);
  });
  return found;
}

std::set<int> clusters_in(const Roofs& roofs) {
  std::set<int> clusters;
  for (const Roof& roof : roofs) clusters.insert(roof.asked.cluster);
  return clusters;
}

// Lowest to highest of several figures, with the worst of their intervals.
std::string range_text(const Roofs& roofs) {
  if (roofs.empty()) return "-";
  if (roofs.size() == 1) return figure_text(roofs.front());
  const auto [least, most] = std::ranges::minmax_element(roofs, {}, &Roof::value);
  std::string text = number(least->value);
  if (number(most->value) != text) text += " to " + number(most->value);
  double worst = -1;
  std::string interval;
  for (const Roof& roof : roofs) {
    const std::string cell = interval_cell(roof);
    if (cell == "?") {
      if (roof.source.empty()) return text + " ±?";
      continue;
    }
    if (!cell.ends_with('%')) {
      return text + fmt::format(" ({} to {})", number(std::ranges::min(roofs, {}, &Roof::lo).lo),
                                number(std::ranges::max(roofs, {}, &Roof::hi).hi));
    }
    if (std::stod(cell) <= worst) continue;
    worst = std::stod(cell);
    interval = " ±" + cell;
  }
  return text + interval;
}

std::string matrix_cell(const Roofs& roofs, int cluster, int node) {
  for (const Roof& roof : roofs) {
    if (roof.asked.cluster == cluster && roof.asked.node == node && roof.status == Status::ok)
      return figure_text(roof);
  }
  return "-";
}

std::string matrix_text(const ShownMatrix& matrix) {
  if (matrix.clusters.size() * matrix.nodes.size() < 2) return {};
  std::vector<std::string> labels;
  for (const ShownIndex& cluster : matrix.clusters) labels.push_back(cluster.words);
  std::vector<Block> blocks = {{"Load bandwidth, GB/s", {}, {}}, {"Idle latency, ns", {}, {}}};
  for (Block& block : blocks) {
    const Roofs& roofs = &block == &blocks.front() ? matrix.bandwidth : matrix.latency;
    if (ok_of(roofs).empty()) continue;
    for (const ShownIndex& node : matrix.nodes) block.columns.push_back(node.words);
    for (const ShownIndex& cluster : matrix.clusters) {
      block.lines.emplace_back();
      for (const ShownIndex& node : matrix.nodes)
        block.lines.back().push_back(matrix_cell(roofs, cluster.index, node.index));
    }
  }
  const std::string text = blocks_text(labels, blocks);
  return text.empty() ? "" : "Memory, each cluster alone\n" + text + "\n";
}

bool is_known(const ShownLine& line) {
  return !ok_of(line.figures).empty() || !ok_of(line.latencies).empty();
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
std::string cell_text(const ShownLine& line, Member member, const Roofs& ok) {
  const bool never = member == &ShownLine::latencies && line.latencies.empty();
  return ok.empty() && never ? "" : range_text(ok);
}

// The two blocks, each with columns and lines where any figure of its kind is known.
template <class Fill>
std::vector<Block> blocks_of(const std::vector<ShownLine>& lines, const Fill& fill) {
  std::vector<Block> blocks = {{"Peaks and bandwidths", {}, {}}, {"Idle latency, ns", {}, {}}};
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
std::vector<Block> by_cluster(const std::vector<ShownLine>& lines, const std::set<int>& clusters) {
  std::vector<Block> blocks = blocks_of(lines, [&](Block& block, Member member) {
    for (const int cluster : clusters)
      block.columns.push_back(clusters.size() == 1 ? "" : fmt::format("cluster {}", cluster));
    for (const ShownLine& line : lines) {
      block.lines.emplace_back();
      for (const int cluster : clusters)
        block.lines.back().push_back(cell_text(line, member, ok_of(line.*member, cluster)));
    }
  });
  if (clusters.size() == 1) blocks.front().title = fmt::format("Cluster {}", *clusters.begin());
  return blocks;
}

// One column for all clusters.
std::vector<Block> by_range(const std::vector<ShownLine>& lines, const std::set<int>& clusters) {
  return blocks_of(lines, [&](Block& block, Member member) {
    block.columns = {fmt::format("clusters {}", indices_text({clusters.begin(), clusters.end()}))};
    for (const ShownLine& line : lines) {
      const Roofs ok = ok_of(line.*member);
      const std::size_t having = clusters_in(ok).size();
      std::string text = cell_text(line, member, ok);
      if (!ok.empty() && having < clusters.size())
        text += fmt::format(" ({} of {})", having, clusters.size());
      block.lines.push_back({std::move(text)});
    }
  });
}

std::string summary_text(const std::vector<ShownLine>& all) {
  constexpr std::size_t most_clusters = 4;
  std::vector<ShownLine> lines;
  std::ranges::copy_if(all, std::back_inserter(lines), is_known);
  const std::set<int> clusters = clusters_of(lines);
  std::vector<std::string> labels;
  for (const ShownLine& line : lines) labels.push_back(line.words + ", " + line.unit);
  std::vector<Block> blocks = by_cluster(lines, clusters);
  if (clusters.size() <= most_clusters && fit_side_by_side(labels, blocks))
    return blocks_text(labels, blocks);
  return blocks_text(labels, by_range(lines, clusters)) +
         "  Of several clusters: lowest to highest, with the largest ±.\n";
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
  if (has([](const Roof& roof) { return interval_cell(roof).find(" to ") != std::string::npos; }))
    text += " Brackets: the interval itself, where it is wider than ±100 %.";
  if (has([](const Roof& roof) { return roof.lo < roof.hi && !roof.source.empty(); }))
    text += " ± is as published.";
  return text;
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
  for (const RecordedMachine::Cluster& cluster : shown.machine->clusters) {
    if (!known.contains(cluster.index)) others.push_back(cluster.index);
  }
  if (!others.empty())
    words.push_back(fmt::format("{} {}", plural(std::ssize(others), "cluster"), indices_text(others)));
  return words;
}

// What was skipped or spoiled, and the main reasons.
std::string disturbance_text(const ShownFolder& shown) {
  constexpr std::size_t most = 3;
  if (shown.missing.empty()) return {};
  std::vector<const Missing*> reasons;
  std::size_t skipped = 0, invalid = 0;
  for (const Missing& missing : shown.missing) {
    (missing.status == Status::skipped ? skipped : invalid) += missing.cases.size();
    reasons.push_back(&missing);
  }
  std::ranges::stable_sort(reasons, [](const Missing* a, const Missing* b) {
    if (a->status != b->status) return a->status == Status::invalid;
    return a->cases.size() > b->cases.size();
  });
  std::string text = fmt::format("Not measured: {} {} skipped, {} invalid.\n", skipped,
                                 plural(static_cast<int>(skipped), "case"), invalid);
  for (std::size_t i = 0; i < std::min(most, reasons.size()); ++i) {
    std::string line = fmt::format("  {} {}: {}", reasons[i]->cases.size(),
                                   model::name_of(reasons[i]->status), reasons[i]->reason);
    while (width_of(line) > screen_columns) line = line.substr(0, line.rfind(' ')) + "…";
    text += line + "\n";
  }
  if (reasons.size() > most)
    text += fmt::format("  and {} more {}\n", reasons.size() - most,
                        plural(static_cast<std::int64_t>(reasons.size() - most), "reason"));
  return text;
}

}  // namespace

std::string head_text(const ShownFolder& shown) {
  std::string text = shown.name;
  if (shown.machine) {
    const RecordedMachine& machine = *shown.machine;
    std::set<std::size_t> sizes;
    std::size_t cores = 0;
    for (const RecordedMachine::Cluster& cluster : machine.clusters) {
      sizes.insert(cluster.core_pus.size());
      cores += cluster.core_pus.size();
    }
    text += ": ";
    if (!machine.cpu_model.empty()) text += machine.cpu_model + ", ";
    text += count_text(std::ssize(machine.clusters), "cluster");
    if (cores > 0) {
      const auto count = static_cast<std::int64_t>(sizes.size() == 1 ? *sizes.begin() : cores);
      text += (sizes.size() == 1 ? " of " : ", ") + count_text(count, "core");
    }
    text += ", " + count_text(std::ssize(machine.nodes), "memory node");
  }
  text += "\n";
  for (const std::string& remark : shown.remarks) text += folded(remark);
  return text;
}

std::string screen_text(const ShownFolder& shown) {
  if (shown.roofs.roofs.empty()) return {};
  const ShownMatrix matrix = matrix_of(shown);
  const std::vector<ShownLine> lines = lines_of(shown);
  std::string text = matrix_text(matrix) + summary_text(lines);
  if (const std::vector<std::string> words = unknown_words(shown, lines); !words.empty())
    text += folded(fmt::format("Not known: {}.", fmt::join(words, "; ")), 2);
  return text + "\n" + folded(conditions_of(matrix, lines)) + disturbance_text(shown);
}

std::string unknown_text(const ShownFolder& shown) {
  std::string text;
  for (const ShownLine& line : lines_of(shown)) {
    if (is_known(line) || shown.roofs.roofs.empty()) continue;
    Roofs asked = line.figures;
    asked.insert(asked.end(), line.latencies.begin(), line.latencies.end());
    const std::string why =
        asked.empty() ? "no figure is recorded"
                      : fmt::format("{}: {}", model::name_of(asked.front().status), asked.front().reason);
    text += folded(fmt::format("  {}: {}", line.words, why), 4);
  }
  if (shown.machine && !shown.machine->not_published.empty())
    text += folded(
        fmt::format("  The source does not tell: {}.", fmt::join(shown.machine->not_published, "; ")), 4);
  return text.empty() ? "" : "Not known\n" + text + "\n";
}

}  // namespace gable::cli

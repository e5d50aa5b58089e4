#include "cli/report/sections.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/tables/table.hpp"
#include "base/words.hpp"
#include "cli/recorded_machine.hpp"
#include "cli/recorded_topology.hpp"
#include "cli/show/shown_roofs.hpp"
#include "machines/machine.hpp"
#include "plots/charts/charts.hpp"
#include "plots/html/page.hpp"
#include "plots/html/tables.hpp"

namespace gable::cli {

namespace {

using Cluster = machines::Cluster;

using Packages = std::vector<std::vector<unsigned>>;  // their hardware threads

Packages packages_in(const std::string& folder, std::vector<std::string>& remarks) {
  const std::string path = folder + "/topology.xml";
  if (!std::filesystem::exists(path)) {
    remarks.emplace_back("There is no topology.xml: packages are not known.");
    return {};
  }
  try {
    recorded_topology(folder);  // refuses that of another machine
    return machines::packages_of_xml(path);
  } catch (const Error& error) {
    remarks.push_back(fmt::format("Packages are not known: {}", error.what()));
    return {};
  }
}

html::Memory memory_of(const machines::Node& node) {
  html::Memory memory{fmt::format("node {}", node.os_index), name_of(node.tier), ""};
  if (node.bytes > 0) memory.detail = bytes_text(node.bytes);
  if (node.memory_side_cache_bytes > 0)
    memory.detail += fmt::format(" behind a cache of {}", bytes_text(node.memory_side_cache_bytes));
  return memory;
}

std::string threads_text(const Cluster& cluster) {
  const std::vector<unsigned> threads = hardware_threads(cluster);
  const std::vector<int> pus(threads.begin(), threads.end());
  return count_text(std::ssize(cluster.cores), "core") + ", " +
         count_text(std::ssize(pus), "hardware thread") +
         (pus.empty() ? "" : fmt::format(" ({})", indices_text(pus)));
}

html::Cells cells_of(const machines::Cache& cache) {
  std::string detail = cache.bytes == 0 ? "size unknown" : bytes_text(cache.bytes);
  if (cache.largest_bytes > cache.bytes) detail += " to " + bytes_text(cache.largest_bytes);
  if (cache.count > 1) detail = fmt::format("{} × {}", cache.count, detail);
  detail +=
      cache.cores_sharing > 1 ? fmt::format(", shared by {} cores", cache.cores_sharing) : ", one per core";
  return {fmt::format("L{}", cache.level), detail, cache.count};
}

html::Box cluster_box(const RecordedMachine& machine, const Cluster& cluster) {
  html::Box box{"cluster", fmt::format("Cluster {}", cluster.index), threads_text(cluster), {}, {}, {}};
  box.rows.push_back({"Cores", "", static_cast<int>(cluster.cores.size())});
  for (const machines::Cache& cache : cluster.caches) box.rows.push_back(cells_of(cache));
  for (const machines::Node& node : machine.nodes) {
    if (is_among(cluster.nodes, node.os_index)) box.memories.push_back(memory_of(node));
  }
  return box;
}

// The package that has the cluster's threads; -1 where there is none or it is not the only one.
int package_of(const Cluster& cluster, const Packages& packages) {
  std::set<int> found;
  for (const unsigned pu : hardware_threads(cluster)) {
    const auto has = [&](const std::vector<unsigned>& package) { return is_among(package, pu); };
    const auto package = std::ranges::find_if(packages, has);
    found.insert(package == packages.end() ? -1 : static_cast<int>(package - packages.begin()));
  }
  return found.size() == 1 ? *found.begin() : -1;
}

// Memory that is beside no cluster's cores: behind a link, or of a device.
void add_far_memory(std::vector<html::Box>& boxes, const RecordedMachine& machine) {
  html::Box far{"far", "Beside no cluster", "", {}, {}, {}};
  for (const machines::Node& node : machine.nodes) {
    const bool is_local = std::ranges::any_of(
        machine.clusters, [&](const Cluster& cluster) { return is_among(cluster.nodes, node.os_index); });
    if (!is_local) far.memories.push_back(memory_of(node));
  }
  if (!far.memories.empty()) boxes.push_back(std::move(far));
}

// topology.xml of the folder alone tells packages; a file that is absent or broken, or of another machine,
// leaves them out, and why is added to `remarks`.
std::vector<html::Box> machine_boxes(const RecordedMachine& machine, const std::string& folder,
                                     std::vector<std::string>& remarks) {
  const Packages packages = packages_in(folder, remarks);
  std::vector<html::Box> boxes;
  for (std::size_t i = 0; i < packages.size(); ++i)
    boxes.push_back({"package", fmt::format("Package {}", i), "", {}, {}, {}});
  for (const Cluster& cluster : machine.clusters) {
    const int package = package_of(cluster, packages);
    std::vector<html::Box>& into = package < 0 ? boxes : boxes[static_cast<std::size_t>(package)].boxes;
    into.push_back(cluster_box(machine, cluster));
  }
  // A package without clusters has CPUs that were not ours to use.
  std::erase_if(boxes, [](const html::Box& box) { return box.kind == "package" && box.boxes.empty(); });
  add_far_memory(boxes, machine);
  return boxes;
}

// Blocks of one column each, beside each other.
Table side_by_side(const ShownTable& table, const std::vector<const Table*>& blocks) {
  Table text{table.title, columns({""})};
  for (const Table* block : blocks) text.add_column(block->title);
  for (std::size_t i = 0; i < table.labels.size(); ++i) {
    text.rows.push_back({table.labels[i]});
    for (const Table* block : blocks) text.rows.back().push_back(block->rows[i].front());
  }
  return text;
}

// A block as a table of its own, without the lines that have no figure of its kind.
Table alone(const ShownTable& table, const Table& block, const std::vector<std::string>& labels) {
  Table text{table.title.empty() ? block.title : fmt::format("{}: each cluster alone", block.title),
             columns({""})};
  text.columns.insert(text.columns.end(), block.columns.begin(), block.columns.end());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Row& cells = block.rows[i];
    if (std::ranges::all_of(cells, &Cell::empty)) continue;
    text.rows.push_back({labels[i]});
    text.rows.back().insert(text.rows.back().end(), cells.begin(), cells.end());
  }
  return text;
}

std::string tables_html(const ShownTable& table) {
  std::vector<const Table*> blocks;
  for (const Table& block : table.blocks) {
    if (!block.columns.empty()) blocks.push_back(&block);
  }
  if (std::ranges::all_of(blocks, [](const Table* block) { return block->columns.size() == 1; }))
    return blocks.empty() ? "" : html::table_html(side_by_side(table, blocks));
  std::string out;
  for (const Table* block : blocks)
    out += html::table_html(alone(table, *block, block == blocks.front() ? table.labels : table.places));
  return out;
}

std::string meaning_html(const ReportContent& content) {
  const std::string text =
      html::paragraph(fmt::format("{}", fmt::join(meaning_of(content.shown, content.samples), " ")));
  return text.empty() ? "" : "<div class=\"meaning\">" + text + "</div>\n";
}

// The chart of the first cluster that has one.
std::string first_larm_html(const ReportContent& content) {
  for (const int cluster : charts::clusters_of(content.recorded)) {
    const charts::Chart chart = charts::larm_chart(content.recorded, cluster);
    if (chart.omitted.empty()) return content.figures.html_of(chart);
  }
  return {};
}

std::string figures_html(const ReportContent& content) {
  const ShownMatrix matrix = matrix_of(content.shown);
  const std::vector<ShownLine> lines = lines_of(content.shown);
  const std::vector<ShownLine> operations = operations_of(content.shown);
  const CoreKinds kinds = core_kinds(content.shown.machine);
  const ShownTable memories = matrix_table(matrix), summary = summary_table(lines, kinds);
  std::string out = "<div class=\"card\"><div class=\"figures\">\n" + tables_html(memories) +
                    tables_html(summary) + tables_html(operations_table(operations, kinds)) + "</div>\n";
  out += html::paragraph(summary.note, "quiet");
  out += html::paragraph(conditions_of(matrix, lines, operations), "quiet");
  if (const std::vector<std::string> words = unknown_words(content.shown, lines); !words.empty())
    out += html::paragraph(fmt::format("Not known: {}.", fmt::join(words, "; ")), "missing");
  return out + "</div>\n";
}

}  // namespace

std::string first_screen_html(const ReportContent& content) {
  std::string out;
  for (const std::string& remark : content.shown.remarks) out += html::paragraph(remark, "remark");
  if (const std::string& reason = content.figures.no_gnuplot(); !reason.empty())
    out += html::paragraph(
        fmt::format("This report has tables but no charts. Where it was made, {}.", reason), "remark");
  out += meaning_html(content);
  if (!content.has_roofs()) {
    out += html::paragraph(content.shown.replay);
    return out + absent_html(content, "No bandwidth, latency or peak is recorded.", "gable measure DIR");
  }
  return out + "<div class=\"first\">\n" + figures_html(content) + first_larm_html(content) + "</div>\n";
}

std::string machine_html(const ReportContent& content) {
  const ShownFolder& shown = content.shown;
  if (!shown.machine)
    return absent_html(content, "There is no machine.json.", "gable machine --json > DIR/machine.json");
  std::vector<std::string> remarks;
  std::string out = html::boxes_html(machine_boxes(*shown.machine, shown.folder, remarks));
  for (const std::string& remark : remarks) out += html::paragraph(remark, "missing");
  return out +
         html::paragraph(
             "A cluster is a group of cores that share their nearest memory nodes. The colour and frame of a "
             "node stand for its kind of memory.",
             "quiet");
}

}  // namespace gable::cli

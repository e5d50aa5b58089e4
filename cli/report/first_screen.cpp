#include "cli/report/first_screen.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/tables/table.hpp"
#include "cli/report/machine_boxes.hpp"
#include "cli/report/sentences.hpp"
#include "cli/show/summary.hpp"
#include "plots/charts/charts.hpp"
#include "plots/html/boxes.hpp"
#include "plots/html/tables.hpp"

namespace gable::cli {
namespace {

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
  const ShownTable memories = matrix_table(matrix),
                   summary = summary_table(lines, core_kinds(content.shown.machine));
  std::string out = "<div class=\"card\"><div class=\"figures\">\n" + tables_html(memories) +
                    tables_html(summary) + "</div>\n";
  out += html::paragraph(summary.note, "quiet");
  out += html::paragraph(conditions_of(matrix, lines), "quiet");
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
  std::string out = html::boxes_html(machine_boxes(*shown.machine, shown.folder + "/topology.xml", remarks));
  for (const std::string& remark : remarks) out += html::paragraph(remark, "missing");
  return out +
         html::paragraph(
             "A cluster is a group of cores that share their nearest memory nodes. The colour and frame of a "
             "node stand for its kind of memory.",
             "quiet");
}

}  // namespace gable::cli

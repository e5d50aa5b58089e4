#include "cli/report/report.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/lists.hpp"
#include "base/words.hpp"
#include "cli/folder.hpp"
#include "cli/interrupt.hpp"
#include "cli/output_file.hpp"
#include "cli/report/sections.hpp"
#include "cli/show/show.hpp"
#include "cli/text/arguments.hpp"
#include "model/json/lines.hpp"
#include "model/records/records.hpp"
#include "plots/gnuplot/gnuplot.hpp"
#include "plots/html/marks.hpp"
#include "plots/html/tables.hpp"

namespace gable::cli {

namespace {

// A report stays small enough to be sent: beyond this, charts have tables alone.
constexpr std::size_t most_chart_bytes = 3'000'000;

// Reads the folder. Throws Error::usage, Error::format.
ReportContent report_content(const std::string& folder, ReportCharts& figures) {
  ShownFolder shown = read_folder(folder);
  charts::Recorded recorded = roofs_for_charts(shown);
  recorded.hybrid = shown.hybrid;
  recorded.points = shown.points;
  recorded.readings = shown.readings;
  recorded.placed = shown.placed;
  recorded.tiers = shown.tiers;
  recorded.with_tables = true;
  return {std::move(shown),
          std::move(recorded),
          model::read_lines<model::Sample>(file_in(folder, "samples.jsonl")),
          kmaf_records(folder),
          figures,
          {}};
}

}  // namespace

ReportCharts::ReportCharts() : no_gnuplot_(gnuplot::no_gnuplot()) {}

std::string ReportCharts::svg_of(const charts::Chart& chart) {
  if (!no_gnuplot_.empty() || bytes_ > most_chart_bytes) return {};
  if (stop_requested()) throw Error::interrupted("interrupted: the report is as it was");
  const std::string path = folder_.path / "chart.svg";
  gnuplot::draw(html::without_words(chart), "svg", path);
  return read_whole(path);
}

std::string ReportCharts::html_of(const charts::Chart& chart) {
  std::string html = html::figure_html(chart, svg_of(chart), colours_);
  bytes_ += html.size();
  return html;
}

std::string ReportCharts::html_of(const std::vector<charts::Chart>& charts) {
  std::string drawn, reasons;
  std::vector<std::pair<std::string, std::string>> omitted;  // reasons, and the charts that they are of
  for (const charts::Chart& chart : charts) {
    if (chart.omitted.empty()) {
      drawn += html_of(chart);
      continue;
    }
    std::string& names = value_for(omitted, chart.omitted);
    names += (names.empty() ? "" : ", ") + chart.name;
  }
  for (const auto& [reason, names] : omitted)
    reasons += html::paragraph(fmt::format("{} ({}).", capitalized(reason), names), "missing");
  return (drawn.empty() ? "" : "<div class=\"charts\">\n" + drawn + "</div>\n") + reasons;
}

std::string ReportCharts::write(html::Page page, const std::string& command, const std::string& file) const {
  page.foot = fmt::format("Made by gable {}, version {}. This file needs no network and no other file.",
                          command, GABLE_VERSION);
  page.colours = colours_;
  const std::string text = html::page_html(page);
  write_whole(file, text);
  return fmt::format("{} ({})", file, bytes_text(text.size()));
}

void report(const ReportArguments& arguments) {
  const std::string folder = folder_with_output(arguments.folder, arguments.output, "FILE takes the report");
  const std::string output = arguments.output.empty() ? file_in(folder, "report.html") : arguments.output;
  require_output("--output", output);
  stop_requested();
  ReportCharts figures;
  ReportContent content = report_content(folder, figures);
  for (const std::string& machine : arguments.machines) content.machines.push_back(machine_folder(machine));
  html::Page page;
  page.title = content.shown.name;
  page.subtitle = machine_text(content.shown);
  page.top = first_screen_html(content);
  page.sections = report_sections(content);
  fmt::print("{}\n", figures.write(page, "report", output));
}

std::string absent_html(const ReportContent& content, const std::string& sentence,
                        const std::string& command) {
  const std::string opening = "<p class=\"missing\">" + html::escaped(sentence);
  const bool published = content.shown.machine && !content.shown.machine->sources.empty();
  if (published || command.empty()) return opening + "</p>\n";  // only its own machine can be measured
  std::string words = command;
  const std::string folder = shell_quoted(content.shown.folder);
  for (std::size_t at = words.find("DIR"); at != std::string::npos;
       at = words.find("DIR", at + folder.size()))
    words.replace(at, 3, folder);
  return opening + " Command: <code>" + html::escaped(words) + "</code></p>\n";
}

}  // namespace gable::cli

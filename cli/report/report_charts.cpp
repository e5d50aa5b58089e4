#include "cli/report/report_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/whole_file.hpp"
#include "base/words.hpp"
#include "cli/interrupt.hpp"
#include "plots/gnuplot/gnuplot.hpp"
#include "plots/html/figure.hpp"
#include "plots/html/picture.hpp"
#include "plots/html/tables.hpp"

namespace gable::cli {

namespace {

// A report stays small enough to be sent: beyond this, charts have tables alone.
constexpr std::size_t most_chart_bytes = 3'000'000;

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
    const auto same = std::ranges::find(omitted, chart.omitted, &std::pair<std::string, std::string>::first);
    if (same == omitted.end())
      omitted.emplace_back(chart.omitted, chart.name);
    else
      same->second += ", " + chart.name;
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

}  // namespace gable::cli

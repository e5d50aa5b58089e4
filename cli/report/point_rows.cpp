#include "cli/report/sections.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/tables/table.hpp"
#include "base/words.hpp"
#include "cli/point/tables/table.hpp"
#include "cli/predict/elsewhere.hpp"
#include "cli/text/columns.hpp"
#include "model/points/headroom.hpp"
#include "plots/html/tables.hpp"

namespace gable::cli {

namespace {

using model::Point;
using model::Reading;

Cell seconds_cell(const Point& point) {
  return with_interval(point.seconds, point.seconds_lo, point.seconds_hi);
}

Row point_row(const Point& point, const Reading& reading) {
  const bool finite = std::isfinite(reading.flop_per_byte);
  const bool bound = !reading.roof.empty();
  return {point.name,
          point.cluster < 0 ? "all" : std::to_string(point.cluster),
          seconds_cell(point),
          point.flops > 0 && finite ? number(reading.flop_per_byte) : "",
          point.flops > 0 ? number(reading.gflop_per_s) : "",
          finite ? number(reading.gb_per_s) : "",
          reading.roof,
          bound ? percent_text(reading.reached_percent) : "",
          bound ? model::headroom_text(reading) : ""};
}

// "7 runs, recorded 2026-11-25 07:23 UTC"
std::string origin_text(const Point& point) {
  return (point.simulated ? "simulated" : count_text(point.repetitions, "run")) + recorded_clause(point);
}

// What gable point list says of a program besides its figures, line by line.
std::string program_words(const Point& point, const Reading& reading, const std::vector<Point>& all) {
  const model::Verdict& verdict = reading.verdict;
  std::string text;
  if (!verdict.empty()) text += capitalized(verdict.answer) + ".\n";
  if (!verdict.advice.empty()) text += "To do: " + verdict.advice + ".\n";
  text += capitalized(who_text(point)) + "; " + origin_text(point) + ".";
  if (const std::string access = access_text(point); !access.empty())
    text += "\n" + capitalized(access) + ".";
  if (const std::string gain = gain_text(point, all); !gain.empty()) text += "\n" + capitalized(gain) + ".";
  for (const std::string& remark : verdict.remarks) text += "\n" + remark;
  for (const model::Note& note : point.notes) text += "\nNote: " + sentence(note);
  return text;
}

// A point that cannot be predicted gets a message; the rest of the report is written.
std::string html_of_point(const ReportContent& content, const model::Point& point, ProfileFiles& files) {
  ElsewhereArguments arguments;
  arguments.folder = content.shown.folder;
  arguments.point = point.name;
  arguments.machines = content.machines;
  try {
    const ElsewherePage page = elsewhere_page(arguments, files);
    return content.figures.html_of(page.chart) + html::table_html(page.table);
  } catch (const Error& error) {
    if (error.kind == Error::Kind::interrupted) throw;
    return html::paragraph(point.name + ": " + error.what(), "missing");
  }
}

}  // namespace

std::string points_html(const ReportContent& content) {
  const ShownFolder& shown = content.shown;
  if (shown.points.empty())
    return absent_html(content, "No program is on the chart.", "gable point run DIR -- ./program");
  Table table{"Programs under the roofs",
              columns({"program"}, {"cluster", "seconds", "flop/byte", "GFlop/s", "GB/s"}, {"roof"})};
  for (const char* name : {"reached", "headroom"}) table.add_column(name);
  std::vector<std::pair<std::string, std::string>> words;
  for (std::size_t i = 0; i < shown.points.size(); ++i) {
    const Point& point = shown.points[i];
    table.rows.push_back(point_row(point, shown.readings.at(i)));
    words.emplace_back(point.name, program_words(point, shown.readings.at(i), shown.points));
  }
  std::string out = html::table_html(table);
  if (std::ranges::any_of(shown.points, [](const Point& point) { return point.cluster < 0; }))
    out +=
        html::paragraph("GFlop/s and GB/s of a program on all clusters are those of each cluster.", "quiet");
  return out + html::terms_html(words);
}

std::string elsewhere_html(const ReportContent& content) {
  std::string out;
  bool any = false;
  ProfileFiles files;
  for (const model::Point& point : content.shown.points) {
    if (point.profile.empty()) continue;
    any = true;
    if (!content.machines.empty()) out += html_of_point(content, point, files);
  }
  if (!any)
    return absent_html(content, "No point has a profile, which a prediction for another machine needs.",
                       "gable point run DIR -- ./program");
  if (content.machines.empty())
    return absent_html(content, "No other machine was named for the report.",
                       "gable report DIR --on MACHINE");
  return out;
}

}  // namespace gable::cli

#include "cli/report/elsewhere.hpp"

#include "base/error.hpp"
#include "cli/predict/elsewhere.hpp"
#include "plots/html/tables.hpp"

namespace gable::cli {
namespace {

// A point that cannot be predicted gets a message; the rest of the report is written.
std::string html_of_point(const ReportContent& content, const model::Point& point) {
  ElsewhereArguments arguments;
  arguments.folder = content.shown.folder;
  arguments.point = point.name;
  arguments.machines = content.machines;
  try {
    const ElsewherePage page = elsewhere_page(arguments);
    return content.figures.html_of(page.chart) + html::table_html(page.table);
  } catch (const Error& error) {
    if (error.kind == Error::Kind::interrupted) throw;
    return html::paragraph(point.name + ": " + error.what(), "missing");
  }
}

}  // namespace

std::string elsewhere_html(const ReportContent& content) {
  std::string out;
  bool any = false;
  for (const model::Point& point : content.shown.points) {
    if (point.profile.empty()) continue;
    any = true;
    if (!content.machines.empty()) out += html_of_point(content, point);
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

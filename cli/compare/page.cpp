#include "cli/compare/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/tables/table.hpp"
#include "cli/compare/lone.hpp"
#include "cli/compare/tables.hpp"
#include "cli/compare/virt.hpp"
#include "cli/report/report_charts.hpp"
#include "plots/html/tables.hpp"

namespace gable::cli {
namespace {

std::string summary_html(const Compared& compared) {
  std::string sentences;
  for (const std::string& line : summary(compared)) sentences += html::paragraph(line);
  return "<div class=\"meaning\">" + sentences + "</div>\n";
}

std::string differences_html(const Compared& compared) {
  const Table significant = differences_table(compared, false);
  const Table every = differences_table(compared, true);
  if (significant.title == every.title) return html::table_html(every);  // none can be judged: all are shown
  return html::table_html(significant) + html::details_html("Every figure", html::table_html(every));
}

std::string lone_html(const Compared& compared) {
  const Table table = lone_table(compared, true);
  return table.empty() ? html::paragraph("Every figure has a counterpart.") : html::table_html(table);
}

std::string virt_tables_html(const Compared& compared) {
  std::string out;
  for (const Table& table : compared_virt_tables(compared)) out += html::table_html(table);
  return out;
}

}  // namespace

void write_page(const Compared& compared, const std::vector<charts::Chart>& charts, const std::string& file) {
  std::vector<std::string> others;
  for (std::size_t i = 0; i < compared.versus.size(); ++i) others.push_back(compared.other(i).label);
  ReportCharts figures;
  const std::string charts_html = figures.html_of(charts);
  html::Page page;
  page.title = fmt::format("{} beside {}", fmt::join(others, ", "), compared.sides.front().label);
  page.subtitle = fmt::format("Every change is relative to {}.", compared.sides.front().label);
  page.top = summary_html(compared);
  page.sections = {
      {"folders", "What was compared", html::table_html(sides_table(compared))},
      {"differences", "Differences", differences_html(compared)},
      {"rooflines", "Pictures", charts_html},
      {"changes", "What changed", html::table_html(changes_table(compared))},
      {"lone", "Without a counterpart", lone_html(compared)},
  };
  if (const std::string virt = virt_tables_html(compared); !virt.empty())
    page.sections.insert(page.sections.begin() + 2, {"virt", "Virtualization", virt});
  figures.write(page, "compare", file);
}

}  // namespace gable::cli

#include "cli/report/report.hpp"

#include <fmt/format.h>

#include "cli/folder.hpp"
#include "cli/interrupt.hpp"
#include "cli/output_file.hpp"
#include "cli/report/content.hpp"
#include "cli/report/first_screen.hpp"
#include "cli/report/sections.hpp"
#include "cli/show/screen.hpp"
#include "plots/html/page.hpp"

namespace gable::cli {
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

}  // namespace gable::cli

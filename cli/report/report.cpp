#include "cli/report/report.hpp"

#include <fmt/format.h>

#include "base/whole_file.hpp"
#include "base/words.hpp"
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
  ReportFigures figures;
  const ReportContent content = report_content(folder, figures);
  html::Page page;
  page.title = content.shown.name;
  page.subtitle = machine_text(content.shown);
  page.top = first_screen_html(content);
  page.sections = report_sections(content);
  page.foot =
      "Made by gable report, version " GABLE_VERSION ". This file needs no network and no other file.";
  page.colours = figures.colours();
  const std::string text = html::page_html(page);
  write_whole(output, text);
  fmt::print("{} ({})\n", output, bytes_text(text.size()));
}

}  // namespace gable::cli

#include "cli/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/whole_file.hpp"
#include "base/words.hpp"
#include "cli/folder.hpp"
#include "cli/interrupt.hpp"
#include "cli/output_file.hpp"
#include "cli/report/content.hpp"
#include "cli/report/first_screen.hpp"
#include "cli/report/sections.hpp"
#include "cli/show/screen.hpp"
#include "cli/text/when.hpp"
#include "plots/html/page.hpp"

namespace gable::cli {
namespace {

// What gable show says of the machine, and when it was measured.
std::string subtitle_of(const ShownFolder& shown, const std::vector<model::Sample>& samples) {
  const std::string text = machine_text(shown);
  if (samples.empty()) return text;
  const auto [first, last] = std::ranges::minmax(samples, {}, &model::Sample::started);
  return text + (text.empty() ? "measured " : "; measured ") + when_text(first.started, last.started);
}

}  // namespace

void report(const ReportArguments& arguments) {
  const std::string folder = folder_with_output(arguments.folder, arguments.output, "FILE takes the report");
  const std::string output = arguments.output.empty() ? file_in(folder, "report.html") : arguments.output;
  require_output("--output", output);
  stop_requested();
  ReportFigures figures;
  const ReportContent content = report_content(folder, figures);
  html::Page page;
  page.title = content.shown.name;
  page.subtitle = subtitle_of(content.shown, content.samples);
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

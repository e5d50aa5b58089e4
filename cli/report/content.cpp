#include "cli/report/content.hpp"

#include <utility>

#include "cli/folder.hpp"
#include "cli/text/shell_words.hpp"
#include "model/json/samples.hpp"
#include "plots/html/escape.hpp"

namespace gable::cli {

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
          model::read_samples(file_in(folder, "samples.jsonl")),
          kmaf_records(folder),
          figures,
          {}};
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
  return opening + " <code>" + html::escaped(words) + "</code> records it.</p>\n";
}

}  // namespace gable::cli

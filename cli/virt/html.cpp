#include "cli/virt/html.hpp"

#include "cli/folder.hpp"
#include "cli/text/titled_html.hpp"
#include "cli/virt/recorded.hpp"
#include "cli/virt/tables.hpp"
#include "model/json/virt.hpp"

namespace gable::cli {

std::string virt_html(const ReportContent& content) {
  const std::vector<model::VirtSample> samples =
      model::read_virt_samples(file_in(content.shown.folder, "virt.jsonl"));
  if (samples.empty())
    return absent_html(content, "What virtualization costs is not recorded.",
                       "gable measure DIR --only virt");
  const model::VirtSummary summary = model::virt_summary(samples);
  std::string out;
  for (const TitledTable& table : virt_tables(summary, nullptr)) out += titled_html(table);
  return out + content.figures.html_of(charts_of_virt(samples, content.recorded.machine));
}

}  // namespace gable::cli

#include "cli/virt/html.hpp"

#include "cli/folder.hpp"
#include "cli/text/titled_html.hpp"
#include "cli/virt/tables.hpp"
#include "model/json/virt.hpp"
#include "model/virt/scale.hpp"
#include "plots/charts/virt/charts.hpp"
#include "plots/html/tables.hpp"

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
  const std::vector<charts::VirtSide> sides = {{"", &summary}};
  std::vector<charts::Chart> charts = {charts::virt_walks_chart(sides), charts::virt_noise_chart(sides)};
  const std::vector<model::NoiseTrace> traces = model::recorded_traces(samples);
  if (!traces.empty()) {
    const std::vector<int> nodes = {1, 4, 16, 64, 256, 1024, 4096, 16'384, 100'000};
    charts.push_back(charts::scale_chart(
        {{"this noise, 10 ms of computing a step", model::scale(traces, {}, nodes)}}, false));
  }
  return out + content.figures.html_of(charts);
}

}  // namespace gable::cli

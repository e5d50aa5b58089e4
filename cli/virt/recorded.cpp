#include "cli/virt/recorded.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "cli/folder.hpp"
#include "cli/text/shell_words.hpp"
#include "model/json/virt.hpp"
#include "model/virt/paging.hpp"
#include "model/virt/scale.hpp"
#include "plots/charts/virt/charts.hpp"

namespace gable::cli {

std::vector<model::VirtSample> virt_samples_of(const std::string& folder) {
  std::vector<model::VirtSample> samples = model::read_virt_samples(file_in(folder, "virt.jsonl"));
  if (samples.empty())
    throw Error::usage(
        fmt::format("{}: no figures of virtualization are recorded there; `gable measure {} --only virt` on "
                    "that machine adds them",
                    folder, shell_quoted(folder)));
  return samples;
}

void require_kind(const std::vector<model::VirtSample>& samples, const std::string& folder,
                  model::VirtKind kind) {
  const bool has = std::ranges::any_of(samples, [&](const model::VirtSample& sample) {
    return sample.spec.kind == kind && sample.status == model::Status::ok;
  });
  if (has) return;
  throw Error::usage(
      fmt::format("{}: has no cells of {}; `gable measure {} --only virt,{}` on that machine adds them",
                  folder, name_of(kind), shell_quoted(folder), name_of(kind)));
}

void require_native(const model::VirtSummary& summary, const std::string& folder) {
  const auto found = summary.facts.find("hypervisor");
  if (found == summary.facts.end() || model::paging_of(summary, nullptr).kind == model::PagingKind::native)
    return;
  throw Error::usage(
      fmt::format("{}: was recorded in a guest (hypervisor {}), so its page walks and costs are not those of "
                  "the hardware; give a folder that was recorded without a hypervisor",
                  folder, found->second));
}

std::vector<charts::Chart> charts_of_virt(const std::vector<model::VirtSample>& samples,
                                          const std::string& machine, bool column) {
  const model::VirtSummary summary = model::virt_summary(samples);
  const std::vector<charts::VirtSide> sides = {{"", &summary}};
  std::vector<charts::Chart> all = {charts::virt_walks_chart(sides, column),
                                    charts::virt_noise_chart(sides, column)};
  const std::vector<model::NoiseTrace> traces = model::recorded_traces(samples);
  if (!traces.empty()) {
    const std::vector<int> nodes = {1, 4, 16, 64, 256, 1024, 4096, 16'384, 100'000};
    all.push_back(
        charts::scale_chart({{"this noise, 10 ms of computing per step", model::scale(traces, {}, nodes),
                              model::notes_of(samples, model::VirtKind::noise)}},
                            false, column));
  }
  for (charts::Chart& chart : all) chart.title += ", " + machine;
  return all;
}

}  // namespace gable::cli

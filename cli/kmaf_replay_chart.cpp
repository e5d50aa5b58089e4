// The picture of gable kmaf replay: every policy beside the OS (kMAF paper, figures 7 to 11).

#include <fmt/format.h>

#include <algorithm>

#include "cli/kmaf_charts.hpp"

namespace gable::cli {

Chart replay_chart(const ReplayResult& result, const std::string& trace) {
  Chart chart{trace + "-replay",
              "kmaf-replay.gp",
              Table({"policy", "policy_number", "measure", "measure_number", "value", "lo", "hi"}),
              {},
              {}};
  const auto measures = ratios_to_os(result);
  double most = 1;
  for (std::size_t policy = 0; policy < result.policies.size(); ++policy) {
    for (std::size_t measure = 0; measure < measures.size(); ++measure) {
      const auto& figure = measures[measure].of_policy[policy];
      chart.table.add_row();
      chart.table.set("policy", result.policies[policy].name);
      chart.table.set("policy_number", static_cast<double>(policy));
      chart.table.set("measure", measures[measure].name);
      chart.table.set("measure_number", static_cast<double>(measure));
      if (!figure) continue;
      chart.table.set("value", figure->value);
      chart.table.set("lo", figure->lo);
      chart.table.set("hi", figure->hi);
      most = std::max(most, figure->hi);
    }
  }
  const auto policies = static_cast<double>(result.policies.size());
  Canvas{130 + 92 * std::max(policies, 5.0), 440, 76, 24, 104, 64}.tell(chart.variables);
  chart.variables["policies"] = policies;
  chart.variables["measures"] = static_cast<double>(measures.size());
  chart.variables["most"] = 1.08 * most;
  chart.variables["title_text"] = fmt::format("Placement policies, {} replayed on {}", trace, result.machine);
  chart.variables["subtitle_text"] = fmt::format(
      "{} threads, {} runs with 95 % intervals; below 1 is better than the OS", result.threads, result.runs);
  chart.variables["note_text"] =
      std::string("A simulated machine: the order of the policies is what counts, not the absolute times.");
  return chart;
}

}  // namespace gable::cli

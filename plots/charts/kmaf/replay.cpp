// The chart of gable kmaf replay: every policy compared with the OS (kMAF paper, figures 7 to 11).

#include <fmt/format.h>

#include <algorithm>

#include "plots/charts/kmaf/bars.hpp"
#include "plots/charts/kmaf/charts.hpp"

namespace gable::charts {

ReplayRatios ratios_of(const kmaf::ReplayResult& result) {
  ReplayRatios ratios{
      result.name, result.machine, result.threads, result.runs, {}, kmaf::ratios_to_os(result)};
  for (const auto& policy : result.policies) ratios.policies.push_back(policy.name);
  return ratios;
}

Chart replay_chart(const ReplayRatios& result, bool column) {
  const std::string& trace = result.name;
  Chart chart;
  chart.name = trace + "-replay";
  chart.column = column;
  chart.table = Table({"policy", "policy_number", "measure", "measure_number", "value", "lo", "hi"});
  const auto& measures = result.measures;
  double most = 1;
  for (std::size_t policy = 0; policy < result.policies.size(); ++policy) {
    for (std::size_t measure = 0; measure < measures.size(); ++measure) {
      const auto& figure = measures[measure].of_policy[policy];
      chart.table.add_row();
      chart.table.set("policy", result.policies[policy]);
      chart.table.set("policy_number", static_cast<double>(policy));
      chart.table.set("measure", measures[measure].name);
      chart.table.set("measure_number", static_cast<double>(measure));
      if (figure) most = std::max(most, put_figure(chart.table, *figure));
    }
  }
  chart.title = fmt::format("Placement policies, {} replayed on {}", trace, result.machine);
  chart.subtitle = fmt::format("{} threads, {}; below 1 is better than the OS", result.threads,
                               kmaf::runs_text(result.runs));
  chart.note = simulated_note;
  std::vector<BarSeries> series;
  for (std::size_t m = 0; m < measures.size(); ++m) {
    series.push_back({measures[m].name, filled(series_style(m), m), measures[m].of_policy});
  }
  draw_ratios(chart, result.policies, series, 1.08 * most,
              130 + 92 * std::max<double>(static_cast<double>(result.policies.size()), 5));
  return chart;
}

}  // namespace gable::charts

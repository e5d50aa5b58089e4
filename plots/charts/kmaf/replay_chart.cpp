// The picture of gable kmaf replay: every policy beside the OS (kMAF paper, figures 7 to 11).

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "plots/charts/kmaf/charts.hpp"

namespace gable::cli {

Chart replay_chart(const kmaf::ReplayResult& result) {
  const std::string& trace = result.name;
  Chart chart{trace + "-replay",
              "kmaf-replay.gp",
              Table({"policy", "policy_number", "measure", "measure_number", "value", "lo", "hi"}),
              {},
              {}};
  const auto measures = kmaf::ratios_to_os(result);
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
      most = std::max(most, figure->hi);
      if (!figure->has_interval()) continue;
      chart.table.set("lo", figure->lo);
      chart.table.set("hi", figure->hi);
    }
  }
  const auto policies = static_cast<double>(result.policies.size());
  Canvas{130 + 92 * std::max(policies, 5.0), 440, 76, 24, 104, 64}.tell(chart.variables);
  chart.variables["policies"] = policies;
  chart.variables["measures"] = static_cast<double>(measures.size());
  chart.variables["most"] = 1.08 * most;
  chart.variables["title_text"] = fmt::format("Placement policies, {} replayed on {}", trace, result.machine);
  chart.variables["subtitle_text"] = fmt::format("{} threads, {}; below 1 is better than the OS",
                                                 result.threads, kmaf::runs_text(result.runs));
  chart.variables["note_text"] =
      std::string("A simulated machine: the order of the policies is what counts, not the absolute times.");
  return chart;
}

namespace {

std::string file_name(const std::string& measure) {
  std::string name = "programs-" + measure;
  std::replace(name.begin(), name.end(), ' ', '-');
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

// `columns`: of each program and at last of the mean.
Chart program_chart(const std::vector<kmaf::ReplayResult>& programs,
                    const std::vector<kmaf::RatioToOs>& columns) {
  const std::string& measure = columns.front().name;
  Chart chart{file_name(measure),
              "kmaf-programs.gp",
              Table({"program", "program_number", "policy", "policy_number", "value", "lo", "hi"}),
              {},
              {}};
  const auto& policies = programs.front().policies;
  double most = 1;
  for (std::size_t program = 0; program < columns.size(); ++program) {
    // The OS is the line at 1.
    for (std::size_t policy = 1; policy < policies.size(); ++policy) {
      const auto& figure = columns[program].of_policy[policy];
      chart.table.add_row();
      chart.table.set("program", program < programs.size() ? programs[program].name : "mean");
      chart.table.set("program_number", static_cast<double>(program));
      chart.table.set("policy", policies[policy].name);
      chart.table.set("policy_number", static_cast<double>(policy) - 1);
      if (!figure) continue;
      chart.table.set("value", figure->value);
      most = std::max(most, figure->hi);
      if (!figure->has_interval()) continue;
      chart.table.set("lo", figure->lo);
      chart.table.set("hi", figure->hi);
    }
  }
  const auto groups = static_cast<double>(columns.size()), bars = static_cast<double>(policies.size()) - 1;
  std::string names;
  for (std::size_t policy = 1; policy < policies.size(); ++policy)
    names += fmt::format("{}{}", names.empty() ? "" : " ", policies[policy].name);
  Canvas{std::max(760.0, 100 + groups * (10 * bars + 24)), 440, 76, 24, 104, 64}.tell(chart.variables);
  chart.variables["programs"] = groups;
  chart.variables["policies"] = bars;
  chart.variables["policy_names"] = names;
  // Traffic under a bad policy may be many times the OS's: the bar is cut and says how long it would be.
  constexpr double tallest = 2.5;
  chart.variables["most"] = 1.08 * std::min(most, tallest);
  chart.variables["title_text"] =
      fmt::format("{}{} of programs under each policy, replayed on {}",
                  static_cast<char>(std::toupper(static_cast<unsigned char>(measure.front()))),
                  measure.substr(1), programs.front().machine);
  chart.variables["subtitle_text"] = fmt::format("relative to the OS (the line at 1), {}; below is better",
                                                 kmaf::runs_text(programs.front().runs));
  chart.variables["note_text"] =
      std::string("A simulated machine: the order of the policies is what counts, not the absolute times.");
  return chart;
}

}  // namespace

std::vector<Chart> program_charts(const std::vector<kmaf::ReplayResult>& programs) {
  std::vector<std::vector<kmaf::RatioToOs>> of_program;
  for (const kmaf::ReplayResult& program : programs) of_program.push_back(kmaf::ratios_to_os(program));
  of_program.push_back(kmaf::mean_ratios_to_os(programs));
  std::vector<Chart> charts;
  for (std::size_t measure = 0; measure < of_program.front().size(); ++measure) {
    std::vector<kmaf::RatioToOs> columns;
    for (const auto& ratios : of_program) columns.push_back(ratios[measure]);
    charts.push_back(program_chart(programs, columns));
  }
  return charts;
}

}  // namespace gable::cli

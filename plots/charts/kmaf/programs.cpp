// The charts of gable kmaf replay for several programs (kMAF paper, figures 7 to 12).

#include <fmt/format.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "kmaf/replay/result.hpp"
#include "plots/charts/kmaf/charts.hpp"

namespace gable::charts {

namespace {

// The chart of gable kmaf replay: every policy compared with the OS (kMAF paper, figures 7 to 11).

std::string file_name(const std::string& measure) {
  std::string name = "programs-" + lower_case(measure);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

constexpr const char* paper_column = "the paper's";

// The programs' names, then those of the means.
std::vector<std::string> names_of(const std::vector<kmaf::ReplayResult>& programs, std::size_t columns) {
  std::vector<std::string> names = each_of(programs, &kmaf::ReplayResult::name);
  for (const char* const mean : {"mean", paper_column}) {
    if (names.size() < columns) names.emplace_back(mean);
  }
  return names;
}

double width_of(std::size_t groups, std::size_t series) {
  return std::max(760.0, 100 + static_cast<double>(groups) * (10 * static_cast<double>(series) + 24));
}

// `columns`: one for each program, then the mean, and the paper's.
Chart program_chart(const std::vector<kmaf::ReplayResult>& programs,
                    const std::vector<kmaf::RatioToOs>& columns, bool column) {
  const std::vector<std::string> names = names_of(programs, columns.size());
  const std::string& measure = columns.front().name;
  Chart chart;
  chart.name = file_name(measure);
  chart.column = column;
  chart.table = Table({"program", "program_number", "policy", "policy_number", "value", "lo", "hi"});
  const auto& policies = programs.front().policies;
  double most = 1;
  for (std::size_t program = 0; program < columns.size(); ++program) {
    // The OS is the line at 1.
    for (std::size_t policy = 1; policy < policies.size(); ++policy) {
      const auto& figure = columns[program].of_policy[policy];
      chart.table.add(names[program], program, policies[policy].name, static_cast<double>(policy) - 1);
      if (figure) most = std::max(most, put_figure(chart.table, *figure));
    }
  }
  std::vector<BarSeries> series;
  for (std::size_t policy = 1; policy < policies.size(); ++policy) {
    series.push_back({policies[policy].name, policy_style(policies[policy].name, policy - 1), {}});
    for (const kmaf::RatioToOs& ratios : columns) series.back().figures.push_back(ratios.of_policy[policy]);
  }
  chart.title = fmt::format("{} of programs under each policy, replayed on {}", capitalized(measure),
                            programs.front().machine);
  chart.subtitle = fmt::format("relative to the OS (the line at 1), {}; below is better",
                               kmaf::runs_text(programs.front().runs));
  chart.note = simulated_note;
  // Traffic under a bad policy may be many times that of the OS: the bar is cut and labelled with its value.
  constexpr double tallest = 2.5;
  draw_ratios(chart, names, series, 1.08 * std::min(most, tallest), width_of(names.size(), series.size()));
  return chart;
}

// What kMAF spends of the threads' time, by source.
Chart overhead_chart(const std::vector<kmaf::ReplayResult>& programs, std::size_t policy, bool column) {
  constexpr std::pair<const char*, double kmaf::Overhead::*> sources[] = {
      {"page faults", &kmaf::Overhead::faults},
      {"mappings", &kmaf::Overhead::mapping},
      {"moves of pages", &kmaf::Overhead::page_moves},
      {"moves of threads", &kmaf::Overhead::task_moves}};
  Chart chart;
  chart.name = "programs-overhead";
  chart.column = column;
  chart.table = Table({"program", "program_number", "source", "percent"});
  const std::vector<std::string> names = names_of(programs, programs.size() + 2);
  std::vector<BarSeries> series = {{"all", filled(series_style(0), 0), {}}};
  for (const auto& [name, field] : sources)
    series.push_back({name, filled(series_style(series.size()), series.size()), {}});
  std::vector<double> sums(series.size());
  const auto add = [&](std::size_t of, double percent) {
    series[of].figures.push_back(kmaf::Summary{percent, percent, percent, 1});
  };
  for (const kmaf::ReplayResult& program : programs) {
    const kmaf::OutcomeMeans means = kmaf::means_of(program.policies[policy]);
    const double all = means.overhead.sum();
    for (std::size_t i = 0; i < series.size(); ++i) {
      const double part = i == 0 ? all : means.overhead.*sources[i - 1].second;
      add(i, all > 0 ? means.overhead_percent * part / all : 0);
      sums[i] += series[i].figures.back()->value / static_cast<double>(programs.size());
    }
  }
  for (std::size_t i = 0; i < series.size(); ++i) add(i, sums[i]);
  add(0, kmaf::paper_overhead_percent);
  double most = 0;
  for (const BarSeries& each : series) {
    for (std::size_t program = 0; program < each.figures.size(); ++program) {
      chart.table.add(names[program], program, each.name, each.figures[program]->value);
      most = std::max(most, each.figures[program]->value);
    }
  }
  chart.title = fmt::format("Overhead of kMAF, programs replayed on {}", programs.front().machine);
  chart.subtitle = "share of the threads' time; the paper prints only the sum";
  chart.note = simulated_note;
  draw_bars(chart, names, series, "% of the time", 1.08 * most, width_of(names.size(), series.size()));
  return chart;
}

}  // namespace

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
      chart.table.add(result.policies[policy], policy, measures[measure].name, measure);
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

std::vector<Chart> program_charts(const std::vector<kmaf::ReplayResult>& programs, bool with_paper,
                                  bool column) {
  const auto& policies = programs.front().policies;
  std::vector<std::vector<kmaf::RatioToOs>> of_program = each_of(programs, kmaf::ratios_to_os);
  of_program.push_back(kmaf::mean_ratios_to_os(programs));
  std::vector<Chart> charts;
  for (std::size_t measure = 0; measure < of_program.front().size(); ++measure) {
    auto columns = each_of(of_program, [&](const auto& ratios) { return ratios[measure]; });
    if (with_paper) columns.push_back(kmaf::paper_means(columns.front().name, policies));
    charts.push_back(program_chart(programs, columns, column));
  }
  for (std::size_t policy = 0; with_paper && policy < policies.size(); ++policy) {
    if (policies[policy].name == "kmaf") charts.push_back(overhead_chart(programs, policy, column));
  }
  return charts;
}

}  // namespace gable::charts

// The chart of gable kmaf replay: every policy compared with the OS (kMAF paper, figures 7 to 11).

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "plots/charts/kmaf/charts.hpp"
#include "plots/charts/styles.hpp"

namespace gable::charts {

namespace {

constexpr const char* simulated_note =
    "Simulated machine: compare the policies with each other; the absolute times are not realistic.";

// Bars of one colour: a value for each group, if known.
struct BarSeries {
  std::string name;
  Style style;
  std::vector<std::optional<kmaf::Summary>> figures;
};

void add_bars(Panel& panel, const std::vector<BarSeries>& series) {
  const double breadth = 0.84 / static_cast<double>(series.size());
  for (std::size_t s = 0; s < series.size(); ++s) {
    Series bars{series[s].name, Mark::bars, series[s].style, {}, breadth * 0.92};
    Series light{"", Mark::intervals, Style{0xffffff, 3.6}, {}, 1, "", bars.name},
        dark{"", Mark::intervals, Style{ink, 1.4}, {}, 1, "", bars.name};
    for (std::size_t group = 0; group < series[s].figures.size(); ++group) {
      const auto& figure = series[s].figures[group];
      if (!figure) continue;
      const double x = static_cast<double>(group) - 0.42 + (static_cast<double>(s) + 0.5) * breadth;
      const Datum datum{x, std::min(figure->value, panel.y.to), figure->lo, figure->hi};
      bars.data.push_back(datum);
      // A dark line on a white one is visible both on and above black bars.
      if (!figure->has_interval() || figure->lo > panel.y.to) continue;
      light.data.push_back(datum);
      dark.data.push_back(datum);
    }
    for (Series* each : {&bars, &light, &dark}) panel.series.push_back(std::move(*each));
  }
}

// A bar that is cut at the axis gets its value as a label.
void add_cut_figures(Chart& chart, const Panel& panel, const std::vector<BarSeries>& series) {
  const double breadth = 0.84 / static_cast<double>(series.size());
  for (std::size_t s = 0; s < series.size(); ++s) {
    for (std::size_t group = 0; group < series[s].figures.size(); ++group) {
      const auto& figure = series[s].figures[group];
      if (!figure || figure->value <= panel.y.to) continue;
      const double x = static_cast<double>(group) - 0.42 + (static_cast<double>(s) + 0.5) * breadth;
      chart.labels.push_back({fmt::format("{:.1f}", figure->value), panel.page_x(x), panel.area.top + 16,
                              Align::center, ink, 9, true, true});
    }
  }
}

// Whether the names fit beside each other below the axis.
bool fit(const std::vector<std::string>& groups, double width) {
  const double room = width / static_cast<double>(groups.size());
  return std::ranges::all_of(groups, [&](const std::string& name) { return text_width(name) < room - 4; });
}

// Groups of bars and the line at 1.
void draw_bars(Chart& chart, const std::vector<std::string>& groups, const std::vector<BarSeries>& series,
               double most, double width) {
  chart.width = chart.column ? column_page : width;
  chart.height = 104 + 272 + 40;
  for (const BarSeries& each : series) chart.legend.push_back({each.name, Mark::bars, each.style});
  const int rows = lay_out_legend(chart, 76, 76, chart.width - 76);
  make_room_for_texts(chart);
  Panel panel;
  panel.area = {76, 96.0 + (rows - 1) * legend_row, chart.width - 100, 280};
  chart.height += (rows - 1) * legend_row;
  panel.x = {"", -0.55, static_cast<double>(groups.size()) - 0.45, Scale::linear, std::vector<Tick>()};
  panel.x.grid = Grid::none;
  const bool alternate = chart.column && !fit(groups, panel.area.width);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const bool is_lower = alternate && i % 2 == 1;
    const auto at = static_cast<double>(i);
    panel.x.ticks->push_back({at, is_lower ? "" : groups[i]});
    if (is_lower)
      chart.labels.push_back(
          {groups[i], panel.page_x(at), panel.area.top + panel.area.height + 38, Align::center, 0x444444});
  }
  if (alternate) chart.height += line_height;
  panel.y = {"relative to the OS", 0, most};
  add_bars(panel, series);
  panel.series.push_back({"the OS", Mark::line, Style{ink, 1}, {{panel.x.from, 1}, {panel.x.to, 1}}});
  add_cut_figures(chart, panel, series);
  chart.panels.push_back(std::move(panel));
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
      chart.table.add_row();
      chart.table.set("policy", result.policies[policy]);
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
  chart.title = fmt::format("Placement policies, {} replayed on {}", trace, result.machine);
  chart.subtitle = fmt::format("{} threads, {}; below 1 is better than the OS", result.threads,
                               kmaf::runs_text(result.runs));
  chart.note = simulated_note;
  std::vector<BarSeries> series;
  for (std::size_t m = 0; m < measures.size(); ++m) {
    series.push_back({measures[m].name, filled(series_style(m), m), measures[m].of_policy});
  }
  draw_bars(chart, result.policies, series, 1.08 * most,
            130 + 92 * std::max<double>(static_cast<double>(result.policies.size()), 5));
  return chart;
}

namespace {

std::string file_name(const std::string& measure) {
  std::string name = "programs-" + measure;
  std::replace(name.begin(), name.end(), ' ', '-');
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

// `columns`: one for each program, then the mean.
Chart program_chart(const std::vector<kmaf::ReplayResult>& programs,
                    const std::vector<kmaf::RatioToOs>& columns, bool column) {
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
  std::vector<std::string> names;
  for (std::size_t program = 0; program < columns.size(); ++program)
    names.push_back(program < programs.size() ? programs[program].name : "mean");
  std::vector<BarSeries> series;
  for (std::size_t policy = 1; policy < policies.size(); ++policy) {
    series.push_back({policies[policy].name, policy_style(policies[policy].name, policy - 1), {}});
    for (const kmaf::RatioToOs& ratios : columns) series.back().figures.push_back(ratios.of_policy[policy]);
  }
  chart.title = fmt::format("{}{} of programs under each policy, replayed on {}",
                            static_cast<char>(std::toupper(static_cast<unsigned char>(measure.front()))),
                            measure.substr(1), programs.front().machine);
  chart.subtitle = fmt::format("relative to the OS (the line at 1), {}; below is better",
                               kmaf::runs_text(programs.front().runs));
  chart.note = simulated_note;
  // Traffic under a bad policy may be many times that of the OS: the bar is cut and labelled with its value.
  constexpr double tallest = 2.5;
  const double room = 10 * static_cast<double>(series.size()) + 24;
  draw_bars(chart, names, series, 1.08 * std::min(most, tallest),
            std::max(760.0, 100 + static_cast<double>(names.size()) * room));
  return chart;
}

}  // namespace

std::vector<Chart> program_charts(const std::vector<kmaf::ReplayResult>& programs, bool column) {
  std::vector<std::vector<kmaf::RatioToOs>> of_program;
  for (const kmaf::ReplayResult& program : programs) of_program.push_back(kmaf::ratios_to_os(program));
  of_program.push_back(kmaf::mean_ratios_to_os(programs));
  std::vector<Chart> charts;
  for (std::size_t measure = 0; measure < of_program.front().size(); ++measure) {
    std::vector<kmaf::RatioToOs> columns;
    for (const auto& ratios : of_program) columns.push_back(ratios[measure]);
    charts.push_back(program_chart(programs, columns, column));
  }
  return charts;
}

}  // namespace gable::charts

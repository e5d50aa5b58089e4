// The pictures of gable kmaf metrics.

#include <fmt/format.h>

#include <algorithm>

#include "plots/charts/kmaf/charts.hpp"
#include "plots/charts/parts.hpp"
#include "plots/charts/recorded.hpp"
#include "plots/charts/styles.hpp"

namespace gable::charts {

namespace {

Axis thread_axis(std::size_t threads) {
  Axis axis = places_axis(static_cast<double>(threads), "thread");
  std::size_t step = 1;
  for (const auto& [most, wider] :
       {std::pair<std::size_t, std::size_t>{8, 2}, {16, 5}, {40, 10}, {80, 20}, {200, 50}})
    step = threads > most ? wider : step;
  for (std::size_t i = 0; i < threads; i += step)
    axis.ticks->push_back({static_cast<double>(i), std::to_string(i)});
  return axis;
}

Chart matrix_chart(const kmaf::AffinityFigures& metrics, const std::string& trace, bool column) {
  Chart chart;
  chart.column = column;
  chart.name = trace + "-sharing";
  chart.table = Table({"thread", "other", "accesses"});
  const kmaf::SharingMatrix& matrix = metrics.matrix;
  double most = 0;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix.size(); ++j) {
      chart.table.add(i, j, matrix[i][j]);
      most = std::max(most, matrix[i][j]);
    }
  }
  if (matrix.size() < 2) chart.omitted = "one thread: nothing is shared";
  chart.title = "Sharing between threads, " + trace;
  chart.subtitle = fmt::format("heterogeneity {:.3g}, amount {:.3g}; 64-byte lines",
                               kmaf::heterogeneity(matrix), kmaf::sharing_amount(matrix));
  chart.note =
      fmt::format("Darker: more shared accesses, up to {:.3g}. Threads in order of first appearance.", most);
  chart.width = column ? column_page : 520;
  chart.height = 84 + 360 + axis_room;
  Panel panel;
  panel.area = {76, 84, chart.width - 120, 360};
  panel.frame = Frame::box;
  panel.x = panel.y = thread_axis(matrix.size());
  Series cells{"shared accesses", Mark::cells, Style{0x000000}, {}};
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix.size(); ++j)
      cells.data.push_back(
          {static_cast<double>(i), static_cast<double>(j), matrix[i][j] / std::max(most, 1.0)});
  }
  panel.series.push_back(std::move(cells));
  chart.panels.push_back(std::move(panel));
  return chart;
}

Chart exclusivity_chart(const kmaf::AffinityFigures& metrics, bool has_nodes, const std::string& trace,
                        bool column) {
  const std::string name = trace + "-exclusivity";
  if (!has_nodes) return omitted_chart(name, "--thread-nodes does not say which node each thread runs on");
  Chart chart;
  chart.name = name;
  chart.column = column;
  chart.table = Table({"exclusivity_percent", "pages_4k", "pages_percent_4k", "accesses_percent_4k",
                       "pages_2m", "pages_percent_2m", "accesses_percent_2m"});
  Series bars[2], points[2];
  const auto &small = metrics.small.groups, &large = metrics.large.groups;
  const auto total = [](const auto& groups, auto member) {
    double sum = 0;
    for (const auto& group : groups) sum += static_cast<double>(group.*member);
    return sum;
  };
  using Group = kmaf::PageGroup;
  for (std::size_t i = 0; i < small.size(); ++i) {
    chart.table.add_row();
    chart.table.set("exclusivity_percent", 10 * static_cast<double>(i));
    const auto add = [&](const char* size, const auto& groups, std::size_t series) {
      const auto pages = static_cast<double>(groups[i].pages);
      const double pages_percent = 100 * pages / total(groups, &Group::pages);
      const double accesses_percent =
          100 * static_cast<double>(groups[i].accesses) / total(groups, &Group::accesses);
      chart.table.set(fmt::format("pages_{}", size), pages);
      chart.table.set(fmt::format("pages_percent_{}", size), pages_percent);
      chart.table.set(fmt::format("accesses_percent_{}", size), accesses_percent);
      const double x = 10 * static_cast<double>(i) + (series == 0 ? -1.9 : 1.9);
      bars[series].data.push_back({x, pages_percent});
      points[series].data.push_back({x, accesses_percent});
    };
    add("4k", small, 0);
    add("2m", large, 1);
  }
  chart.title = "Exclusivity of pages, " + trace;
  chart.subtitle =
      fmt::format("on average {:.1f} % of the accesses to a 4 KiB page are from one node, {:.1f} % at 2 MiB",
                  100 * metrics.small.exclusivity, 100 * metrics.large.exclusivity);
  chart.note = "Bars: share of the pages. Points: share of the accesses.";
  chart.width = column ? column_page : 620;
  chart.height = 100 + 260 + axis_room;
  Panel panel;
  panel.area = {84, 100, chart.width - 108, 260};
  panel.x = {{"accesses from the node with the most", "%"}, -6, 106, Scale::linear, std::vector<Tick>()};
  panel.x.grid = Grid::none;
  for (int at = 0; at <= 100; at += column ? 20 : 10)
    panel.x.ticks->push_back({static_cast<double>(at), std::to_string(at)});
  panel.y = {{"share", "%"}, 0, 105};
  for (std::size_t i = 0; i < 2; ++i) {
    bars[i].name = i == 0 ? "4 KiB pages" : "2 MiB pages";
    bars[i].mark = Mark::bars;
    bars[i].breadth = 3.6;
    bars[i].style = series_style(i);
    bars[i].style.hatched = i == 1;
    points[i].name = bars[i].name + ", accesses";
    points[i].mark = Mark::points;
    chart.legend.push_back({bars[i].name, Mark::bars, bars[i].style});
  }
  lay_out_legend(chart, 84, 76, 500);
  for (Series* series : {&bars[0], &bars[1], &points[0], &points[1]})
    panel.series.push_back(std::move(*series));
  chart.panels.push_back(std::move(panel));
  return chart;
}

}  // namespace

std::vector<Chart> metrics_charts(const kmaf::AffinityFigures& metrics, bool has_nodes,
                                  const std::string& trace, bool column) {
  return {matrix_chart(metrics, trace, column), exclusivity_chart(metrics, has_nodes, trace, column)};
}

}  // namespace gable::charts

// The pictures of gable kmaf metrics.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plots/charts/kmaf/charts.hpp"
#include "plots/charts/text.hpp"

namespace gable::cli {

namespace {

Chart matrix_chart(const kmaf::Metrics& metrics, const std::string& trace) {
  Chart chart{trace + "-sharing", "kmaf-sharing.gp", Table({"thread", "other", "accesses"}), {}, {}};
  const auto matrix = metrics.matrix();
  double most = 0;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix.size(); ++j) {
      chart.table.add_row();
      chart.table.set("thread", static_cast<double>(i));
      chart.table.set("other", static_cast<double>(j));
      chart.table.set("accesses", matrix[i][j]);
      most = std::max(most, matrix[i][j]);
    }
  }
  if (matrix.size() < 2) chart.omitted = "one thread shares with nobody";
  Canvas{520, 532, 76, 44, 84, 88}.tell(chart.variables);
  chart.variables["threads"] = static_cast<double>(matrix.size());
  chart.variables["most"] = std::max(most, 1.0);
  chart.variables["title_text"] = "Sharing between threads, " + trace;
  chart.variables["subtitle_text"] = fmt::format("heterogeneity {:.3g}, amount {:.3g}; 64-byte lines",
                                                 kmaf::heterogeneity(matrix), kmaf::sharing_amount(matrix));
  chart.variables["note_text"] =
      fmt::format("Darker: more shared accesses, up to {:.3g}. Threads in order of first appearance.", most);
  return chart;
}

Chart exclusivity_chart(const kmaf::Metrics& metrics, bool has_nodes, const std::string& trace) {
  Chart chart{trace + "-exclusivity",
              "kmaf-exclusivity.gp",
              Table({"exclusivity_percent", "pages_4k", "pages_percent_4k", "accesses_percent_4k", "pages_2m",
                     "pages_percent_2m", "accesses_percent_2m"}),
              {},
              {}};
  if (!has_nodes) {
    chart.omitted = "--thread-nodes does not say which node each thread runs on";
    return chart;
  }
  const auto small = metrics.pages_4k().groups(), large = metrics.pages_2m().groups();
  const auto total = [](const auto& groups, auto member) {
    double sum = 0;
    for (const auto& group : groups) sum += static_cast<double>(group.*member);
    return sum;
  };
  using Group = kmaf::PageUse::Group;
  for (std::size_t i = 0; i < small.size(); ++i) {
    chart.table.add_row();
    chart.table.set("exclusivity_percent", 10 * static_cast<double>(i));
    const auto add = [&](const char* size, const auto& groups) {
      const auto pages = static_cast<double>(groups[i].pages);
      chart.table.set(fmt::format("pages_{}", size), pages);
      chart.table.set(fmt::format("pages_percent_{}", size), 100 * pages / total(groups, &Group::pages));
      chart.table.set(fmt::format("accesses_percent_{}", size),
                      100 * static_cast<double>(groups[i].accesses) / total(groups, &Group::accesses));
    };
    add("4k", small);
    add("2m", large);
  }
  const auto percent = [](const kmaf::PageUse& use) { return 100 * use.average_exclusivity(); };
  Canvas{620, 436, 84, 24, 84, 92}.tell(chart.variables);
  chart.variables["title_text"] = "Exclusivity of pages, " + trace;
  chart.variables["subtitle_text"] =
      fmt::format("on average {:.1f} % of the accesses to a 4 KiB page are from one node, {:.1f} % at 2 MiB",
                  percent(metrics.pages_4k()), percent(metrics.pages_2m()));
  chart.variables["note_text"] = std::string("Bars: share of the pages. Points: share of the accesses.");
  return chart;
}

}  // namespace

std::vector<Chart> metrics_charts(const kmaf::Metrics& metrics, bool has_nodes, const std::string& trace) {
  return {matrix_chart(metrics, trace), exclusivity_chart(metrics, has_nodes, trace)};
}

}  // namespace gable::cli

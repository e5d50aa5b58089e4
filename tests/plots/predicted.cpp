// Bars of predicted times.

#include "plots/charts/charts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace gable::charts;
using gable::model::Forecast;
using gable::model::Status;

Forecast time_of(double seconds, const std::vector<Forecast::Share>& binds) {
  Forecast made;
  made.seconds = seconds;
  made.lo = seconds / 2;
  made.hi = 2 * seconds;
  made.binds = binds;
  return made;
}

struct Length {
  double from = 0, to = 0;
};

// The part of the bar in this row that a series of this name fills.
Length part_of(const Chart& chart, const std::string& name, double row) {
  for (const Series& series : chart.panels.front().series) {
    if (series.mark != Mark::area || series.name != name || series.data.front().y > row ||
        series.data.back().y < row)
      continue;
    const auto [least, most] = std::ranges::minmax(series.data, {}, &Datum::x);
    return {least.x, most.x};
  }
  return {};
}

TEST(PredictedTimes, ABarIsDividedByWhatBinds) {
  const Forecast slow = time_of(2, {{"local memory", 1.5}, {"arithmetic", 0.48}, {"L3", 0.02}});
  const Forecast fast = time_of(0.5, {{"arithmetic", 0.4}, {"local memory", 0.1}});
  Forecast none;
  none.status = Status::skipped;
  none.reason = "it has no bandwidth of memory";
  const Chart chart =
      predicted_times_chart("app", {{"a", &slow}, {"b", &fast}, {"c", &none}}, MeasuredTime{"a", 1.9});
  ASSERT_EQ(chart.panels.size(), 1u);
  const Panel& panel = chart.panels.front();
  EXPECT_EQ(panel.x.title.text(), "time (s)");
  EXPECT_GE(panel.x.to, 4) << "the longest interval";
  // In the same order in each bar, without gaps, up to the time; what cannot be seen counts as others.
  const Length arithmetic = part_of(chart, "arithmetic", 0), memory = part_of(chart, "local memory", 0),
               others = part_of(chart, "others", 0);
  EXPECT_EQ(arithmetic.from, 0);
  EXPECT_DOUBLE_EQ(arithmetic.to, 0.48);
  EXPECT_DOUBLE_EQ(memory.from, 0.48);
  EXPECT_DOUBLE_EQ(memory.to, 1.98);
  EXPECT_DOUBLE_EQ(others.to, 2);
  EXPECT_DOUBLE_EQ(part_of(chart, "arithmetic", 1).to, 0.4);
  EXPECT_DOUBLE_EQ(part_of(chart, "local memory", 1).to, 0.5);
  EXPECT_EQ(part_of(chart, "arithmetic", 2).to, 0);
  const auto interval = std::ranges::find(panel.series, Mark::intervals_across, &Series::mark);
  ASSERT_NE(interval, panel.series.end());
  EXPECT_EQ(interval->data.front().lo, 1);
  EXPECT_EQ(interval->data.front().hi, 4);
  const auto says = [&](const char* words) {
    return std::ranges::any_of(chart.labels,
                               [&](const Label& label) { return label.text.starts_with(words); });
  };
  EXPECT_TRUE(says("2 s"));
  EXPECT_TRUE(says("500 ms"));
  EXPECT_TRUE(says("not predicted: it has no bandwidth"));
  const auto measured = std::ranges::find(panel.series, Mark::line, &Series::mark);
  ASSERT_NE(measured, panel.series.end());
  EXPECT_EQ(measured->data.front().x, 1.9);
  EXPECT_EQ(chart.legend.size(), 4u);
}

// An interval of many times the longest time does not make the bars unreadable.
TEST(PredictedTimes, AWideIntervalEndsAtTheFrame) {
  Forecast wide = time_of(0.001, {{"local memory", 0.001}});
  wide.hi = 0.02;
  const Chart chart = predicted_times_chart("app", {{"a", &wide}}, std::nullopt);
  EXPECT_EQ(chart.panels.front().x.title.text(), "time (ms)");
  EXPECT_LT(chart.panels.front().x.to, 4);
  EXPECT_NE(chart.note.find("end beyond it"), std::string::npos);
}

TEST(PredictedTimes, WithoutATimeThereIsNoChart) {
  Forecast none;
  none.status = Status::skipped;
  EXPECT_FALSE(predicted_times_chart("app", {{"a", &none}}, std::nullopt).omitted.empty());
}

}  // namespace

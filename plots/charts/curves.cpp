// Curves: bandwidth and latency against the working set, latency against load. A series is a run of rows with
// the same number in `series`; its last row carries the label that stands beside the end of the curve.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/labels.hpp"
#include "plots/charts/text.hpp"

namespace gable::cli {

using model::Roof;
using model::Status;

namespace {

struct Series {
  std::string name;
  std::vector<Roof> points;
};

std::vector<Series> series_of(const std::vector<Roof>& roofs, std::string (*name)(const model::Case&)) {
  std::vector<Series> all;
  for (const Roof& roof : roofs) {
    if (roof.status != Status::ok) continue;
    const std::string wanted = name(roof.asked);
    auto found = std::find_if(all.begin(), all.end(), [&](const Series& s) { return s.name == wanted; });
    if (found == all.end()) found = all.insert(all.end(), Series{wanted, {}});
    found->points.push_back(roof);
  }
  return all;
}

std::vector<Roof> select(const std::vector<Roof>& roofs, int cluster, const std::string& kind) {
  std::vector<Roof> found;
  for (const Roof& roof : roofs) {
    if (roof.asked.cluster == cluster && roof.asked.kind == kind) found.push_back(roof);
  }
  return found;
}

std::vector<std::string> curve_columns() {
  std::vector<std::string> columns = roof_columns();
  for (const char* more : {"load_percent", "series", "label", "label_y"}) columns.push_back(more);
  return columns;
}

double label_column(const std::vector<Series>& all) {
  double widest = 0;
  for (const Series& series : all) widest = std::max(widest, text_width(series.name));
  return widest + 40;
}

// Adds the rows of all series; label heights are spread over a panel of `height` points between lo and hi.
void add_series(Table& table, const std::vector<Series>& all, int first_number, double height, double lo,
                double hi, bool log_scale) {
  const auto scaled = [&](double value) { return log_scale ? std::log2(value) : value; };
  const double gap = line_height * (scaled(hi) - scaled(lo)) / height;
  std::vector<double> wanted;
  for (const Series& series : all) wanted.push_back(scaled(series.points.back().value));
  const auto placed = spread(wanted, gap, scaled(lo) + gap / 2, scaled(hi) - gap / 2);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const Roof& point : all[i].points) {
      table.add_row();
      set_roof(table, point);
      table.set("load_percent", point.asked.load_percent);
      table.set("series", first_number + static_cast<double>(i));
    }
    table.set("label", all[i].name);
    table.set("label_y", log_scale ? std::exp2(placed[i]) : placed[i]);
  }
}

std::string ladder_name(const model::Case& asked) {
  return (asked.kind == "latency" ? "latency" : asked.kernel) + pages_clause(asked);
}

std::string loaded_name(const model::Case& asked) {
  return target_text(asked) + pages_clause(asked);
}

struct Range {
  double lo = 0, hi = 0;
};

// Powers of two round the values, half an octave away at least.
Range octaves(const std::vector<Series>& all) {
  Range range;
  for (const Series& series : all) {
    for (const Roof& point : series.points) {
      if (range.hi == 0 || point.value < range.lo) range.lo = point.value;
      range.hi = std::max(range.hi, point.value);
    }
  }
  if (range.hi == 0) return {1, 2};
  return {std::exp2(std::floor(std::log2(range.lo) - 0.5)), std::exp2(std::ceil(std::log2(range.hi) + 0.5))};
}

std::string level_note(const model::CacheLevel& level) {
  const std::string claimed = fmt::format("{} {}", level.level, bytes_text(level.claimed_bytes));
  if (level.confirmed) return claimed + " confirmed";
  if (level.measured_bytes == 0) return claimed + " claimed, not seen";
  return fmt::format("{} claimed, {} measured", claimed, bytes_text(level.measured_bytes));
}

// One row for each cache level that the topology claims, with the place of its label on the log2 axis of
// bytes.
std::string add_levels(Table& table, const Recorded& recorded, int cluster, double width, double lo,
                       double hi) {
  const double per_point = (hi - lo) / width;
  std::vector<const model::CacheLevel*> levels;
  std::vector<double> wanted;
  std::string notes;
  for (const model::CacheLevel& level : recorded.roofs.levels) {
    if (level.cluster != cluster || level.claimed_bytes == 0) continue;
    levels.push_back(&level);
    wanted.push_back(std::log2(static_cast<double>(level.claimed_bytes)));
    notes += (notes.empty() ? "Caches: " : "; ") + level_note(level);
  }
  const auto placed = spread(wanted, 90 * per_point, lo, hi - 90 * per_point);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    table.add_row();
    table.set("cluster", cluster);
    table.set("kind", "cache");
    table.set("level", levels[i]->level);
    table.set("bytes", static_cast<double>(levels[i]->claimed_bytes));
    table.set("measured_bytes", static_cast<double>(levels[i]->measured_bytes));
    table.set("confirmed", levels[i]->confirmed ? "yes" : "no");
    table.set("reason", levels[i]->remark);
    table.set("label", fmt::format("{} {}", levels[i]->level, bytes_text(levels[i]->claimed_bytes)));
    table.set("label_bytes", std::exp2(placed[i]));
  }
  return notes;
}

}  // namespace

Chart ladder_chart(const Recorded& recorded, int cluster) {
  Chart chart{fmt::format("ladder-{}", cluster), "ladder.gp", Table({}), {}, {}};
  auto bandwidth = series_of(select(recorded.roofs.ladder, cluster, "bandwidth"), ladder_name);
  auto latency = series_of(select(recorded.roofs.ladder, cluster, "latency"), ladder_name);
  double least = 0, most = 0;
  std::vector<Roof> drawn;
  for (auto* all : {&bandwidth, &latency}) {
    for (Series& series : *all) {
      std::stable_sort(series.points.begin(), series.points.end(),
                       [](const Roof& a, const Roof& b) { return a.asked.bytes < b.asked.bytes; });
      const double first = std::log2(static_cast<double>(series.points.front().asked.bytes));
      const double last = std::log2(static_cast<double>(series.points.back().asked.bytes));
      least = drawn.empty() ? first : std::min(least, first);
      most = std::max(most, last);
      drawn.push_back(series.points.front());
    }
  }
  if (drawn.empty()) {
    chart.omitted = recorded.roofs.ladder.empty()
                        ? "no working-set ladder was measured"
                        : "no step of the working-set ladder is valid; see `gable fit`";
    return chart;
  }
  std::vector<std::string> columns = curve_columns();
  for (const char* more : {"measured_bytes", "confirmed", "label_bytes"}) columns.push_back(more);
  chart.table = Table(columns);

  constexpr double panel_width = 760, panel_height = 300;
  least = std::floor(least);
  most = std::max(std::ceil(most), least + 1);
  const double right = std::max(label_column(bandwidth), label_column(latency));
  const Canvas canvas{80 + panel_width + right, 84 + 2 * panel_height + 16 + 92, 80, right, 84, 92};
  const Range high = octaves(bandwidth), low = octaves(latency);
  add_series(chart.table, bandwidth, 0, panel_height, high.lo, high.hi, true);
  add_series(chart.table, latency, 10, panel_height, low.lo, low.hi, true);
  const std::string note = add_levels(chart.table, recorded, cluster, panel_width, least, most);
  chart.variables["note_text"] = note;
  chart.variables["caches"] = note.empty() ? 0.0 : 1.0;

  set_titles(
      chart.variables, recorded, "Working-set ladder", cluster,
      drawn.front().asked.threads == 1 ? "1 thread" : fmt::format("{} threads", drawn.front().asked.threads));
  canvas.tell(chart.variables);
  chart.variables["octave_from"] = least;
  chart.variables["octave_to"] = most;
  chart.variables["bandwidth_from"] = high.lo;
  chart.variables["bandwidth_to"] = high.hi;
  chart.variables["latency_from"] = low.lo;
  chart.variables["latency_to"] = low.hi;
  chart.variables["bandwidths"] = static_cast<double>(bandwidth.size());
  chart.variables["latencies"] = static_cast<double>(latency.size());
  return chart;
}

Chart loaded_latency_chart(const Recorded& recorded, int cluster) {
  Chart chart{fmt::format("loaded-latency-{}", cluster), "loaded-latency.gp", Table({}), {}, {}};
  const auto measured = select(recorded.roofs.roofs, cluster, "loaded_latency");
  auto all = series_of(measured, loaded_name);
  if (all.empty()) {
    chart.omitted = measured.empty() ? "no loaded latency was measured" : measured.front().reason;
    return chart;
  }
  double most_ns = 0, most_load = 0;
  for (Series& series : all) {
    std::stable_sort(series.points.begin(), series.points.end(), [](const Roof& a, const Roof& b) {
      return a.asked.load_percent < b.asked.load_percent;  // more demand can reach less: the curve turns back
    });
    const Roof& first = series.points.front();
    if (first.asked.load_percent == 0) series.name += fmt::format(": idle {} ns", three_digits(first.value));
    for (const Roof& point : series.points) {
      most_ns = std::max(most_ns, point.hi);
      most_load = std::max(most_load, point.load_gb_per_s);
    }
  }
  constexpr double panel_width = 680;
  const double height = std::max(460.0, line_height * static_cast<double>(all.size() + 2));
  const double right = label_column(all);
  const Canvas canvas{80 + panel_width + right, 84 + height + 92, 80, right, 84, 92};
  chart.table = Table(curve_columns());
  add_series(chart.table, all, 0, height, 0, most_ns * 1.12, false);
  set_titles(chart.variables, recorded, "Loaded latency", cluster,
             conditions_text({all.front().points.front()}));
  canvas.tell(chart.variables);
  chart.variables["series"] = static_cast<double>(all.size());
  chart.variables["most_ns"] = most_ns * 1.12;
  chart.variables["most_load"] = std::max(most_load, 1.0) * 1.04;
  chart.variables["note_text"] = interval_note("Error bars", measured, false) + " Dashed: idle latency.";
  return chart;
}

}  // namespace gable::cli

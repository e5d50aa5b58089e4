#include "plots/charts/larm/roof_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/sorting.hpp"
#include "plots/charts/larm/labels.hpp"
#include "plots/charts/larm/mix_roofs.hpp"
#include "plots/charts/recorded.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

namespace {

using model::Roof;
using model::Status;

constexpr double usual_step = 16;   // between bars, in points
constexpr double most_room = 0.4;   // of the roofs' width
constexpr double least_height = 8;  // in points: smaller intervals look better as bands, even if they overlap

// Roofs whose intervals overlap, directly or through others; by value, the largest first.
std::vector<std::vector<std::size_t>> overlapping(const std::vector<Roof>& roofs,
                                                  std::vector<std::size_t> of) {
  sort_by(of, [&](std::size_t i) { return roofs[i].lo; });
  std::vector<std::vector<std::size_t>> groups;
  double reach = 0;
  for (const std::size_t i : of) {
    if (groups.empty() || roofs[i].lo > reach) groups.emplace_back();
    reach = groups.back().empty() ? roofs[i].hi : std::max(reach, roofs[i].hi);
    groups.back().push_back(i);
  }
  for (auto& group : groups) sort_down_by(group, [&](std::size_t i) { return roofs[i].value; });
  return groups;
}

bool is_oblique(const Roof& roof) {
  return roof.status == model::Status::ok && !is_peak(roof.spec.kind) && roof.lo < roof.hi &&
         !has_wide_interval(roof) && !is_between_bounds(roof);
}

bool is_peak(const Roof& roof) {
  return is_peak(roof.spec.kind);
}

bool is_under_same_roof(const model::Case& a, const model::Case& b) {
  return a.cluster == b.cluster && a.level == b.level && a.pattern == b.pattern && a.node == b.node &&
         a.tier == b.tier;
}

// What programs attain under each roof: a thin line through its ok points.
void add_attainable(Panel& panel, const std::vector<Roof>& points) {
  const Roof* before = nullptr;
  for (const Roof& point : points) {
    if (point.status != Status::ok) continue;
    if (before == nullptr || !is_under_same_roof(before->spec, point.spec)) {
      Style thin = roof_style(point.spec);
      thin.width = 0.7;
      panel.series.push_back({"attainable", Mark::line, thin, {}});
    }
    panel.series.back().data.push_back({point.spec.flop_per_byte, point.value});
    before = &point;
  }
}

}  // namespace

std::vector<std::optional<double>> bar_places(const std::vector<Roof>& roofs, const LarmFrame& frame) {
  std::vector<std::optional<double>> places(roofs.size());
  std::vector<std::size_t> oblique;
  for (std::size_t i = 0; i < roofs.size(); ++i) {
    if (is_oblique(roofs[i])) oblique.push_back(i);
  }
  const double octaves = frame.x_to - frame.x_from;
  const double points_per_octave = frame.area.height / (frame.y_to - frame.y_from);
  for (const auto& group : overlapping(roofs, oblique)) {
    const auto wide = [&](std::size_t i) { return points_per_octave * std::log2(roofs[i].hi / roofs[i].lo); };
    const auto visible = std::ranges::count_if(group, [&](std::size_t i) { return wide(i) >= least_height; });
    if (visible < 2) continue;
    const double step = std::min(usual_step * octaves / frame.roof_width,
                                 most_room * octaves / static_cast<double>(group.size()));
    for (std::size_t k = 0; k < group.size(); ++k)
      places[group[k]] = frame.x_from + step * static_cast<double>(k + 1);
  }
  return places;
}

std::vector<Line> lines_of(const std::vector<Roof>& roofs, const LarmFrame& frame, const Extremes& bandwidth,
                           const Extremes& peak) {
  std::vector<Line> lines;
  for (const Roof& roof : roofs)
    lines.push_back(roof.status == Status::ok ? line_of(roof, frame, bandwidth, peak) : Line{});
  return lines;
}

void add_bands(Panel& panel, const std::vector<Roof>& roofs, const std::vector<Line>& lines,
               const std::vector<std::optional<double>>& bars, bool has_peaks) {
  for (std::size_t i = 0; i < roofs.size(); ++i) {
    const Roof& roof = roofs[i];
    if (roof.status != Status::ok || bars[i] || roof.lo >= roof.hi) continue;
    const bool bounds = is_between_bounds(roof);
    if (!bounds && has_wide_interval(roof)) continue;
    const Datum from = lines[i].from(), to = lines[i].to();
    const auto end = [&](double bound) {  // a faster roof meets the peak earlier
      const double cut = has_peaks && !is_peak(roof) ? roof.value / bound : 1;
      return Datum{to.x * cut, to.y * cut * bound / roof.value};
    };
    const auto begin = [&](double bound) { return Datum{from.x, from.y * bound / roof.value}; };
    Style style = roof_style(roof.spec);
    style.opacity = bounds ? 0.12 : 0.25;
    if (bounds) {
      style.width = 0.8;
      style.dash.clear();
      panel.series.push_back(part_of(roof_name(roof), Mark::line, style, {begin(roof.lo), end(roof.lo)}));
    }
    panel.series.push_back(part_of(roof_name(roof), Mark::area, style,
                                   {begin(roof.lo), end(roof.lo), end(roof.hi), begin(roof.hi)}));
  }
}

void add_roofs(Panel& panel, const std::vector<Roof>& roofs, const std::vector<Line>& lines,
               const std::vector<std::optional<double>>& bars) {
  for (std::size_t i = 0; i < roofs.size(); ++i) {
    const Roof& roof = roofs[i];
    if (roof.status != Status::ok) continue;
    const Line& line = lines[i];
    Style style = roof_style(roof.spec);
    panel.series.push_back({roof_name(roof),
                            Mark::line,
                            style,
                            {line.from(), line.to()},
                            1,
                            is_between_bounds(roof) ? bounds_detail(roof) : roof_detail(roof)});
    if (!bars[i]) continue;
    const double x = std::exp2(*bars[i]);
    style.width = 1.2;
    style.dash.clear();
    style.capped = true;
    panel.series.push_back(
        part_of(roof_name(roof), Mark::intervals, style, {{x, roof.value * x, roof.lo * x, roof.hi * x}}));
  }
}

void add_ridges(Panel& panel, const std::vector<Roof>& roofs, double peak) {
  if (peak <= 0) return;
  for (const Roof& roof : roofs) {
    if (roof.status != Status::ok || is_peak(roof)) continue;
    Style style = roof_style(roof.spec);
    style.symbol = Symbol::diamond;
    style.size = 1.0;
    panel.series.push_back({fmt::format("ridge of {}", roof_name(roof)),
                            Mark::points,
                            style,
                            {{peak / roof.value, peak}},
                            1,
                            fmt::format("{:.3g} flop/byte", peak / roof.value),
                            roof_name(roof)});
  }
}

void add_validation(Panel& panel, const std::vector<Roof>& points) {
  add_attainable(panel, points);
  for (const Roof& point : points) {
    if (point.status != Status::ok) continue;
    const Datum at{point.spec.flop_per_byte, point.value};
    Style white{0xffffff}, ring = roof_style(point.spec);
    white.size = ring.size = 0.5;
    ring.symbol = Symbol::ring;
    ring.width = 1.2;
    panel.series.push_back(part_of("validation", Mark::points, white, {at}));
    panel.series.push_back({"validation", Mark::points, ring, {at}, 1, roof_detail(point)});
  }
}

std::string bands_text(const std::vector<Roof>& roofs, const std::vector<std::optional<double>>& bars) {
  bool any_band = false, any_bar = false;
  for (std::size_t i = 0; i < roofs.size(); ++i) {
    any_bar = any_bar || bars[i];
    any_band = any_band || (roofs[i].status == Status::ok && roofs[i].lo < roofs[i].hi && !bars[i] &&
                            !has_wide_interval(roofs[i]) && !is_between_bounds(roofs[i]));
  }
  if (!any_bar) return "Bands";
  return any_band ? "Bands and bars" : "Bars";
}

bool any_bar_cut(const std::vector<Roof>& roofs, const std::vector<std::optional<double>>& bars,
                 const LarmFrame& frame) {
  for (std::size_t i = 0; i < roofs.size(); ++i) {
    if (!bars[i]) continue;
    if (std::log2(roofs[i].lo) + *bars[i] < frame.y_from || std::log2(roofs[i].hi) + *bars[i] > frame.y_to)
      return true;
  }
  return false;
}

}  // namespace gable::charts

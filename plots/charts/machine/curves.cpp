#include "plots/charts/machine/curves.hpp"

#include <algorithm>

#include "base/lists.hpp"
#include "model/records/names.hpp"
#include "plots/charts/parts.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

using model::Roof;
using model::Status;

std::vector<Roof> select(const std::vector<Roof>& roofs, int cluster, model::Kind kind) {
  return those(roofs,
               [&](const Roof& roof) { return roof.spec.cluster == cluster && roof.spec.kind == kind; });
}

std::vector<Curve> curves_of(const Recorded& recorded, const std::vector<Roof>& roofs) {
  std::vector<Curve> curves;
  for (const Roof& roof : roofs) {
    const std::string wanted = name_of(roof.spec, model::Style::curve);
    if (roof.status != Status::ok || recorded.hides(wanted)) continue;
    auto found = std::ranges::find(curves, wanted, &Curve::name);
    if (found == curves.end()) found = curves.insert(curves.end(), Curve{wanted, {}});
    found->points.push_back(roof);
  }
  return curves;
}

Table curve_table(const std::vector<std::string>& more) {
  std::vector<std::string> columns = {"series", "label"};
  columns.insert(columns.end(), more.begin(), more.end());
  return roof_table(columns);
}

void add_rows(Table& table, const std::vector<Curve>& curves, int first) {
  for (std::size_t i = 0; i < curves.size(); ++i) {
    for (const Roof& point : curves[i].points) {
      table.add_row();
      set_roof(table, point);
      table.set("series", first + static_cast<double>(i));
    }
    table.set("label", curves[i].name);
  }
}

double name_column(const std::vector<Curve>& curves) {
  double widest = 0;
  for (const Curve& curve : curves) widest = std::max(widest, text_width(curve.name));
  return widest + 40;
}

void add_curves(Chart& chart, Panel& panel, const std::vector<Curve>& curves, double (*x)(const Roof&),
                std::size_t first_style, bool leaders) {
  std::vector<double> wanted;
  for (const Curve& curve : curves) wanted.push_back(panel.page_y(curve.points.back().value));
  const auto placed =
      spread(wanted, line_height, panel.area.top + line_height / 2, panel.area.bottom() - line_height / 2);
  const double right = panel.area.right();
  for (std::size_t i = 0; i < curves.size(); ++i) {
    Style style = series_style(first_style + i);
    Style symbols = style, strokes = style;
    symbols.size = leaders ? 0.7 : 0.4;
    if (!leaders) symbols.symbol = Symbol::disc;
    strokes.width = 1.6;
    std::vector<Datum> data;
    for (const Roof& point : curves[i].points) data.push_back({x(point), point.value, point.lo, point.hi});
    add_curve(panel, curves[i].name, data, style, strokes, symbols);
    if (chart.column) {
      chart.legend.push_back({curves[i].name, Mark::line, symbols, true});
      continue;
    }
    chart.labels.push_back({curves[i].name, right + 14, placed[i], Align::left, style.colour});
    chart.labels.back().groups = {curves[i].name};
    if (!leaders) continue;
    Style thin = style;
    thin.width = 0.7;
    thin.dash = {2, 3};
    chart.strokes.push_back(
        {panel.page_x(x(curves[i].points.back())), wanted[i], right + 10, placed[i], thin});
  }
}

}  // namespace gable::charts

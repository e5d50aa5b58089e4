// A pair of memories: bandwidth against the share of the data in the fast one. Figure 16 of the LARM paper
// compares the measured grid with the models, a panel for each ratio of loads to stores; figure 17 compares
// applications with both.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/words.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/charts.hpp"
#include "plots/charts/hybrid/panels.hpp"
#include "plots/charts/parts.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

using model::HybridFit;
using model::HybridPair;
using model::Law;
using model::Transfer;

namespace {

constexpr int most_columns = 4;
constexpr double raw_column = 130;  // width of the column with the bandwidths of one memory alone

std::string model_text(const std::string& name, const model::HybridModel& model) {
  const auto& error = model.errors.held_out_rms_percent;
  return error ? fmt::format("{} (held-out error {:.1f} %)", name, *error) : name;
}

// The style of a series and its name in the legend.
struct SeriesLook {
  std::string series, text;
  Mark mark;
  Style style;
};

Style marks(Colour colour, Symbol symbol, double size) {
  Style style{colour, 1.4};
  style.symbol = symbol;
  style.size = size;
  return style;
}

// The looks are in the order in which they are drawn.
std::vector<SeriesLook> series_looks(const Recorded& recorded, const HybridPanels& panels,
                                     const HybridFit& fit) {
  std::vector<SeriesLook> looks = {{"limits", "theoretical limits", Mark::band, Style{shade_ink}}};
  const Law best = fit.best.value_or(Law::equation5);
  std::size_t others = 0;
  for (const Law law : model::laws) {
    const Style style = law_style(law == best, law == best ? 0 : others++);
    looks.push_back({name_of(law), model_text(title(law), fit.model(law)), Mark::line, style});
  }
  looks.push_back({"interleaved_equation5", model_text("equation 5 of N:M", panels.interleaved()), Mark::line,
                   Style{interleave_ink, 1.2, {2, 4}}});
  looks.push_back(
      {"interleaved", "interleaved N:M", Mark::points, marks(interleave_ink, Symbol::diamond, 0.7)});
  looks.push_back({"benchmark", "benchmark", Mark::points, marks(ink, Symbol::disc, 0.55)});
  looks.push_back(
      {"application", "application", Mark::points, marks(application_ink, Symbol::triangle, 0.8)});
  std::erase_if(looks, [&](const SeriesLook& look) { return recorded.hides(look.text); });
  return looks;
}

void add_series(Panel& drawn, const HybridPanel& panel, const std::vector<SeriesLook>& looks) {
  for (const SeriesLook& look : looks) {
    const auto found = panel.series.find(look.series);
    if (found == panel.series.end()) continue;
    if (look.mark == Mark::points)
      drawn.series.push_back(part_of(look.text, Mark::intervals, look.style, found->second));
    if (look.series == "application") {
      Style joined = look.style;
      joined.dash = {2, 3};
      joined.width = 1;
      drawn.series.push_back(part_of(look.text, Mark::line, joined, found->second));
    }
    drawn.series.push_back({look.text, look.mark, look.style, found->second});
  }
}

// The four bandwidths of one memory alone.
struct Raw {
  std::vector<double> values;
  std::vector<std::string> texts;
};

Raw raw_of(const HybridFit& fit) {
  static constexpr const char* words[] = {"load, slow", "store, slow", "load, fast", "store, fast"};
  Raw raw;
  for (const Transfer x : model::transfers) {
    const auto& known = fit.bandwidths[x].gb_per_s;
    if (!known) continue;
    raw.values.push_back(known->value);
    raw.texts.push_back(fmt::format("{} {}", words[static_cast<std::size_t>(x)], three_digits(known->value)));
  }
  return raw;
}

void add_raw(Chart& chart, Panel& panel, const Raw& raw, bool with_texts) {
  const Style dotted{0x777777, 0.9, {2, 3}};
  for (std::size_t i = 0; i < raw.values.size(); ++i)
    panel.series.push_back({raw.texts[i], Mark::line, dotted, {{0, raw.values[i]}, {100, raw.values[i]}}});
  if (!with_texts) return;
  std::vector<double> wanted;
  for (const double value : raw.values) wanted.push_back(panel.page_y(value));
  const auto places = spread(wanted, line_height, panel.area.top, panel.area.bottom());
  const double right = panel.area.right();
  for (std::size_t i = 0; i < places.size(); ++i) {
    chart.labels.push_back({raw.texts[i], right + 10, places[i], Align::left, soft_ink});
    chart.strokes.push_back({right, wanted[i], right + 7, places[i], Style{0x777777, 0.7}});
  }
}

// Panels, axes and legend; the titles and the note must be set.
void draw(Chart& chart, const Recorded& recorded, const HybridPanels& panels, const HybridFit& fit,
          bool with_raw) {
  const int count = panels.count();
  PanelGrid grid{.top = 126};
  if (count <= 2) {
    grid.width = 420;
    grid.height = 320;
  }
  const int rows = (count + most_columns - 1) / most_columns;
  grid.columns = (count + rows - 1) / rows;
  if (chart.column) grid.fit_column(170);
  const std::vector<SeriesLook> looks = series_looks(recorded, panels, fit);
  for (const SeriesLook& look : looks) {
    if (panels.has(look.series)) chart.legend.push_back({look.text, look.mark, look.style});
  }
  lay_out_grid(chart, grid, count, {.least_width = 700}, with_raw ? raw_column : 24);
  const Raw raw = with_raw ? raw_of(fit) : Raw();
  for (int i = 0; i < count; ++i) {
    const HybridPanel& panel = panels.panels()[static_cast<std::size_t>(i)];
    Panel drawn;
    drawn.area = grid.area(i);
    drawn.title = panel.title;
    drawn.x = percent_axis("data in the fast memory");
    drawn.y = {{"bandwidth", "GB/s"}, 0, panels.most() * 1.06};
    if (!grid.is_lowest(i, count)) drawn.x.drop_texts();
    if (!grid.is_first_column(i)) drawn.y.drop_texts();
    if (with_raw) add_raw(chart, drawn, raw, (i + 1) % grid.columns == 0 || i + 1 == count);
    add_series(drawn, panel, looks);
    chart.panels.push_back(std::move(drawn));
  }
}

void set_pair_titles(Chart& chart, const Recorded& recorded, const HybridPair& pair, const char* subject) {
  const std::string sources = pair.source.empty() ? "" : "; figures of " + pair.source;
  set_titles(chart, recorded, subject, pair.cluster, pair_text(pair) + sources);
}

// "no bandwidth of stores into the slow memory"; empty if all four are known.
std::string missing_bandwidths(const HybridFit& fit) {
  std::vector<std::string> missing;
  for (const Transfer x : model::transfers) {
    if (!fit.bandwidths[x].gb_per_s) missing.emplace_back(meaning(x));
  }
  return missing.empty() ? "" : "no bandwidth of " + list_text(missing);
}

std::string reason_of_missing(const HybridFit& fit) {
  for (const auto& [gb_per_s, reason] : fit.bandwidths) {
    if (!gb_per_s) return sentence(reason);
  }
  return {};
}

std::string bars_text(const HybridPanels& panels) {
  return std::string("Bars: 95 % confidence intervals") +
         (panels.beyond() ? "; a bar that reaches the frame extends beyond it." : ".");
}

// Why lines are missing or end within a panel.
std::string gaps_text(const HybridPanels& panels) {
  if (panels.gaps().empty()) return {};
  const std::size_t more = panels.gaps().size() - 1;
  return fmt::format(" Lines are missing where a model gives no value: {}{}.", panels.gaps().front(),
                     more > 0 ? fmt::format("; {} (see gable predict)",
                                            count_text(static_cast<std::int64_t>(more), "more such reason"))
                              : "");
}

}  // namespace

Chart hybrid_chart(const Recorded& recorded, const HybridPair& pair) {
  const std::string name = pair_chart_name("hybrid", pair);
  if (pair.status != model::Status::ok) return omitted_chart(name, sentence(pair.reason));
  HybridPanels panels(pair);
  for (const double ratio : ratios_of(pair)) panels.add(ratio_text(ratio), ratio, {});
  const std::string missing = missing_bandwidths(pair.fit);
  if (panels.count() == 0) return omitted_chart(name, missing + ": " + reason_of_missing(pair.fit));
  Chart chart;
  chart.name = name;
  chart.table = panels.table();
  set_pair_titles(chart, recorded, pair, "Bandwidth of two memories at once");
  if (panels.has("benchmark")) chart.note = bars_text(panels) + " ";
  chart.note += "Limits: full overlap (equation 3), no overlap (equation 4).";
  if (panels.has("interleaved"))
    chart.note +=
        " N:M: pages alternate between both memories throughout, as in Linux's weighted interleave.";
  if (!missing.empty()) chart.note += fmt::format(" Not drawn: {}.", missing);
  chart.note += gaps_text(panels);
  draw(chart, recorded, panels, pair.fit, false);
  return chart;
}

Chart hybrid_applications_chart(const Recorded& recorded, const HybridPair& pair) {
  const std::string name = pair_chart_name("hybrid-applications", pair);
  if (pair.status != model::Status::ok) return omitted_chart(name, sentence(pair.reason));
  HybridPanels panels(pair);
  std::map<std::string, std::vector<model::Cell>> by_name;
  for (const model::Application& application : pair.applications)
    by_name[without_way(application.op).name()].push_back(application.cell);
  for (const auto& [application, cells] : by_name) {
    const double load_percent = load_percent_of(cells.front());
    panels.add(fmt::format("{}: {}", application, ratio_text(load_percent)), load_percent, cells);
  }
  if (panels.count() == 0)
    return omitted_chart(name, "no ddot, scale or triad was measured over this pair of memories");
  Chart chart;
  chart.name = name;
  chart.table = panels.table();
  set_pair_titles(chart, recorded, pair, "Applications in two memories");
  chart.note = bars_text(panels) + " Horizontal lines: bandwidths of one memory alone." + gaps_text(panels);
  draw(chart, recorded, panels, pair.fit, !chart.column);  // the column has no room for their figures
  return chart;
}

}  // namespace gable::charts

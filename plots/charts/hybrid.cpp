// A pair of memories: bandwidth against the share of the data in the fast one. Figure 16 of the LARM paper
// holds the measured grid against the models, a panel for each ratio of loads to stores; figure 17 holds
// applications against both.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/words.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/labels.hpp"
#include "plots/charts/panels.hpp"
#include "plots/charts/text.hpp"

namespace gable::cli {

using model::HybridFit;
using model::HybridPair;
using model::Law;
using model::Transfer;

namespace {

constexpr double panel_gap_x = 34, panel_gap_y = 50;
constexpr std::size_t most_columns = 4;
constexpr double legend_row = 20, least_legend = 700;

struct PanelSize {
  double width, height;
};

// One or two panels are drawn larger.
PanelSize size_of(int panels) {
  return panels <= 2 ? PanelSize{420, 320} : PanelSize{252, 226};
}

std::string node_text(const model::MemoryNode& node) {
  return fmt::format("{} node {}", node.tier, node.node);
}

std::string model_text(const std::string& name, const model::HybridModel& model) {
  const auto& error = model.errors.held_out_rms_percent;
  return error ? fmt::format("{} (held-out error {:.1f} %)", name, *error) : name;
}

// What marks and lines are, in rows above the panels that are `width` points wide: texts and their places in
// points, from the left and from the first row. The number of rows.
int tell_legend(Chart& chart, const HybridPanels& panels, const HybridFit& fit, double width) {
  double x = 20, most = 0;
  int row = 0;
  const auto tell = [&](const std::string& series, const std::string& text) {
    const double wide = 34 + text_width(text) + 12;
    const bool drawn = panels.has(series);
    if (drawn && x > 20 && x + wide > width) {
      x = 20;
      ++row;
    }
    chart.variables["legend_" + series] = drawn ? text : std::string();
    chart.variables["legend_" + series + "_x"] = x;
    chart.variables["legend_" + series + "_y"] = row * legend_row;
    if (drawn) x += wide;
    most = std::max(most, x);
  };
  tell("benchmark", "benchmark");
  tell("application", "application");
  tell("interleaved", "interleaved N:M");
  tell("interleaved_equation5", model_text("equation 5 of N:M", panels.interleaved()));
  std::string names;
  for (const Law law : model::laws) {
    tell(name_of(law), model_text(title(law), fit.model(law)));
    names += std::string(names.empty() ? "" : " ") + name_of(law);
  }
  tell("limits", "theoretical limits");
  chart.variables["law_names"] = names;
  chart.variables["legend_end"] = most;
  return row + 1;
}

// The four raw bandwidths as horizontal lines with labels at the right: figure 17.
void tell_raw(Chart& chart, const HybridFit& fit, double most, double panel_height, bool wanted) {
  static constexpr const char* words[] = {"load, slow", "store, slow", "load, fast", "store, fast"};
  std::vector<double> values;
  std::vector<std::string> labels;
  for (const Transfer x : model::transfers) {
    const auto& known = fit.bandwidths[x].gb_per_s;
    if (!wanted || !known) continue;
    values.push_back(known->value);
    labels.push_back(fmt::format("{} {}", words[static_cast<std::size_t>(x)], three_digits(known->value)));
  }
  const auto places = spread(values, line_height * most / panel_height, 0, most);
  chart.variables["raw"] = static_cast<double>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    chart.variables[fmt::format("raw_{}", i + 1)] = values[i];
    chart.variables[fmt::format("raw_{}_text", i + 1)] = labels[i];
    chart.variables[fmt::format("raw_{}_y", i + 1)] = places[i];
  }
}

void lay_out(Chart& chart, const HybridPanels& panels, const HybridFit& fit, bool raw) {
  const auto count = static_cast<std::size_t>(panels.count());
  const std::size_t rows = (count + most_columns - 1) / most_columns;
  const std::size_t columns = (count + rows - 1) / rows;
  const double right = raw ? 130 : 20;
  const auto [panel_width, panel_height] = size_of(panels.count());
  const double wide = 70 + static_cast<double>(columns) * (panel_width + panel_gap_x) + right;
  const int legend_rows = tell_legend(chart, panels, fit, std::max(wide, least_legend));
  const double top = 104 + (legend_rows - 1) * legend_row;
  const double high = top + static_cast<double>(rows) * (panel_height + panel_gap_y) + 64;
  const double texts = std::max({text_width(std::get<std::string>(chart.variables["subtitle_text"])) + 40,
                                 1.4 * text_width(std::get<std::string>(chart.variables["title_text"])) + 40,
                                 0.45 * text_width(std::get<std::string>(chart.variables["note_text"])) + 60,
                                 std::get<double>(chart.variables["legend_end"])});
  Canvas{std::max(wide, texts), high, 70, right, top, 60}.tell(chart.variables);
  chart.variables["panels_top"] = top;
  chart.variables["panels"] = static_cast<double>(count);
  chart.variables["columns"] = static_cast<double>(columns);
  chart.variables["panel_width"] = panel_width;
  chart.variables["panel_height"] = panel_height;
  chart.variables["step_x"] = panel_width + panel_gap_x;
  chart.variables["step_y"] = panel_height + panel_gap_y;
  chart.variables["most"] = panels.most() * 1.06;
  chart.variables["best"] = name_of(fit.best.value_or(Law::equation5));
  tell_raw(chart, fit, panels.most() * 1.06, panel_height, raw);
}

Chart empty_chart(const HybridPair& pair, const char* kind) {
  Chart chart{fmt::format("{}-{}-{}-{}", kind, pair.cluster, pair.slow.node, pair.fast.node),
              "hybrid.gp",
              Table({}),
              {},
              {}};
  if (pair.status != model::Status::ok) chart.omitted = pair.reason;
  return chart;
}

void set_pair_titles(Chart& chart, const Recorded& recorded, const HybridPair& pair, const char* subject) {
  const std::string sources = pair.source.empty() ? "" : "; figures of " + pair.source;
  set_titles(chart.variables, recorded, subject, pair.cluster,
             fmt::format("fast: {}, slow: {}{}", node_text(pair.fast), node_text(pair.slow), sources));
}

// "no bandwidth of stores into the slow memory"; empty where all four are known.
std::string missing_bandwidths(const HybridFit& fit) {
  std::vector<std::string> missing;
  for (const Transfer x : model::transfers) {
    if (!fit.bandwidths[x].gb_per_s) missing.emplace_back(meaning(x));
  }
  return missing.empty() ? "" : "no bandwidth of " + list_text(missing);
}

std::string reason_of_missing(const HybridFit& fit) {
  for (const auto& [gb_per_s, reason] : fit.bandwidths) {
    if (!gb_per_s) return reason;
  }
  return {};
}

std::string bars_text(const HybridPanels& panels) {
  return std::string("Bars: 95 % confidence intervals") +
         (panels.beyond() ? "; one that reaches the frame goes on beyond it." : ".");
}

// Why lines are missing, or end within a panel.
std::string gaps_text(const HybridPanels& panels) {
  if (panels.gaps().empty()) return {};
  const auto more = std::ssize(panels.gaps()) - 1;
  return fmt::format(
      " Lines are missing where a model cannot tell: {}{}.", panels.gaps().front(),
      more > 0 ? fmt::format("; {} (gable predict says them)", count_text(more, "more such reason")) : "");
}

// "triad" of "triad_nt".
std::string application_name(const std::string& op) {
  return op.substr(0, op.find('_'));
}

}  // namespace

Chart hybrid_chart(const Recorded& recorded, const HybridPair& pair) {
  Chart chart = empty_chart(pair, "hybrid");
  if (!chart.omitted.empty()) return chart;
  HybridPanels panels(pair);
  for (const double ratio : ratios_of(pair)) panels.add(ratio_text(ratio), ratio, {});
  const std::string missing = missing_bandwidths(pair.fit);
  if (panels.count() == 0) {
    chart.omitted = missing + ": " + reason_of_missing(pair.fit);
    return chart;
  }
  chart.table = panels.table();
  set_pair_titles(chart, recorded, pair, "Bandwidth of two memories at once");
  std::string note;
  if (panels.has("benchmark")) note = bars_text(panels) + " ";
  note += "Limits: all at once (equation 3), one by one (equation 4).";
  if (panels.has("interleaved"))
    note += " N:M: pages of both memories by turns all the way, as Linux interleaves by weights.";
  if (!missing.empty()) note += fmt::format(" Not drawn: {}.", missing);
  note += gaps_text(panels);
  chart.variables["note_text"] = note;
  lay_out(chart, panels, pair.fit, false);
  return chart;
}

Chart hybrid_applications_chart(const Recorded& recorded, const HybridPair& pair) {
  Chart chart = empty_chart(pair, "hybrid-applications");
  if (!chart.omitted.empty()) return chart;
  HybridPanels panels(pair);
  std::map<std::string, std::vector<model::Cell>> by_name;
  for (const model::Application& application : pair.applications)
    by_name[application_name(application.op)].push_back(application.cell);
  for (const auto& [name, cells] : by_name) {
    const double load_percent = load_percent_of(cells.front());
    panels.add(fmt::format("{}: {}", name, ratio_text(load_percent)), load_percent, cells);
  }
  if (panels.count() == 0) {
    chart.omitted = "no ddot, scale or triad was measured over this pair of memories";
    return chart;
  }
  chart.table = panels.table();
  set_pair_titles(chart, recorded, pair, "Applications over two memories");
  chart.variables["note_text"] =
      bars_text(panels) + " Horizontal lines: bandwidths of one memory alone." + gaps_text(panels);
  lay_out(chart, panels, pair.fit, true);
  return chart;
}

}  // namespace gable::cli

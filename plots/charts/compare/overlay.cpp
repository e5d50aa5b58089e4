#include "plots/charts/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "model/records/names.hpp"
#include "plots/charts/larm/frame.hpp"
#include "plots/charts/larm/labels.hpp"
#include "plots/charts/parts.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

using model::Roof;
using model::Status;

namespace {

// One roof of one machine; `target` is the same for the corresponding roof of another machine.
struct Laid {
  std::size_t machine = 0;
  std::string target;
  Roof roof;
};

struct LaidRoofs {
  std::vector<Laid> laid;
  std::vector<Extremes> bandwidth, peak;  // by machine
  Extremes all_bandwidths, all_peaks;
};

bool is_shown(const Roof& roof, const Recorded& recorded, int cluster) {
  const model::Case& spec = roof.spec;
  if (spec.cluster != cluster) return false;
  if (is_peak(spec.kind)) return spec.op == model::operations::fma;
  return spec.kind == model::Kind::bandwidth && spec.op == recorded.op && is_own(spec.pattern);
}

bool has_roof(const Recorded& recorded, int cluster) {
  return std::ranges::any_of(recorded.roofs.roofs, [&](const Roof& roof) {
    return roof.status == Status::ok && is_shown(roof, recorded, cluster);
  });
}

std::string target_of(const model::Case& spec, int position) {
  const std::string place = name_of(spec, model::Style::memory);
  return position == 0 ? place : fmt::format("{} ({})", place, position + 1);
}

void add_machine(LaidRoofs& overlay, const Recorded& recorded, std::size_t machine, int cluster) {
  auto roofs = model::best_of_each(recorded.roofs.roofs,
                                   [&](const Roof& roof) { return is_shown(roof, recorded, cluster); });
  sort_by(roofs, [](const Roof& roof) { return roof.spec.node; });
  std::map<std::string, int> positions;  // of the memories of a kind
  overlay.bandwidth.emplace_back();
  overlay.peak.emplace_back();
  for (const Roof& roof : roofs) {
    const model::Case& spec = roof.spec;
    const int position = positions[name_of(spec.kind) + spec.level.name() + name_of(spec.pattern) +
                                   name_of(spec.tier) + name_of(spec.precision)]++;
    overlay.laid.push_back({machine, target_of(spec, position), roof});
    if (roof.status != Status::ok) continue;
    const bool flops = is_peak(spec.kind);
    for (Extremes* extremes : {&(flops ? overlay.peak : overlay.bandwidth).back(),
                               flops ? &overlay.all_peaks : &overlay.all_bandwidths})
      extremes->see(roof.value);
  }
}

Style machine_style(std::size_t machine) {
  static const std::array<std::vector<double>, 4> dashes = {{{}, {9, 4}, {3, 3}, {12, 3, 3, 3}}};
  Style style{series_style(machine).colour, 2.0, dashes.at(machine % dashes.size())};
  return style;
}

// "L1 760 | 2210 GB/s": a label for each target, with the indices of its roofs.
std::vector<LarmLabel> target_labels(const LaidRoofs& overlay, bool flops, std::size_t machines) {
  std::vector<LarmLabel> labels;
  std::vector<std::string> targets;
  for (const Laid& laid : overlay.laid) {
    const bool wanted = laid.roof.status == Status::ok && is_peak(laid.roof.spec.kind) == flops;
    if (wanted) add_once(targets, laid.target);
  }
  for (const std::string& target : targets) {
    LarmLabel label;
    std::vector<std::string> values(machines, "–");
    double sum = 0;
    for (std::size_t i = 0; i < overlay.laid.size(); ++i) {
      const auto& [machine, name, roof] = overlay.laid[i];
      if (name != target || roof.status != Status::ok) continue;
      values[machine] = three_digits(roof.value);
      label.roofs.push_back(i);
      sum += std::log2(roof.value);
    }
    const std::string unit = overlay.laid[label.roofs.front()].roof.unit;
    label.text = fmt::format("{}: {} {}", target, fmt::join(values, " | "), unit);
    label.y = sum / static_cast<double>(label.roofs.size());
    labels.push_back(std::move(label));
  }
  sort_down_by(labels, &LarmLabel::y);
  return labels;
}

void add_bandwidth_labels(Chart& chart, Panel& panel, const std::vector<LarmLabel>& labels,
                          const LaidRoofs& overlay, const std::vector<Line>& lines, const LarmFrame& frame) {
  const double leader = leader_room * (frame.x_to - frame.x_from) / frame.roof_width;
  for (const LarmLabel& label : labels) {
    const double x = std::exp2(frame.x_from - leader), y = std::exp2(label.y);
    for (const std::size_t i : label.roofs) {
      Style style = machine_style(overlay.laid[i].machine);
      style.width = 0.8;
      style.dash.clear();
      panel.series.push_back({"", Mark::line, style, {{x, y}, lines[i].from()}});
    }
    chart.labels.push_back({label.text, panel.page_x(x) - 4, panel.page_y(y), Align::right, ink});
  }
}

void add_peak_labels(Chart& chart, const Panel& panel, const std::vector<LarmLabel>& labels) {
  for (const LarmLabel& label : labels)
    chart.labels.push_back({label.text, panel.page_x(panel.x.to) - 2, panel.page_y(std::exp2(label.y)),
                            Align::right, ink, 12, true});
}

// The roof and the band of its interval.
void add_laid_roof(Panel& panel, const Laid& laid, const Line& line, const std::string& machine) {
  const Roof& roof = laid.roof;
  const double x_from = std::exp2(line.x_from), x_to = std::exp2(line.x_to);
  Style style = machine_style(laid.machine);
  if (roof.lo < roof.hi) {
    const bool flops = is_peak(roof.spec.kind);
    const auto at = [&](double x, double value) { return Datum{x, flops ? value : value * x}; };
    Style band = style;
    band.opacity = 0.2;
    panel.series.push_back(
        {"",
         Mark::area,
         band,
         {at(x_from, roof.lo), at(x_to, roof.lo), at(x_to, roof.hi), at(x_from, roof.hi)}});
  }
  panel.series.push_back({fmt::format("{} of {}", laid.target, machine),
                          Mark::line,
                          style,
                          {line.from(), line.to()},
                          1,
                          roof_detail(roof)});
}

Table overlay_table(const LaidRoofs& overlay, const std::vector<Recorded>& machines) {
  Table table = roof_table({"machine", "target"});
  for (const Laid& laid : overlay.laid) {
    table.add_row();
    set_roof(table, laid.roof);
    table.set("machine", machines[laid.machine].machine);
    table.set("target", laid.target);
  }
  return table;
}

std::vector<std::string> threads_of_machines(const LaidRoofs& overlay, std::size_t machines) {
  std::vector<std::vector<Roof>> roofs(machines);
  for (const Laid& laid : overlay.laid) roofs[laid.machine].push_back(laid.roof);
  return each_of(roofs, thread_numbers_text);
}

void set_overlay_titles(Chart& chart, const std::vector<Recorded>& machines, const LaidRoofs& overlay,
                        int cluster) {
  const std::vector<std::string> threads = threads_of_machines(overlay, machines.size());
  const bool same_threads = std::ranges::count(threads, threads.front()) == std::ssize(threads);
  std::vector<std::string> names, cpus;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    const Recorded& recorded = machines[i];
    names.push_back(recorded.machine);
    std::string cpu = recorded.caveat.empty() ? recorded.cpu : recorded.caveat + ", " + recorded.cpu;
    if (!same_threads)
      cpu = fmt::format("{}: {}{}{}", recorded.machine, cpu, cpu.empty() ? "" : ", ", threads[i]);
    if (!cpu.empty()) add_once(cpus, cpu);
  }
  chart.title = fmt::format("Rooflines of {}: {}", cluster_text(machines.front(), cluster), list_text(names));
  chart.subtitle = fmt::format("{}", fmt::join(cpus, "; "));
  std::vector<Roof> drawn;
  int missing = 0;
  for (const Laid& laid : overlay.laid) {
    drawn.push_back(laid.roof);
    missing += laid.roof.status != Status::ok ? 1 : 0;
  }
  chart.note =
      fmt::format("Own caches and memories ({}), each cluster alone. Values in the order of the legend. {}",
                  machines.front().op.name(), interval_note("Bands", drawn, false));
  if (missing > 0)
    chart.note += fmt::format(" Not drawn: {} skipped or invalid, reasons in {}.", missing,
                              machines.front().table_of(chart.name));
}

}  // namespace

Chart overlay_chart(const std::vector<Recorded>& all, int cluster) {
  const std::string name = fmt::format("compare-larm-{}", cluster);
  std::vector<Recorded> machines;
  std::vector<std::string> others;
  for (const Recorded& recorded : all) {
    if (has_roof(recorded, cluster)) {
      machines.push_back(recorded);
    } else {
      others.push_back(recorded.machine);
    }
  }
  LaidRoofs overlay;
  for (std::size_t i = 0; i < machines.size(); ++i) add_machine(overlay, machines[i], i, cluster);
  if (std::ranges::count_if(overlay.bandwidth, [](const Extremes& all) { return all.most > 0; }) < 2)
    return omitted_chart(name, "fewer than two machines have a bandwidth of this cluster");
  std::vector<LarmLabel> labels = target_labels(overlay, false, machines.size()),
                         peaks = target_labels(overlay, true, machines.size());
  const LabelRoom room{label_column(labels), widest_label(peaks), false};
  LarmFrame frame = frame_of(overlay.all_bandwidths, overlay.all_peaks, room, {});
  frame.area.top += legend_row + 6;
  place_beside_roofs(labels, frame);
  place_above_peaks(peaks, frame);

  Chart chart;
  chart.name = name;
  fit_page(chart, frame.area, 14);
  chart.table = overlay_table(overlay, machines);
  set_overlay_titles(chart, machines, overlay, cluster);
  if (!others.empty()) chart.note += fmt::format(" Without roofs of this cluster: {}.", list_text(others));
  Panel panel = larm_panel(frame);
  std::vector<Line> lines(overlay.laid.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto& [machine, target, roof] = overlay.laid[i];
    if (roof.status != Status::ok) continue;
    const Extremes& bandwidth =
        overlay.bandwidth[machine].most > 0 ? overlay.bandwidth[machine] : overlay.all_bandwidths;
    lines[i] = line_of(roof, frame, bandwidth, overlay.peak[machine]);
    add_laid_roof(panel, overlay.laid[i], lines[i], machines[machine].machine);
  }
  add_bandwidth_labels(chart, panel, labels, overlay, lines, frame);
  add_peak_labels(chart, panel, peaks);
  chart.panels.push_back(std::move(panel));
  for (std::size_t i = 0; i < machines.size(); ++i)
    chart.legend.push_back({machines[i].machine, Mark::line, machine_style(i)});
  lay_out_legend(chart, frame.area.left, frame.area.top - legend_row - 8, frame.area.width);
  make_room_for_texts(chart);
  return chart;
}

}  // namespace gable::charts

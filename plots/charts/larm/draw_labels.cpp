#include "plots/charts/larm/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "plots/charts/larm/obstacles.hpp"
#include "plots/charts/styles.hpp"

namespace gable::charts {

namespace {

constexpr std::size_t most_labels = 36, most_brief_labels = 14;

// The labels of all machines, which `place` moves together.
void place_together(std::vector<LabelledRoofs>& machines, std::vector<LarmLabel> LabelledRoofs::*labels,
                    void (*place)(std::vector<LarmLabel>&, const LarmFrame&), const LarmFrame& frame) {
  std::vector<LarmLabel> all;
  for (LabelledRoofs& machine : machines) {
    for (LarmLabel& label : machine.*labels) {
      label.machine = static_cast<std::size_t>(&machine - machines.data());
      all.push_back(std::move(label));
    }
    (machine.*labels).clear();
  }
  place(all, frame);
  for (LarmLabel& label : all) (machines[label.machine].*labels).push_back(std::move(label));
}

std::vector<std::string> names_of(const LabelledRoofs& machine, const LarmLabel& label) {
  return each_of(label.roofs, [&](std::size_t i) { return roof_name(machine.drawn.roofs[i]); });
}

void add_beside_roofs(Chart& chart, Panel& panel, const LabelledRoofs& machine, const LarmFrame& frame) {
  const double leader = leader_room * (frame.x_to - frame.x_from) / frame.roof_width;
  for (const LarmLabel& label : machine.bandwidths) {
    const double x = std::exp2(frame.x_from - leader), y = std::exp2(label.y);
    for (const std::size_t i : label.roofs) {
      Style style = machine.drawn.style_of(machine.drawn.roofs[i]);
      style.width = 0.8;
      style.dash.clear();
      panel.series.push_back(
          part_of(roof_name(machine.drawn.roofs[i]), Mark::line, style, {{x, y}, machine.lines[i].from()}));
    }
    const Style style = machine.drawn.style_of(machine.drawn.roofs[label.roofs.front()]);
    chart.labels.push_back({label.text, panel.page_x(x) - 4, panel.page_y(y), Align::right, style.colour});
    chart.labels.back().groups = names_of(machine, label);
  }
}

// The label of a peak at the right end of its line, or as far left as it must be to cover no mark; at the
// right end if it would have to be left of the line.
Label above_line(const Panel& panel, const LabelledRoofs& machine, const LarmLabel& label) {
  constexpr double from_end = 2, apart = 3;
  const std::size_t roof = label.roofs.front();
  const Style style = machine.drawn.style_of(machine.drawn.roofs[roof]);
  const double end = panel.page_x(panel.x.to) - from_end, y = panel.page_y(std::exp2(label.y));
  Label placed{label.text, end, y, Align::right, style.colour, 12, true};
  placed.groups = names_of(machine, label);
  std::vector<Box> marks = marks_in(panel);
  sort_down_by(marks, &Box::right);
  for (const Box& mark : marks) {
    if (mark.meets(box_of(placed))) placed.x = mark.left - apart;
  }
  if (box_of(placed).left < panel.page_x(std::exp2(machine.lines[roof].x_from))) placed.x = end;
  return placed;
}

// Whether the labels of the peaks have room beside their own lines, not beside those of other peaks, and
// cover no mark.
bool have_room(const Panel& panel, const LabelledRoofs& machine, const LarmFrame& frame) {
  std::vector<LarmLabel> placed = machine.peaks;
  place_above_peaks(placed, frame);
  const double gap = line_height * (frame.y_to - frame.y_from) / frame.area.height;
  return std::ranges::all_of(placed, [&](const LarmLabel& label) {
    const double line = std::log2(machine.drawn.roofs[label.roofs.front()].value);
    const Box box = box_of(above_line(panel, machine, label));
    return label.y - line < gap &&
           std::ranges::none_of(marks_in(panel), [&](const Box& mark) { return mark.meets(box); });
  });
}

// In a paper's column the bandwidths, and peaks whose labels have no room above their lines, as those of
// another machine, which are long.
void add_legend(Chart& chart, const Panel& panel, std::vector<LabelledRoofs>& machines,
                const LarmFrame& frame) {
  for (LabelledRoofs& machine : machines) {
    const auto add = [&](const LarmLabel& label, const char* unit) {
      const Style style = machine.drawn.style_of(machine.drawn.roofs[label.roofs.front()]);
      chart.legend.push_back({fmt::format("{} {}", label.text, unit), Mark::line, style});
    };
    for (const LarmLabel& label : machine.bandwidths) add(label, "GB/s");
    if (machine.drawn.machine.empty() && have_room(panel, machine, frame)) continue;
    for (const LarmLabel& label : machine.peaks) add(label, "GFlop/s");
    machine.peaks.clear();
  }
}

}  // namespace

LabelledRoofs labelled(DrawnRoofs drawn, bool brief) {
  LabelledRoofs machine{std::move(drawn), {}, {}, {}};
  const std::size_t most = brief ? most_brief_labels : most_labels;
  machine.bandwidths = labels_of(machine.drawn.roofs, false, most, brief);
  machine.peaks = labels_of(machine.drawn.roofs, true, most, brief);
  if (machine.drawn.machine.empty()) return machine;
  for (auto* labels : {&machine.bandwidths, &machine.peaks}) {
    for (LarmLabel& label : *labels) label.text = machine.drawn.machine + ": " + label.text;
  }
  return machine;
}

void add_labels(Chart& chart, Panel& panel, std::vector<LabelledRoofs>& machines, const LarmFrame& frame) {
  if (chart.column) add_legend(chart, panel, machines, frame);
  place_together(machines, &LabelledRoofs::peaks, place_above_peaks, frame);
  for (const LabelledRoofs& machine : machines) {
    for (const LarmLabel& label : machine.peaks) {
      chart.labels.push_back(above_line(panel, machine, label));
    }
  }
  if (chart.column) return;
  place_together(machines, &LabelledRoofs::bandwidths, place_beside_roofs, frame);
  double highest = frame.y_from;
  for (const LabelledRoofs& machine : machines) {
    add_beside_roofs(chart, panel, machine, frame);
    for (const LarmLabel& label : machine.bandwidths) highest = std::max(highest, label.y);
  }
  const double right = panel.page_x(std::exp2(frame.x_from)) - leader_room - 4;
  chart.labels.push_back(
      {"GB/s", right, panel.page_y(std::exp2(highest)) - line_height, Align::right, soft_ink});
}

}  // namespace gable::charts

// The bytes of each object of a program that pass between the memory and the caches: for each program a panel
// with lying bars.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "base/words.hpp"
#include "model/points/needs/advice.hpp"
#include "plots/charts/charts.hpp"
#include "plots/charts/larm/obstacles.hpp"
#include "plots/charts/larm/points/point_levels.hpp"
#include "plots/charts/larm/points/points.hpp"
#include "plots/charts/parts.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

namespace {

constexpr std::size_t most_programs = 6, most_objects = 8;
constexpr double row_height = 28, above_panel = 34, right_margin = 20;

struct ObjectRow {
  std::string name;
  double size = 0, read = 0, written = 0;  // bytes
  double moved() const { return read + written; }
  double longest() const { return std::max(read, written); }  // of its bars
};

struct Program {
  const model::Point* point = nullptr;
  std::string memory;  // "DRAM"
  double moved = 0;    // bytes of all objects
  std::vector<ObjectRow> rows;
};

// The objects that move most, and the others as one.
std::vector<ObjectRow> rows_of(const model::Point& point) {
  constexpr double little = 0.005;
  std::vector<ObjectRow> rows;
  ObjectRow others{"others", 0, point.levels.back().read, point.levels.back().written};
  const double all = others.moved();
  for (const model::ObjectBytes& object : point.objects) {
    const model::LevelBytes& memory = object.levels.back();
    rows.push_back({object.name, static_cast<double>(object.peak_bytes), memory.read, memory.written});
  }
  sort_down_by(rows, &ObjectRow::moved);
  if (rows.size() > most_objects) rows.resize(most_objects);
  std::erase_if(rows, [&](const ObjectRow& row) { return row.moved() <= little * all; });
  for (const ObjectRow& row : rows) {
    others.read = std::max(0.0, others.read - row.read);
    others.written = std::max(0.0, others.written - row.written);
  }
  if (others.moved() > little * all) rows.push_back(others);
  return rows;
}

// Those recorded last come first.
std::vector<Program> programs_of(const Recorded& recorded, int cluster) {
  std::vector<Program> programs;
  for (std::size_t i = 0; i < recorded.points.size(); ++i) {
    const model::Point& point = recorded.points[i];
    if (!is_on_chart(recorded, i, cluster) || point.objects.empty() || !is_memory(point.levels.back().level))
      continue;
    const model::LevelBytes& memory = point.levels.back();
    Program program{&point, memory_label(recorded.roofs, point), memory.read + memory.written,
                    rows_of(point)};
    if (program.moved >= 1 && !program.rows.empty()) programs.push_back(std::move(program));
  }
  sort_down_by(programs, [](const Program& program) { return program.point->started; });
  return programs;
}

Unit unit_of_bytes(double bytes) {
  return unit_for(bytes, {{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}});
}

std::string shown_object(const std::string& name, bool column) {
  return shortened(name, column ? 24 : 30);
}

Style reads_style() {
  return series_style(0);
}
Style writes_style() {
  return filled(series_style(1), 1);
}

// Reads above writes.
void add_bars(Panel& panel, const Recorded& recorded, const Program& program, const Unit& unit) {
  constexpr double half = 0.19, breadth = 0.36;
  Series reads{"reads", Mark::bars_across, reads_style(), {}, breadth};
  Series writes{"writes", Mark::bars_across, writes_style(), {}, breadth};
  for (std::size_t i = 0; i < program.rows.size(); ++i) {
    const ObjectRow& row = program.rows[i];
    const auto y = static_cast<double>(i);
    if (row.read > 0) reads.data.push_back({row.read / unit.size, y - half});
    if (row.written > 0) writes.data.push_back({row.written / unit.size, y + half});
  }
  for (Series* series : {&reads, &writes})
    if (!recorded.hides(series->name)) panel.series.push_back(std::move(*series));
}

constexpr double behind_bar = 5;  // between a bar and its figures

std::string figures_of(const Program& program, const ObjectRow& row, const Unit& unit) {
  return fmt::format("{} {}, {}", three_digits(row.moved() / unit.size), unit.name,
                     percent_text(100 * row.moved() / program.moved));
}

void add_figures(Chart& chart, const Panel& panel, const Program& program, const Unit& unit) {
  for (std::size_t i = 0; i < program.rows.size(); ++i) {
    const ObjectRow& row = program.rows[i];
    chart.labels.push_back({figures_of(program, row, unit),
                            panel.page_x(row.longest() / unit.size) + behind_bar,
                            panel.page_y(static_cast<double>(i))});
  }
}

// From 0 on, at most six, at multiples of 1, 2 or 5.
std::vector<Tick> few_ticks(double to) {
  constexpr double most = 5.5;
  const double decade = std::pow(10, std::floor(std::log10(to / most)));
  double step = 10 * decade;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * decade * most >= to) step = factor * decade;
  }
  std::vector<Tick> ticks;
  for (int i = 0; i * step <= to; ++i) ticks.push_back({i * step, fmt::format("{:g}", i * step)});
  return ticks;
}

// The panel ends at `top` plus its height and the room for the texts of its axis.
void add_program(Chart& chart, const Recorded& recorded, const Program& program, double left, double top) {
  const double most = std::ranges::max(program.rows, {}, &ObjectRow::longest).longest();
  const Unit unit = unit_of_bytes(most);
  double figures = 0;  // behind the longest bar
  for (const ObjectRow& row : program.rows)
    figures = std::max(figures, label_width(figures_of(program, row, unit)) + 2 * behind_bar);
  Panel panel;
  panel.area = {left, top, chart.width - left - right_margin,
                row_height * static_cast<double>(program.rows.size())};
  panel.title = fmt::format("{}: {} {}", shortened(program.point->name, chart.column ? 24 : 48),
                            three_digits(program.moved / unit.size), unit.name);
  panel.x = {{fmt::format("to and from {}", program.memory), unit.name},
             0,
             most / unit.size * panel.area.width / (panel.area.width - figures)};
  panel.x.ticks = few_ticks(panel.x.to);
  panel.y = rows_axis(static_cast<double>(program.rows.size()));
  for (std::size_t i = 0; i < program.rows.size(); ++i)
    panel.y.ticks->push_back({static_cast<double>(i), shown_object(program.rows[i].name, chart.column)});
  add_bars(panel, recorded, program, unit);
  add_figures(chart, panel, program, unit);
  chart.panels.push_back(std::move(panel));
}

void add_rows_of_program(Table& table, const Program& program, int cluster) {
  for (const ObjectRow& row : program.rows) {
    table.add(cluster, program.point->name, row.name, program.memory, row.size > 0 ? row.size : NAN, row.read,
              row.written, 100 * row.moved() / program.moved);
  }
}

// Names the programs whose writes may be more.
std::string lower_bound_note(const std::vector<Program>& programs) {
  std::vector<std::string> texts;
  for (const Program& program : programs) {
    const model::LevelBytes& memory = program.point->levels.back();
    if (!model::has_uncertain_writes(memory)) continue;
    const Unit unit = unit_of_bytes(memory.written_more);
    texts.push_back(fmt::format("{} (up to {} {} more)", program.point->name,
                                three_digits(memory.written_more / unit.size), unit.name));
  }
  if (texts.empty()) return {};
  return fmt::format(
      " The writes are a lower bound for {}: on pages of 4 KiB, chance selects the sets of the last cache.",
      joined(texts, [](const auto& text) { return text; }));
}

// Room for the longest name of an object.
double left_of(const std::vector<Program>& programs, bool column) {
  double widest = 0;
  for (const Program& program : programs) {
    for (const ObjectRow& row : program.rows)
      widest = std::max(widest, label_width(shown_object(row.name, column)));
  }
  return 30 + widest;
}

}  // namespace

Chart objects_chart(const Recorded& recorded, int cluster) {
  const std::string name = fmt::format("objects-{}", cluster);
  std::vector<Program> programs = programs_of(recorded, cluster);
  if (programs.empty()) return omitted_chart(name, "no point has a profile whose objects move bytes");
  const std::size_t more = programs.size() - std::min(programs.size(), most_programs);
  programs.resize(programs.size() - more);

  Chart chart;
  chart.name = name;
  set_titles(chart, recorded, "Bytes of objects", cluster, "");
  const double left = left_of(programs, recorded.column);
  chart.width = recorded.column ? column_page : left + 480 + right_margin;
  chart.note =
      "Bytes that pass between the memory and the caches before it: reads are lines fetched for loads and "
      "stores, writes are lines written back.";
  chart.note += lower_bound_note(programs);
  if (more > 0)
    chart.note +=
        fmt::format(" Not drawn: {} recorded earlier.", count_text(static_cast<std::int64_t>(more), "point"));
  make_room_for_texts(chart);
  chart.table = Table(
      {"cluster", "point", "object", "memory", "size_bytes", "read_bytes", "written_bytes", "share_percent"});
  double top = 76;
  for (const Program& program : programs) {
    top += above_panel;
    add_program(chart, recorded, program, left, top);
    top += chart.panels.back().area.height + axis_room;
    add_rows_of_program(chart.table, program, cluster);
  }
  chart.height = top;
  chart.legend = {{"reads", Mark::bars_across, reads_style()}, {"writes", Mark::bars_across, writes_style()}};
  std::erase_if(chart.legend, [&](const LegendEntry& entry) { return recorded.hides(entry.text); });
  add_legend_below(chart);
  return chart;
}

}  // namespace gable::charts

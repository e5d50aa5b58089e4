#include "cli/export/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/tables/table.hpp"
#include "cli/folder.hpp"
#include "cli/recorded_machine.hpp"
#include "cli/recorded_topology.hpp"
#include "cli/show/recorded.hpp"
#include "cli/text/message.hpp"
#include "machines/attributes.hpp"
#include "machines/host.hpp"
#include "model/c2c/classes.hpp"
#include "model/json/lines.hpp"
#include "model/records/c2c.hpp"
#include "model/records/record_row.hpp"
#include "model/roofs/best.hpp"
#include "model/roofs/interval.hpp"

namespace gable::cli {

namespace {

using model::Case;
using model::Kind;
using model::Roof;

using Labels = std::vector<std::pair<std::string, std::string>>;

constexpr double ns = 1e-9, giga = 1e9, mega = 1e6;

// Quotes, backslashes and line ends as the format requires.
std::string escaped_label(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '\n') {
      out += "\\n";
      continue;
    }
    if (letter == '"' || letter == '\\') out += '\\';
    out += letter;
  }
  return out;
}

// The families in the order of their first figure.
class MetricsText {
 public:
  explicit MetricsText(std::string machine) : machine_(std::move(machine)) {}

  /// One sample of a gauge. The same labels are not repeated.
  void add(const std::string& name, const std::string& unit, const std::string& help, const Labels& labels,
           double value) {
    std::string text = fmt::format("machine=\"{}\"", escaped_label(machine_));
    for (const auto& [label, content] : labels)
      if (!content.empty()) text += fmt::format(",{}=\"{}\"", label, escaped_label(content));
    const std::string family = unit.empty() ? name : name + "_" + unit;
    if (!seen_.insert(family + text).second) return;
    const auto [place, is_new] = places_.try_emplace(family, texts_.size());
    if (is_new) {
      texts_.push_back(fmt::format("# TYPE {} gauge\n", family));
      if (!unit.empty()) texts_.back() += fmt::format("# UNIT {} {}\n", family, unit);
      texts_.back() += fmt::format("# HELP {} {}\n", family, help);
    }
    texts_[place->second] += fmt::format("{}{{{}}} {}\n", family, text, value);
  }

  /// A figure and the ends of its 95 % interval, if it has one.
  void add_figure(const std::string& name, const std::string& unit, const std::string& help,
                  const Labels& labels, const model::Estimate& figure, double factor, bool has_interval) {
    add(name, unit, help + ".", labels, figure.value * factor);
    if (!has_interval) return;
    add(name + "_low", unit, help + ": lower end of the 95 % interval.", labels, figure.lo * factor);
    add(name + "_high", unit, help + ": upper end of the 95 % interval.", labels, figure.hi * factor);
  }

  std::string text() const {
    std::string all;
    for (const std::string& family : texts_) all += family;
    return all + "# EOF\n";
  }

 private:
  std::string machine_;
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> texts_;
  std::set<std::string> seen_;
};

struct RoofFamily {
  Kind kind;
  const char *name, *unit, *help;
  double factor;
};
constexpr RoofFamily families[] = {
    {Kind::bandwidth, "gable_bandwidth", "bytes_per_second", "Bandwidth of a cluster's threads", giga},
    {Kind::flops, "gable_peak", "flops_per_second", "Peak of a cluster's threads in registers", giga},
    {Kind::latency, "gable_latency", "seconds", "Idle latency of dependent loads", ns},
    {Kind::loaded_latency, "gable_loaded_latency", "seconds", "Latency while other cores load memory", ns},
    {Kind::random, "gable_random", "lines_per_second", "Loads of lines at random addresses", mega},
    {Kind::branch, "gable_branch", "seconds", "Conditional branches of one thread", ns},
    {Kind::operation, "gable_operation", "seconds", "Operations of one thread that wait for each other", ns},
    {Kind::window, "gable_window", "instructions_per_second",
     "Instructions between random loads of one thread", giga},
};

Labels labels_of(const Case& spec) {
  return {{"cluster", std::to_string(spec.cluster)},
          {"node", spec.node < 0 ? "" : std::to_string(spec.node)},
          {"tier", name_of(spec.tier)},
          {"level", spec.level.name()},
          {"pattern", name_of(spec.pattern)},
          {"op", spec.op.name()},
          {"precision", name_of(spec.precision)},
          // Elsewhere the best number of threads counts, which may change from run to run.
          {"threads", spec.kind == Kind::random ? std::to_string(spec.threads) : ""},
          {"load_percent", has_load(spec.kind) ? std::to_string(spec.load_percent) : ""}};
}

void add_roofs(const std::vector<Roof>& roofs, MetricsText& metrics) {
  for (const RoofFamily& family : families) {
    const auto wanted = [&](const Roof& roof) { return roof.spec.kind == family.kind; };
    for (const Roof& roof : model::best_of_each(roofs, wanted)) {
      if (roof.status != model::Status::ok) continue;
      metrics.add_figure(family.name, family.unit, family.help, labels_of(roof.spec),
                         {roof.value, roof.lo, roof.hi, roof.n}, family.factor, model::is_95_interval(roof));
    }
  }
}

bool has_ends(const model::Estimate& estimate) {
  return estimate.lo < estimate.hi;
}

void add_c2c(const std::vector<model::C2cFigure>& figures, MetricsText& metrics) {
  if (figures.empty()) return;
  for (const model::C2cClassFigure& each : model::c2c_classes(figures)) {
    const Labels labels = {{"class", name_of(each.between)},
                           {"relation", name_of(each.between.relation)},
                           {"measure", name_of(each.measure)},
                           {"home", name_of(each.home)}};
    metrics.add_figure("gable_c2c", "seconds", "Time of a line between cores, by class of pairs", labels,
                       each.estimate, ns, has_ends(each.estimate));
  }
  for (const model::C2cFigure& each : figures) {
    if (row_of(each.spec.measure).of_pairs || each.status != model::Status::ok) continue;
    const Labels labels = {{"measure", name_of(each.spec.measure)},
                           {"threads", std::to_string(each.spec.pus.size())}};
    metrics.add_figure("gable_c2c_contended", "operations_per_second",
                       "Operations on one line by all threads", labels, each.estimate, mega,
                       has_ends(each.estimate));
    metrics.add("gable_c2c_fairness", "", "Jain's index of the threads that contend for one line.", labels,
                each.fairness);
  }
  metrics.add("gable_c2c_differing_pairs", "", "Pairs of cores that differ from their class.", {},
              static_cast<double>(model::c2c_outliers(figures).size()));
}

// A gauge for each kind of figure, in base units (bytes, seconds), with one more for each end of its
// interval: gable_bandwidth_bytes_per_second, gable_bandwidth_low_bytes_per_second, ... Each question has
// its best figure. Figures that are not ok are left out, and so are the ends of an interval that is not
// known.
std::string openmetrics_of(const ShownFolder& shown) {
  MetricsText metrics(shown.name);
  add_roofs(shown.roofs.roofs, metrics);
  add_c2c(shown.c2c, metrics);
  return metrics.text();
}

// The table has every roof and every step of the ladder. `lo` and `hi` are empty if there is no interval.
std::string csv_of(const model::Roofs& roofs) {
  const std::vector<std::string>& names = model::roof_columns();
  Table table{"", columns(names)};
  for (const std::vector<model::Roof>* part : {&roofs.roofs, &roofs.ladder}) {
    for (const model::Roof& roof : *part) {
      table.rows.push_back(model::roof_row(roof));
      if (model::has_interval(roof)) continue;
      for (const char* const end : {"lo", "hi"})
        table.rows.back()[static_cast<std::size_t>(std::ranges::find(names, end) - names.begin())] = Cell();
    }
  }
  return csv_text(table);
}

// What one cluster alone gets from one node: its best load bandwidth and idle latency.
machines::Attribute attribute_of(const model::Roofs& roofs, int cluster, int node) {
  machines::Attribute attribute = {cluster, static_cast<unsigned>(node), {}, {}};
  for (const model::Pattern pattern : {model::Pattern::local, model::Pattern::remote}) {
    model::Case like;
    like.cluster = cluster;
    like.node = node;
    like.level = model::Level::memory();
    like.pattern = pattern;
    like.kind = model::Kind::bandwidth;
    like.op = model::operations::load;
    if (const model::Roof* roof = model::best_roof(roofs.roofs, like)) attribute.gb_per_s = roof->value;
    like.kind = model::Kind::latency;
    like.op = model::operations::chase;
    if (const model::Roof* roof = model::best_roof(roofs.roofs, like)) attribute.ns = roof->value;
  }
  return attribute;
}

std::string hwloc_of(const std::string& folder, const model::Roofs& roofs) {
  std::set<std::pair<int, int>> pairs;
  for (const model::Roof& roof : roofs.roofs) pairs.emplace(roof.spec.cluster, roof.spec.node);
  std::vector<machines::Attribute> measured;
  for (const auto& [cluster, node] : pairs) {
    if (node < 0) continue;
    const machines::Attribute attribute = attribute_of(roofs, cluster, node);
    if (attribute.gb_per_s || attribute.ns) measured.push_back(attribute);
  }
  if (measured.empty()) {
    throw Error::usage(
        file_in(folder, "roofs.json") +
        ": no local or remote load bandwidth nor idle latency of a memory node; measure them first");
  }
  recorded_topology(folder);  // refuses that of another machine
  return machines::with_measured_attributes(file_in(folder, "topology.xml"), measured);
}

// A row for each core, by its first hardware thread; empty where no pair was measured.
std::string c2c_matrix_of(const std::string& folder) {
  const std::string path = file_in(folder, "c2c.jsonl");
  const auto figures = model::c2c_figures(model::read_lines<model::C2cSample>(path));
  const auto machine = recorded_machine(folder);
  if (figures.empty() || !machine)
    throw Error::usage(
        fmt::format("{}: no figures between cores; {}", path, measuring_advice(folder, "c2c")));
  std::vector<model::PuGroup> cores;
  for (const machines::Cluster& cluster : machine->clusters)
    for (const machines::Core& core : cluster.cores) cores.push_back({core.pus.front()});
  std::string text;
  for (const auto& row : model::c2c_matrix(figures, model::C2cMeasure::handoff, cores)) {
    for (std::size_t column = 0; column < row.size(); ++column)
      text += (column == 0 ? "" : ",") + (std::isnan(row[column]) ? "" : fmt::format("{}", row[column]));
    text += "\n";
  }
  return text;
}

std::string text_of(const ExportArguments& arguments) {
  if (arguments.c2c) return c2c_matrix_of(arguments.folder);
  if (arguments.openmetrics) return openmetrics_of(read_folder(arguments.folder));
  const model::Roofs roofs = roofs_of(arguments.folder);
  if (arguments.hwloc && is_emulated(arguments.folder))
    tell(fmt::format("{}; hwloc will take the figures for speeds", machines::emulated_note));
  return arguments.csv ? csv_of(roofs) : hwloc_of(arguments.folder, roofs);
}

}  // namespace

void export_roofs(const ExportArguments& arguments) {
  if (arguments.csv + arguments.hwloc + arguments.c2c + arguments.openmetrics != 1)
    throw Error::usage("export: choose one of --csv, --hwloc, --c2c and --openmetrics");
  const std::string text = text_of(arguments);
  if (arguments.output.empty()) {
    std::fwrite(text.data(), 1, text.size(), stdout);
  } else {
    write_whole(arguments.output, text);
  }
}

}  // namespace gable::cli

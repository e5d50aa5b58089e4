#include "cli/plot/plot.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/words.hpp"
#include "cli/folder.hpp"
#include "cli/points_file.hpp"
#include "cli/recorded_machine.hpp"
#include "cli/show/recorded.hpp"
#include "cli/text/arguments.hpp"
#include "cli/virt/tables.hpp"
#include "model/json/lines.hpp"
#include "model/records/c2c.hpp"
#include "model/records/placed.hpp"
#include "model/records/tier.hpp"
#include "model/records/virt.hpp"
#include "plots/charts/charts.hpp"

namespace gable::cli {

namespace fs = std::filesystem;
using charts::Recorded;

namespace {

charts::Overlay read_overlay(const std::string& named) {
  const std::string folder = machine_folder(named);
  return {machine_for_charts(folder, recorded_machine(folder)).machine, roofs_of(folder)};
}

struct Drawn {
  Recorded recorded;
  std::vector<model::VirtSample> virt;  // virt.jsonl; none if there is no file
  // Placements, tiers, lines between cores and virtualization can be drawn before anything was fitted.
  bool needs_roofs() const {
    return recorded.placed.empty() && recorded.tiers.empty() && recorded.c2c.empty() && virt.empty();
  }
};

Drawn read_drawn(const PlotArguments& arguments) {
  Drawn drawn;
  Recorded& recorded = drawn.recorded;
  recorded = machine_for_charts(arguments.folder, recorded_machine(arguments.folder));
  recorded.op = model::Operation(arguments.op);
  recorded.column = arguments.pictures.column;
  recorded.with_functions = arguments.functions;
  if (!arguments.overlay.empty()) recorded.overlay = read_overlay(arguments.overlay);
  recorded.placed = model::read_lines<model::Placed>(file_in(arguments.folder, "placements.jsonl"));
  recorded.tiers =
      model::tier_figures(model::read_lines<model::TierSample>(file_in(arguments.folder, "tiers.jsonl")));
  recorded.c2c =
      model::c2c_figures(model::read_lines<model::C2cSample>(file_in(arguments.folder, "c2c.jsonl")));
  drawn.virt = model::read_lines<model::VirtSample>(file_in(arguments.folder, "virt.jsonl"));
  if (drawn.needs_roofs() || fs::exists(file_in(arguments.folder, "roofs.json")))
    recorded.roofs = roofs_of(arguments.folder);
  if (fs::exists(file_in(arguments.folder, "hybrid.json"))) recorded.hybrid = hybrid_of(arguments.folder);
  recorded.points = points_of(arguments.folder);
  recorded.readings = readings_of(arguments.folder, recorded.points, background_of(arguments.folder));
  return drawn;
}

// An operation or a cluster that is not in the file is a mistake of the caller, not an empty chart.
void check(const PlotArguments& arguments, const Recorded& recorded) {
  const std::vector<int> found = charts::clusters_of(recorded);
  const std::set<int> clusters(found.begin(), found.end());
  if (arguments.cluster >= 0 && !clusters.contains(arguments.cluster)) {
    refuse_cluster(std::to_string(arguments.cluster), arguments.folder, clusters);
  }
  std::set<std::string> ops;
  for (const model::Roof& roof : recorded.roofs.roofs) {
    if (roof.spec.kind == model::Kind::bandwidth && makes_roof(roof.spec.pattern))
      ops.insert(roof.spec.op.name());
  }
  if (arguments.op != model::operations::load.name() && !ops.contains(arguments.op)) {
    throw Error::usage(fmt::format("--op {}: {}/roofs.json has {}{}", arguments.op, arguments.folder,
                                   fmt::join(ops, ", "),
                                   did_you_mean(arguments.op, {ops.begin(), ops.end()})));
  }
}

std::vector<charts::Chart> make_charts(const PlotArguments& arguments, const Drawn& drawn) {
  const Recorded& recorded = drawn.recorded;
  std::vector<charts::Chart> charts;
  const bool has_roofs =
      drawn.needs_roofs() || !recorded.roofs.roofs.empty() || !recorded.roofs.ladder.empty();
  if (!has_roofs)
    charts.push_back(charts::omitted_chart(
        "larm", "no roofs are here; run `gable fit " + shell_quoted(arguments.folder) + "` first"));
  add_all(charts, charts::charts_of(recorded, arguments.cluster, has_roofs));
  if (!drawn.virt.empty() && arguments.cluster < 0)
    add_all(charts, charts_of_virt(drawn.virt, recorded.machine, recorded.column));
  return charts;
}

// Each of them is a part of some name; else it is a mistake.
void check_hidden(const std::vector<std::string>& hidden, const std::vector<charts::Chart>& all) {
  std::set<std::string> names;
  for (const charts::Chart& chart : all) {
    for (const charts::LegendEntry& entry : chart.legend) names.insert(entry.text);
    for (const charts::Panel& panel : chart.panels) {
      for (const charts::Series& series : panel.series) names.insert(series.name);
    }
  }
  names.erase("");
  for (const std::string& part : hidden) {
    Recorded one;
    one.hidden = {part};
    if (std::ranges::none_of(names, [&](const std::string& name) { return one.hides(name); }))
      throw Error::usage(fmt::format("--hide {}: no roof or series has that in its name; there are: {}", part,
                                     fmt::join(names, "; ")));
  }
}

}  // namespace

void plot(const PlotArguments& given) {
  PlotArguments arguments = given;
  arguments.folder = folder_with_output(given.folder, given.output, "FOLDER takes the charts");
  Drawn drawn = read_drawn(arguments);
  check(arguments, drawn.recorded);
  if (!given.hidden.empty()) check_hidden(given.hidden, make_charts(arguments, drawn));
  drawn.recorded.hidden = given.hidden;
  draw_charts(make_charts(arguments, drawn),
              given.output.empty() ? arguments.folder + "/charts" : given.output, given.pictures, stdout);
}

}  // namespace gable::cli

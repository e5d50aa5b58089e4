#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "cli/commands.hpp"
#include "cli/draw.hpp"
#include "cli/folder.hpp"
#include "cli/points_file.hpp"
#include "cli/shell_words.hpp"
#include "cli/validators.hpp"
#include "machines/host.hpp"
#include "model/json/fields.hpp"
#include "model/json/format.hpp"
#include "model/json/placed.hpp"
#include "model/json/tiers.hpp"
#include "plots/charts/charts.hpp"
#include "plots/gnuplot/script.hpp"

namespace gable::cli {

namespace fs = std::filesystem;
using charts::Recorded;

namespace {

struct PlotOptions {
  std::string folder;
  int cluster = -1;
  std::string op = "load";
  std::vector<std::string> formats = {"svg", "png"};
};

// Name and CPU of the machine, as far as machine.json tells them.
void read_machine(const std::string& folder, Recorded& recorded) {
  const fs::path name = fs::path(folder).lexically_normal();
  recorded.machine = (name.has_filename() ? name : name.parent_path()).filename().string();
  const std::optional<nlohmann::json> root = machine_json_of(folder);
  if (!root) return;
  const model::Fields machine(*root, file_in(folder, "machine.json") + ":1");
  if (machine.has("cpu_model")) recorded.cpu = machine.text("cpu_model");
  if (machine.has("name") && !machine.text("name").empty()) recorded.machine = machine.text("name");
}

Recorded read_recorded(const PlotOptions& options) {
  Recorded recorded;
  recorded.op = options.op;
  recorded.placed = model::read_placements(file_in(options.folder, "placements.jsonl"));
  recorded.tiers = model::tier_figures(model::read_tier_samples(file_in(options.folder, "tiers.jsonl")));
  // Placements and tiers can be drawn before anything was measured.
  if ((recorded.placed.empty() && recorded.tiers.empty()) ||
      fs::exists(file_in(options.folder, "roofs.json")))
    recorded.roofs = roofs_of(options.folder);
  if (fs::exists(file_in(options.folder, "hybrid.json"))) recorded.hybrid = hybrid_of(options.folder);
  recorded.points = points_of(options.folder);
  recorded.readings = readings_of(recorded.points, background_of(options.folder));
  read_machine(options.folder, recorded);
  if (is_emulated(options.folder)) recorded.caveat = machines::emulated_note;
  return recorded;
}

// An operation or a cluster that is not in the file is a mistake of the caller, not an empty chart.
void check(const PlotOptions& options, const Recorded& recorded) {
  for (const std::string& format : options.formats) {
    if (!gnuplot::is_picture_format(format))
      throw UsageError(fmt::format("--format {}: formats are svg, png and pdf", format));
  }
  const std::vector<int> found = charts::clusters_of(recorded);
  const std::set<int> clusters(found.begin(), found.end());
  if (options.cluster >= 0 && !clusters.contains(options.cluster)) {
    refuse_cluster(std::to_string(options.cluster), options.folder, clusters);
  }
  std::set<std::string> ops;
  for (const model::Roof& roof : recorded.roofs.roofs) {
    if (roof.asked.kind == "bandwidth" && roof.asked.pattern != "hybrid") ops.insert(roof.asked.op);
  }
  if (options.op != "load" && !ops.contains(options.op)) {
    throw UsageError(
        fmt::format("--op {}: {}/roofs.json has {}", options.op, options.folder, fmt::join(ops, ", ")));
  }
}

std::vector<charts::Chart> make_charts(const PlotOptions& options, const Recorded& recorded) {
  std::vector<charts::Chart> charts;
  const bool has_roofs = (recorded.placed.empty() && recorded.tiers.empty()) ||
                         !recorded.roofs.roofs.empty() || !recorded.roofs.ladder.empty();
  if (!has_roofs)
    charts.push_back(charts::omitted_chart(
        "larm", "no roofs are here; run `gable fit " + shell_quoted(options.folder) + "` first"));
  for (charts::Chart& chart : charts::charts_of(recorded, options.cluster, has_roofs))
    charts.push_back(std::move(chart));
  return charts;
}

void plot(const PlotOptions& options) {
  const Recorded recorded = read_recorded(options);
  check(options, recorded);
  draw_charts(make_charts(options, recorded), options.folder + "/charts", options.formats, stdout);
}

}  // namespace

void define_plot(CLI::App& command) {
  const auto options = std::make_shared<PlotOptions>();
  command.add_option("DIR", options->folder, "recorded machine: the folder with roofs.json")->required();
  command.add_option("--cluster", options->cluster, "only the charts of this cluster")->check(not_negative());
  command.add_option("--op", options->op, "operation of the bandwidth roofs")->capture_default_str();
  command.add_option("--format", options->formats, "svg, png, pdf; several with commas")
      ->delimiter(',')
      ->capture_default_str();
  command.callback([options] { plot(*options); });
}

}  // namespace gable::cli

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "cli/commands.hpp"
#include "cli/folder.hpp"
#include "cli/points_file.hpp"
#include "cli/shell_words.hpp"
#include "cli/validators.hpp"
#include "model/json/fields.hpp"
#include "model/json/placed.hpp"
#include "model/json/tiers.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/place.hpp"

namespace gable::cli {

namespace fs = std::filesystem;

namespace {

// Every chart there is. A new one: its function here, its script in plots/.
constexpr Chart (*cluster_charts[])(const Recorded&, int) = {larm_chart, ladder_chart, latency_chart,
                                                             loaded_latency_chart};
constexpr Chart (*pair_charts[])(const Recorded&, const model::HybridPair&) = {hybrid_chart,
                                                                               hybrid_applications_chart};
constexpr Chart (*machine_charts[])(const Recorded&) = {bandwidth_matrix, latency_matrix};

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
  recorded.emulated = is_emulated(options.folder);
  return recorded;
}

std::set<int> clusters_of(const Recorded& recorded) {
  std::set<int> clusters;
  for (const auto* roofs : {&recorded.roofs.roofs, &recorded.roofs.ladder}) {
    for (const model::Roof& roof : *roofs) clusters.insert(roof.asked.cluster);
  }
  for (const model::HybridPair& pair : recorded.hybrid.pairs) clusters.insert(pair.cluster);
  for (const model::Placed& placed : recorded.placed) clusters.insert(placed.cluster);
  for (const model::TierFigure& figure : recorded.tiers) clusters.insert(figure.asked.cluster);
  return clusters;
}

// An operation or a cluster that is not in the file is a mistake of the caller, not an empty chart.
void check(const PlotOptions& options, const Recorded& recorded) {
  for (const std::string& format : options.formats) {
    if (!is_picture_format(format))
      throw UsageError(fmt::format("--format {}: formats are svg, png and pdf", format));
  }
  const std::set<int> clusters = clusters_of(recorded);
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

// Of a cluster whose tiers were measured: writes by each way that was tried, and bandwidth by threads.
void add_tier_charts(const Recorded& recorded, int cluster, std::vector<Chart>& charts) {
  std::vector<std::string> ways;
  for (const model::TierFigure& figure : recorded.tiers) {
    const model::TierCase& asked = figure.asked;
    if (asked.cluster != cluster || asked.access_bytes == 0 || figure.status != model::Status::ok) continue;
    if (std::ranges::find(ways, asked.way) == ways.end()) ways.push_back(asked.way);
  }
  for (const std::string& way : ways) charts.push_back(writes_chart(recorded, cluster, way));
  const auto here = [&](const model::TierFigure& figure) { return figure.asked.cluster == cluster; };
  if (std::ranges::any_of(recorded.tiers, here)) charts.push_back(tier_threads_chart(recorded, cluster));
}

std::vector<Chart> make_charts(const PlotOptions& options, const Recorded& recorded) {
  std::vector<Chart> charts;
  const bool has_roofs = (recorded.placed.empty() && recorded.tiers.empty()) ||
                         !recorded.roofs.roofs.empty() || !recorded.roofs.ladder.empty();
  if (!has_roofs)
    charts.push_back({"larm",
                      "",
                      Table({}),
                      {},
                      "no roofs are here; run `gable fit " + shell_quoted(options.folder) + "` first"});
  for (const int cluster : clusters_of(recorded)) {
    if (options.cluster >= 0 && cluster != options.cluster) continue;
    if (has_roofs) {
      for (const auto make : cluster_charts) charts.push_back(make(recorded, cluster));
    }
    for (Chart& chart : place_charts(recorded, cluster)) charts.push_back(std::move(chart));
    add_tier_charts(recorded, cluster, charts);
  }
  for (const model::HybridPair& pair : recorded.hybrid.pairs) {
    if (options.cluster >= 0 && pair.cluster != options.cluster) continue;
    for (const auto make : pair_charts) charts.push_back(make(recorded, pair));
  }
  if (options.cluster >= 0 || !has_roofs) return charts;
  for (const auto make : machine_charts) charts.push_back(make(recorded));
  return charts;
}

void plot(const PlotOptions& options) {
  const Recorded recorded = read_recorded(options);
  check(options, recorded);
  write_and_draw(make_charts(options, recorded), options.folder + "/charts", options.formats, stdout);
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

#include "cli/place/place.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/lists.hpp"
#include "bench/plan/plan.hpp"
#include "cli/folder.hpp"
#include "cli/interrupt.hpp"
#include "cli/points_file.hpp"
#include "cli/recording.hpp"
#include "cli/text/message.hpp"
#include "model/json/lines.hpp"
#include "model/records/placed.hpp"

namespace gable::cli {

namespace {

constexpr auto look_every = std::chrono::milliseconds(100), patience = std::chrono::milliseconds(500);

// "vertex value" by the names of the file, ascending.
void dump(const bench::Graph& graph, const bench::Workload& workload, const std::string& path) {
  const bench::VertexValues values = workload.values();
  std::vector<std::pair<std::uint64_t, double>> lines;
  for (std::size_t v = 0; v < values.size(); ++v) lines.emplace_back(graph.ids[v], values[v]);
  std::ranges::sort(lines);
  std::string text;
  for (const auto& [name, value] : lines)
    fmt::format_to(std::back_inserter(text), "{} {:.9g}\n", name, value);
  write_whole(path, text);
}

// Prints the records of placements.jsonl as a table or as JSON.
void print_placements(const std::vector<model::Placed>& all, bool json) {
  if (!json) {
    std::fputs(place_table(all).c_str(), stdout);
    return;
  }
  std::string text = "{\"schema\":1,\"placements\":[";
  for (std::size_t i = 0; i < all.size(); ++i) text += (i == 0 ? "\n" : ",\n") + model::to_line(all[i]);
  fmt::print("{}\n]}}\n", text);
}

}  // namespace

QuickStop::QuickStop(std::function<std::string()> last) : last_(std::move(last)) {
  stop_requested();  // from here on
  watcher_ = std::thread([this] { watch(); });
}

QuickStop::~QuickStop() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  over_.notify_all();
  watcher_.join();
}

void QuickStop::watch() {
  const auto ended = [this] { return ended_; };
  std::unique_lock lock(mutex_);
  while (!stop_requested()) {
    if (over_.wait_for(lock, look_every, ended)) return;
  }
  if (over_.wait_for(lock, patience, ended)) return;
  const auto nobody_writes = hold();
  tell(last_());
  std::fflush(stdout);
  end_by_signal();
}

void PlaceCampaign::run(const PlaceTeam& team, bench::Team& threads, const std::string& path) {
  bench::Crew crew(threads, team.cpus);
  for (const std::string& variant : workload_.variants()) {
    const std::size_t parts = workload_.parts(variant, crew.threads()).size();
    for (const auto& placement : bench::placements(tiers_.size(), parts)) {
      if (stop_requested()) return;
      std::vector<const bench::Tier*> where;
      for (const std::size_t tier : placement) where.push_back(&tiers_[tier]);
      model::Placed placed = one(variant, where, team, crew);
      const auto whole = quick_stop_.hold();
      if (stop_requested()) return;
      append_line(path, model::to_line(placed));
      placed_.push_back(std::move(placed));
    }
  }
}

model::Placed PlaceCampaign::one(const std::string& variant, const std::vector<const bench::Tier*>& where,
                                 const PlaceTeam& team, bench::Crew& crew) {
  int made = 0;
  const auto after_run = [&] {  // called for a verified result, before the next run
    show(variant, where, ++made);
    if (dumped_ || options_.dump.empty()) return;
    const auto whole = quick_stop_.hold();
    dump(graph_, workload_, options_.dump);
    dumped_ = true;
  };
  const bench::PlaceOptions options{options_.cluster, team.smt,       team.skip,
                                    options_.runs,    options_.graph, options_.cache_bytes};
  const model::Placed placed =
      bench::place(workload_, graph_, variant, where, options, crew, after_run, stop_requested());
  if (!options_.quiet && can_redraw()) redraw("");
  return placed;
}

void PlaceCampaign::show(const std::string& variant, const std::vector<const bench::Tier*>& where,
                         int made) const {
  if (options_.quiet || !can_redraw()) return;
  const std::string names = joined(where, &bench::Tier::name);
  const std::string run = made <= options_.runs
                              ? fmt::format("run {} of {}", made, options_.runs)
                              : fmt::format("run {}, until {} are undisturbed", made, options_.runs);
  redraw(fmt::format("{} {} in {}: {}", workload_.name(), variant, names, run));
}

void place(PlaceArguments arguments) {
  const machines::Machine machine = measurable_machine();
  std::vector<PlaceTeam> teams = place_teams(machine, arguments.cluster, arguments.threads, arguments.smt);
  std::vector<bench::Tier> tiers = tiers_of(machine, arguments.tiers, arguments.cluster);
  const machines::Host host = machines::this_host();
  const std::string path = file_in(arguments.folder, "placements.jsonl");
  require_recording(arguments.folder);
  require_writable(arguments.folder);
  const auto last_words = [&] {
    return std::filesystem::exists(path) ? "interrupted; the finished measurements are kept in " + path
                                         : std::string("interrupted before anything was measured");
  };
  QuickStop quick_stop(last_words);
  bench::Team threads;
  bool any_figure = false;
  try {
    const Recording recording(arguments.folder, machine, host);
    complete_lines(path);
    const std::vector<unsigned> all_cpus =
        bench::pus_of(own_cluster(machine, arguments.cluster), 0, arguments.smt != "no");
    bench::Crew crew(threads, all_cpus);
    const bench::Graph graph = read_graph(arguments.graph, host, crew);
    arguments.campaign.graph = graph_name(arguments.graph, graph);
    require_same_graph(path, arguments.campaign.graph, graph);
    arguments.campaign.cluster = arguments.cluster;
    arguments.campaign.cache_bytes = bench::last_level_bytes(own_cluster(machine, arguments.cluster));
    const auto workload = bench::make_workload(arguments.workload, graph, arguments.workload_options);
    PlaceCampaign campaign(arguments.campaign, graph, *workload, std::move(tiers), quick_stop);
    for (const PlaceTeam& team : teams) campaign.run(team, threads, path);
    print_placements(campaign.placed(), arguments.json);
    any_figure = std::ranges::any_of(
        campaign.placed(), [](const model::Placed& each) { return each.status == model::Status::ok; });
    if (!stop_requested()) {
      for (const model::Point& point : points_of_placements(campaign.placed())) {
        const auto whole = quick_stop.hold();
        put_point(arguments.folder, point);
      }
    }
  } catch (const std::exception& error) {
    if (stop_requested()) throw Error::interrupted(last_words());
    if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
      throw Error::failed(arguments.graph.source + ": not enough memory for this graph");
    throw;
  }
  if (stop_requested()) throw Error::interrupted(last_words());
  if (!any_figure) throw Error::failed("place: no placement has a valid figure; the reasons are above");
}

void list_placements(const std::string& folder, const std::string& workload, const std::string& graph,
                     bool json) {
  const std::string path = file_in(folder, "placements.jsonl");
  std::vector<model::Placed> all = model::read_lines<model::Placed>(path);
  std::erase_if(all, [&](const model::Placed& placed) {
    return (!workload.empty() && placed.workload != workload) ||
           (!graph.empty() && !is_graph_of(placed.graph, graph));
  });
  if (all.empty()) throw Error::usage(path + ": no such placements; run `gable place DIR --bench …`");
  print_placements(all, json);
}

}  // namespace gable::cli

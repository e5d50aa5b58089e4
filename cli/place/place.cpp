#include "cli/place/place.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "bench/plan/plan.hpp"
#include "cli/folder.hpp"
#include "cli/interrupt.hpp"
#include "cli/place/points.hpp"
#include "cli/place/quick_stop.hpp"
#include "cli/place/records.hpp"
#include "cli/place/teams.hpp"
#include "cli/place/tiers.hpp"
#include "cli/points_file.hpp"
#include "cli/recording.hpp"

namespace gable::cli {

void place(PlaceArguments arguments) {
  const machines::Machine machine = machines::this_machine();
  if (!machine.is_this_host)
    throw Error::usage("HWLOC_XMLFILE or HWLOC_SYNTHETIC describes another machine: unset it");
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
    const std::vector<unsigned> all_cpus = bench::pus_of(
        machine.clusters[static_cast<std::size_t>(arguments.cluster)], 0, arguments.smt != "no");
    bench::Crew crew(threads, all_cpus);
    const bench::Graph graph = read_graph(arguments.graph, host, crew);
    arguments.campaign.graph = graph_name(arguments.graph, graph);
    require_same_graph(path, arguments.campaign.graph, graph);
    arguments.campaign.cluster = arguments.cluster;
    arguments.campaign.cache_bytes =
        bench::last_level_bytes(machine.clusters[static_cast<std::size_t>(arguments.cluster)]);
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

}  // namespace gable::cli

#include "cli/place/teams.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/error.hpp"
#include "bench/plan/plan.hpp"

namespace gable::cli {

std::vector<PlaceTeam> place_teams(const machines::Machine& machine, int cluster,
                                   const std::vector<int>& threads, const std::string& smt) {
  if (cluster >= static_cast<int>(machine.clusters.size()))
    throw Error::usage(
        fmt::format("--cluster {}: this machine has {} clusters, from 0", cluster, machine.clusters.size()));
  const machines::Cluster& home = machine.clusters[static_cast<std::size_t>(cluster)];
  const std::size_t cores = bench::pus_of(home, 0, false).size(), all = bench::pus_of(home, 0, true).size();
  const std::size_t room = smt == "no" ? cores : all;
  std::vector<PlaceTeam> teams;
  for (const bool with_smt : {false, true}) {
    if (smt != "both" && with_smt != (smt == "yes")) continue;
    for (const int count : threads) {
      if (static_cast<std::size_t>(count) > room)
        throw Error::usage(fmt::format("--threads {}: the cluster has room for {}{}", count, room,
                                       smt == "no" ? ", one per core (--smt: one per hardware thread)" : ""));
      if (!with_smt && static_cast<std::size_t>(count) > cores) continue;
      PlaceTeam team{with_smt, bench::pus_of(home, count, with_smt), {}};
      if (with_smt && all == cores) team.skip = {model::NoteCode::no_second_threads_in, {double(cluster)}};
      const auto same = [&](const PlaceTeam& other) {
        return other.smt == team.smt && other.cpus == team.cpus;
      };
      if (std::ranges::none_of(teams, same)) teams.push_back(std::move(team));
    }
  }
  return teams;
}

}  // namespace gable::cli

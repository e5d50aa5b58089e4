#include "cli/place/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/log_file.hpp"
#include "base/whole_file.hpp"
#include "cli/interrupt.hpp"
#include "cli/text/progress_line.hpp"
#include "model/json/placed.hpp"

namespace gable::cli {

namespace {

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

}  // namespace

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
      append_line(path, model::placed_to_line(placed));
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

}  // namespace gable::cli

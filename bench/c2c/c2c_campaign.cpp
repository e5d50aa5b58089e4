#include "bench/c2c/c2c_campaign.hpp"

#include <algorithm>

namespace gable::bench {

namespace {

using model::C2cSample;

std::vector<RoundVisit<C2cCell>> visits_left(const std::vector<C2cCell>& cells, const Visited& visited) {
  return open_rounds(
      cells, visited, [](const C2cCell& cell) { return cell.rounds; },
      [](const C2cCell& cell) { return model::key(cell.spec); });
}

class C2cCampaign {
 public:
  C2cCampaign(const C2cPlan& plan, double budget, std::vector<C2cSample> recorded, const C2cHooks& hooks,
              const C2cDiffering& differing, const C2cVisit& visit, const std::atomic<bool>& stop)
      : plan_(plan),
        samples_(std::move(recorded)),
        hooks_(hooks),
        differing_(differing),
        visit_(visit),
        stop_(stop) {
    if (budget > 0) deadline_ = monotonic_seconds() + budget;
  }

  bool run() {
    return visit_all(plan_.cells) && visit_all(plan_.cells) && visit_all(cells_of_differing(false)) &&
           visit_all(cells_of_differing(true));
  }

 private:
  // Makes the visits that were not made, or were invalid.
  bool visit_all(const std::vector<C2cCell>& cells) {
    const auto open = visits_left(cells, visited_of(samples_));
    double expected = 0;
    for (const auto& visit : open) expected += expected_seconds(*visit.cell);
    const double budget = deadline_ > 0 ? std::max(1e-3, deadline_ - monotonic_seconds()) : 0;
    const C2cHooks hooks = {[&](const C2cSample& sample) {
                              samples_.push_back(sample);
                              hooks_.record(sample);
                            },
                            hooks_.progress};
    const auto visit = [&](std::size_t at, std::size_t&) -> std::vector<C2cSample> {
      const C2cCell& cell = *open[at].cell;
      return {visit_(cell.spec, open[at].round, cell.visit_seconds)};
    };
    const auto left = [&](std::size_t, double spent, double) { return std::max(0.0, expected - spent); };
    return visit_rounds(open, budget, hooks, stop_, visit, left);
  }

  // The cells of the pairs that differ most: further visits to what showed it, or all of the pair.
  std::vector<C2cCell> cells_of_differing(bool in_full) const {
    constexpr int further_rounds = 2;
    std::vector<C2cCell> cells;
    const std::vector<model::C2cCase> all = differing_(samples_);
    for (std::size_t i = 0; i < std::min(all.size(), most_differing_pairs); ++i) {
      const model::C2cCase& spec = all[i];
      if (in_full) {
        const PlacePair pair = {place_of(spec.pus.front()), place_of(spec.pus.back())};
        std::ranges::copy(cells_of_pair(plan_, pair, spec.between), std::back_inserter(cells));
      } else {
        cells.push_back({spec, 1 + further_rounds, plan_.visit_seconds});
      }
    }
    return cells;
  }

  std::size_t place_of(unsigned pu) const {
    return static_cast<std::size_t>(std::ranges::find(plan_.places, pu, &machines::Place::pu) -
                                    plan_.places.begin());
  }

  const C2cPlan& plan_;
  std::vector<C2cSample> samples_;
  const C2cHooks& hooks_;
  const C2cDiffering& differing_;
  const C2cVisit& visit_;
  const std::atomic<bool>& stop_;
  double deadline_ = 0;
};

}  // namespace

VisitsLeft left_of(const C2cPlan& plan, const std::vector<C2cSample>& recorded) {
  VisitsLeft left;
  for (const auto& visit : visits_left(plan.cells, visited_of(recorded))) {
    ++left.visits;
    left.seconds += expected_seconds(*visit.cell);
  }
  return left;
}

bool run_c2c(const C2cPlan& plan, double budget, std::vector<C2cSample> recorded, const C2cHooks& hooks,
             const C2cDiffering& differing, const C2cVisit& visit, const std::atomic<bool>& stop) {
  return C2cCampaign(plan, budget, std::move(recorded), hooks, differing, visit, stop).run();
}

}  // namespace gable::bench

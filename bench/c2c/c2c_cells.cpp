#include "bench/c2c/c2c_cells.hpp"

#include <algorithm>
#include <limits>

namespace gable::bench {

namespace {

using model::C2cMeasure;
using model::Home;

// How much is measured, by level.
struct C2cAmount {
  int rounds;
  double visit_seconds;
  std::size_t pairs, spots;  // of each class
  int spot_rounds;
  bool reads;  // spots also read lines, in both directions
};
constexpr std::size_t all_pairs = std::numeric_limits<std::size_t>::max();
constexpr C2cAmount c2c_amounts[] = {
    {3, 0.01, 2, 32, 1, false},
    {6, 0.02, 3, 512, 1, false},
    {9, 0.02, 4, all_pairs, 2, true},
};
constexpr double spot_seconds = 0.0027;

// An emulated machine shows that everything works; its times mean nothing.
constexpr C2cAmount emulated_c2c = {2, 0.01, 2, 4, 1, false};

constexpr double threads_seconds = 0.0015;  // pinning, starting and probing the threads
constexpr double shared_factor = 1.1;       // flushing the lines between two passes

int node_of(const C2cPlan& plan, std::size_t place) {
  return plan.places[place].node;
}

Home home_of(int node, int first, int second) {
  if (node == first) return first == second ? Home::both : Home::first;
  return node == second ? Home::second : Home::other;
}

C2cCell cell_of_pair(const C2cPlan& plan, C2cMeasure measure, const PlacePair& pair, int node,
                     const model::PairClass& between) {
  return {{.measure = measure,
           .pus = {plan.places[pair.first].pu, plan.places[pair.second].pu},
           .node = node,
           .home = home_of(node, node_of(plan, pair.first), node_of(plan, pair.second)),
           .between = between},
          plan.rounds,
          plan.visit_seconds};
}

void add_pair_at(const C2cPlan& plan, const PlacePair& pair, int node, const model::PairClass& between,
                 std::vector<C2cCell>& cells) {
  cells.push_back(cell_of_pair(plan, C2cMeasure::handoff, pair, node, between));
  for (const C2cMeasure measure : {C2cMeasure::modified, C2cMeasure::shared}) {
    cells.push_back(cell_of_pair(plan, measure, pair, node, between));
    cells.push_back(cell_of_pair(plan, measure, {pair.second, pair.first}, node, between));
  }
}

// The last node that belongs to neither and has memory: one that is far away; -1: there is none.
int other_node(const machines::Machine& machine, int first, int second) {
  for (auto node = machine.nodes.rbegin(); node != machine.nodes.rend(); ++node) {
    const auto index = static_cast<int>(node->os_index);
    if (index != first && index != second && node->bytes > 0 && !node->cpuless) return index;
  }
  return -1;
}

// 2, 4, 8, ... and all.
std::vector<std::size_t> group_sizes(std::size_t cores) {
  std::vector<std::size_t> sizes;
  for (std::size_t size = 2; size < cores; size *= 2) sizes.push_back(size);
  if (cores >= 2) sizes.push_back(cores);
  return sizes;
}

void add_groups(C2cPlan& plan) {
  std::vector<unsigned> pus;
  for (std::size_t i = 0; i < plan.places.size(); ++i)
    if (i == 0 || plan.places[i - 1].core != plan.places[i].core) pus.push_back(plan.places[i].pu);
  for (const std::size_t size : group_sizes(pus.size())) {
    for (const C2cMeasure measure : {C2cMeasure::increments, C2cMeasure::lock}) {
      C2cCell cell{{}, plan.rounds, plan.visit_seconds};
      cell.spec.measure = measure;
      cell.spec.pus.assign(pus.begin(), pus.begin() + static_cast<std::ptrdiff_t>(size));
      cell.spec.node = node_of(plan, 0);
      plan.cells.push_back(cell);
    }
  }
}

void add_spot(const C2cPlan& plan, const PlacePair& pair, const model::PairClass& between,
              const C2cAmount& amount, std::vector<C2cCell>& spots) {
  const int node = node_of(plan, pair.first);
  std::vector<C2cCell> cells = {cell_of_pair(plan, C2cMeasure::handoff, pair, node, between)};
  if (amount.reads) {
    cells.push_back(cell_of_pair(plan, C2cMeasure::modified, pair, node, between));
    cells.push_back(cell_of_pair(plan, C2cMeasure::modified, {pair.second, pair.first}, node, between));
  }
  for (C2cCell& cell : cells) {
    cell.rounds = amount.spot_rounds;
    cell.visit_seconds = spot_seconds;
    cell.is_spot = true;
    spots.push_back(cell);
  }
}

// The pairs of the class that the records have.
std::set<PlacePair> recorded_pairs(const C2cPlan& plan, const std::vector<PlacePair>& pairs,
                                   const std::vector<model::C2cSample>& recorded) {
  std::set<std::pair<unsigned, unsigned>> seen;
  for (const model::C2cSample& sample : recorded) {
    if (sample.spec.measure == C2cMeasure::handoff && sample.status == model::Status::ok)
      seen.emplace(sample.spec.pus.front(), sample.spec.pus.back());
  }
  std::set<PlacePair> known;
  for (const PlacePair& pair : pairs)
    if (seen.contains({plan.places[pair.first].pu, plan.places[pair.second].pu})) known.insert(pair);
  return known;
}

}  // namespace

std::vector<C2cCell> cells_of_pair(const C2cPlan& plan, const PlacePair& pair,
                                   const model::PairClass& between) {
  std::vector<C2cCell> cells;
  add_pair_at(plan, pair, node_of(plan, pair.first), between, cells);
  if (node_of(plan, pair.second) != node_of(plan, pair.first))
    add_pair_at(plan, pair, node_of(plan, pair.second), between, cells);
  return cells;
}

C2cPlan c2c_plan(const machines::Machine& machine, const machines::Host& host, const C2cOptions& options,
                 const std::vector<model::C2cSample>& recorded) {
  const C2cAmount amount = host.emulated ? emulated_c2c : c2c_amounts[std::clamp(options.level, 0, 2)];
  C2cPlan plan;
  plan.rounds = amount.rounds;
  plan.visit_seconds = amount.visit_seconds;
  plan.places = places_of(machine);
  plan.classes = pairs_by_class(machine, plan.places);
  std::vector<C2cCell> spots;
  for (const auto& [between, pairs] : plan.classes) {
    const std::vector<PlacePair> full = unlike_pairs(plan.places, pairs, amount.pairs);
    for (const PlacePair& pair : full)
      std::ranges::copy(cells_of_pair(plan, pair, between), std::back_inserter(plan.cells));
    const PlacePair& first = full.front();
    const int other = other_node(machine, node_of(plan, first.first), node_of(plan, first.second));
    if (other >= 0) add_pair_at(plan, first, other, between, plan.cells);
    std::set<PlacePair> known(full.begin(), full.end());
    if (amount.spots != all_pairs) known.merge(recorded_pairs(plan, pairs, recorded));
    const std::size_t had = known.size() - full.size();
    for (const PlacePair& pair :
         random_pairs(pairs, known, amount.spots - std::min(amount.spots, had), options.seed))
      add_spot(plan, pair, between, amount, spots);
  }
  add_groups(plan);
  std::ranges::copy(spots, std::back_inserter(plan.cells));
  return plan;
}

double expected_seconds(const C2cCell& cell) {
  const double factor = cell.spec.measure == C2cMeasure::shared ? shared_factor : 1;
  return threads_seconds + factor * cell.visit_seconds;
}

double probability_to_meet(const C2cPlan& plan) {
  std::set<std::pair<unsigned, unsigned>> met;
  for (const C2cCell& cell : plan.cells)
    if (cell.spec.measure == C2cMeasure::handoff && cell.spec.between.relation != model::Relation::core)
      met.emplace(cell.spec.pus.front(), cell.spec.pus.back());
  std::size_t all = 0;
  for (const auto& [between, pairs] : plan.classes)
    if (between.relation != model::Relation::core) all += pairs.size();
  return all == 0 ? 1 : static_cast<double>(met.size()) / static_cast<double>(all);
}

}  // namespace gable::bench

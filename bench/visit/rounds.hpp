#pragma once

// Visits to cells round by round: which are open, in which order they are made, when they end, and who is
// told.

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/clocks.hpp"
#include "model/records/records.hpp"

namespace gable::bench {

/// Visits that were made before: the key of what was asked, and the round.
using Visited = std::set<std::pair<std::string, int>>;

/// Visits that need not be made again: those that were ok.
template <typename Sample>
Visited visited_of(const std::vector<Sample>& recorded) {
  Visited visited;
  for (const Sample& sample : recorded)
    if (sample.status == model::Status::ok) visited.insert({key(sample.spec), sample.round});
  return visited;
}

/// Visits to make, and the seconds that they are expected to take.
struct VisitsLeft {
  int visits = 0;
  double seconds = 0;
};

template <typename Sample>
struct RoundProgress {
  int visits_done = 0, visits = 0;
  std::optional<double> seconds_left = {};  ///< nothing as long as it is not known
  const Sample* last = nullptr;
};

template <typename Sample>
struct RoundHooks {
  std::function<void(const Sample&)> record;  ///< an exception from it ends the visits
  std::function<void(const RoundProgress<Sample>&)> progress;
};

template <typename Cell>
struct RoundVisit {
  const Cell* cell = nullptr;
  int round = 0;
};

/// The visits that `visited` lacks. Every round visits the cells in order, and each cell takes part in the
/// first rounds(cell) rounds. key(cell) is the key of what the cell asks.
template <typename Cell, typename Rounds, typename Key>
std::vector<RoundVisit<Cell>> open_rounds(const std::vector<Cell>& cells, const Visited& visited,
                                          const Rounds& rounds, const Key& key) {
  int most = 0;
  for (const Cell& cell : cells) most = std::max(most, rounds(cell));
  std::vector<RoundVisit<Cell>> open;
  for (int round = 0; round < most; ++round) {
    for (const Cell& cell : cells) {
      if (round < rounds(cell) && !visited.contains({key(cell), round})) open.push_back({&cell, round});
    }
  }
  return open;
}

/// Makes the visits. visit(first, count) returns the Samples of the visit with the number `first`, or none to
/// pass it over. It may make several visits at once, and then sets `count` to their number. left(done, spent,
/// took) estimates the seconds that remain after `done` visits in `spent` seconds, of which the last visit
/// took `took`; it is called for every Sample. An interruption or the end of the budget (seconds; 0: none)
/// keeps the visits that are complete. Returns whether everything was visited.
template <typename Sample, typename Cell, typename Visit, typename Left>
bool visit_rounds(const std::vector<RoundVisit<Cell>>& open, double budget, const RoundHooks<Sample>& hooks,
                  const std::atomic<bool>& stop, const Visit& visit, Left left) {
  const double begin = monotonic_seconds();
  double spent = 0;
  for (std::size_t done = 0; done < open.size();) {
    if (stop || (budget > 0 && spent >= budget)) return false;
    std::size_t count = 1;
    const double before = monotonic_seconds();
    const std::vector<Sample> samples = visit(done, count);
    if (stop) return false;
    done += count;
    spent = monotonic_seconds() - begin;
    const double took = begin + spent - before;
    for (const Sample& sample : samples) {
      hooks.record(sample);
      hooks.progress(
          {static_cast<int>(done), static_cast<int>(open.size()), left(done, spent, took), &sample});
    }
  }
  return true;
}

}  // namespace gable::bench

#pragma once

// Visits to cells round by round: what is open, in which order, until when, and who is told of it.

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/clocks.hpp"

namespace gable::bench {

/// Visits that were made before: the key of what was asked, and the round.
using Visited = std::set<std::pair<std::string, int>>;

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

/// What `visited` lacks: every round visits the cells in order, each in as many rounds as rounds(cell) says.
/// key(cell) is that of what it asks.
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

/// Makes the visits: visit(first, count) returns the Samples of the visit with the number `first`, none if it
/// is passed over, and may make several at once, so many as it sets `count` to. left(done, spent, took) tells
/// the seconds to come after so many visits and seconds, of which the last visit took so many. An
/// interruption leaves what is complete, and so does the end of the budget (seconds, 0: none). Returns
/// whether everything was visited.
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

#include "points/workers.hpp"

#include <algorithm>
#include <utility>

namespace gable::points {

namespace {

// The most intervals that have a moment in common.
int most_at_once(const std::vector<std::pair<double, double>>& intervals) {
  std::vector<std::pair<double, int>> changes;
  for (const auto& [begin, end] : intervals) {
    changes.emplace_back(begin, -1);  // before the ends at the same look, which saw both
    changes.emplace_back(end, 1);
  }
  std::ranges::sort(changes);
  int now = 0, most = 0;
  for (const auto& [at, change] : changes) most = std::max(most, now -= change);
  return most;
}

}  // namespace

bool Workers::Life::only_waited() const {
  constexpr double little = 0.02;
  return last > first && running - running_first < little * (last - first);
}

void Workers::look(const std::vector<ThreadTimes>& threads, double now) {
  for (const ThreadTimes& thread : threads) {
    const auto [place, is_new] =
        lives_.try_emplace(thread.tid, Life{now, now, thread.running, thread.running});
    Life& life = place->second;
    if (!is_new && thread.running < life.running) {
      past_.push_back(life);
      life = {now, now, thread.running, thread.running};
    }
    life.last = now;
    life.running = thread.running;
  }
}

int Workers::most() const {
  std::vector<std::pair<double, double>> all, working;
  const auto add = [&](const Life& life) {
    all.emplace_back(life.first, life.last);
    if (!life.only_waited()) working.emplace_back(life.first, life.last);
  };
  for (const auto& [tid, life] : lives_) add(life);
  for (const Life& life : past_) add(life);
  return most_at_once(working.empty() ? all : working);
}

}  // namespace gable::points

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

std::vector<Workers::Life> Workers::all_lives() const {
  std::vector<Life> all = past_;
  for (const auto& [tid, life] : lives_) all.push_back(life);
  return all;
}

std::vector<Workers::Life> Workers::working_lives() const {
  const std::vector<Life> all = all_lives();
  std::vector<Life> working = all;
  std::erase_if(working, [](const Life& life) { return life.only_waited(); });
  if (working.empty()) working = all;
  if (working.empty()) return {};
  const double busiest = std::ranges::max(working, {}, &Life::running).running;
  constexpr double small = 0.05, small_together = 0.1;
  const auto is_small = [&](const Life& life) { return life.running < small * busiest; };
  double together = 0;
  for (const Life& life : working) together += is_small(life) ? life.running : 0;
  if (together < small_together * busiest) std::erase_if(working, is_small);
  return working;
}

int Workers::most() const {
  std::vector<std::pair<double, double>> intervals;
  for (const Life& life : working_lives()) intervals.emplace_back(life.first, life.last);
  return most_at_once(intervals);
}

}  // namespace gable::points

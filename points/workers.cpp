#include "points/workers.hpp"
#include "base/sorting.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace gable::points {

namespace {

constexpr double shortest = 0.02;  // seconds between two looks that are compared
constexpr double inexact = 0.05;   // of the time: looks at threads are not simultaneous

double work_of(const ThreadTimes& thread) {
  return thread.running + thread.waiting;
}

// A core for every thread as far as there are some, by augmenting paths.
class Assignment {
 public:
  explicit Assignment(const std::vector<std::vector<int>>& wanted) : wanted_(wanted) {
    for (std::size_t thread = 0; thread < wanted.size(); ++thread) {
      tried_.clear();
      if (place(thread)) ++count;
    }
  }

  int count = 0;

 private:
  bool place(std::size_t thread) {
    for (const int core : wanted_[thread]) {
      if (!tried_.insert(core).second) continue;
      const auto taken = by_core_.find(core);
      if (taken != by_core_.end() && !place(taken->second)) continue;
      by_core_[core] = thread;
      return true;
    }
    return false;
  }

  const std::vector<std::vector<int>>& wanted_;
  std::map<int, std::size_t> by_core_;
  std::set<int> tried_;
};

}  // namespace

std::map<unsigned, int> cores_by_cpu(const std::vector<machines::Cluster>& clusters) {
  std::map<unsigned, int> cores;
  int number = 0;
  for (const machines::Cluster& cluster : clusters) {
    for (const machines::Core& core : cluster.cores) {
      for (const unsigned cpu : core.pus) cores[cpu] = number;
      ++number;
    }
  }
  return cores;
}

int most_on_cores(const std::vector<std::vector<int>>& cores_of_threads) {
  return Assignment(cores_of_threads).count;
}

void Workers::look(const std::vector<ThreadTimes>& threads, double now) {
  const bool is_first = before_.empty();
  if (is_first || now - begin_ >= shortest) {
    if (!is_first) add(threads, now, seconds_);
    before_.clear();
    for (const ThreadTimes& thread : threads) before_[thread.tid] = thread;
    begin_ = now;
  }
  if (threads.empty()) return;
  last_ = threads;
  last_time_ = now;
}

// The threads that worked since the last look, the busiest first.
std::vector<Workers::Part> Workers::parts(const std::vector<ThreadTimes>& threads) const {
  std::vector<Part> parts;
  for (const ThreadTimes& thread : threads) {
    const auto found = before_.find(thread.tid);
    // A new one, perhaps with the id of another, began after the last look.
    const bool is_new = found == before_.end() || found->second.running > thread.running;
    const double passed = thread.at - (is_new ? begin_ : found->second.at);
    const double worked = work_of(thread) - (is_new ? 0 : work_of(found->second));
    if (passed > 0 && worked > 0) parts.push_back({std::min(1.0, worked / passed), &thread});
  }
  sort_down_by(parts, &Part::work);
  return parts;
}

int Workers::cores_of(const std::vector<Part>& parts, std::size_t count) const {
  std::vector<std::vector<int>> wanted;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<int>& own = wanted.emplace_back();
    for (const unsigned cpu : parts[i].thread->allowed) {
      if (const auto core = cores_.find(cpu); core != cores_.end()) own.push_back(core->second);
    }
    if (own.empty()) return 0;
  }
  return most_on_cores(wanted);
}

void Workers::add(const std::vector<ThreadTimes>& threads, double now, Seconds& seconds) const {
  const std::vector<Part> working = parts(threads);
  if (working.empty()) return;
  const double passed = now - begin_, error = inexact + coarsest_tick / passed;
  double sum = 0;
  for (const Part& part : working) sum += part.work;
  const auto beside_busiest =
      std::ranges::count_if(working.begin() + 1, working.end(),
                            [&](const Part& part) { return part.work + working.front().work > 1 + error; });
  const auto count = std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(std::ceil(sum - error)),
                                                1 + beside_busiest, std::ssize(working));
  seconds[static_cast<int>(count)][cores_of(working, static_cast<std::size_t>(count))] += passed;
}

// The work is the sum of the threads' times.
AtOnce Workers::most() const {
  constexpr double least = 0.15;
  Seconds seconds = seconds_;
  if (seconds.empty() && last_time_ > begin_) add(last_, last_time_, seconds);
  if (seconds.empty()) return {last_.empty() ? 0 : 1, 0};
  double all = 0, so_far = 0;
  for (const auto& [threads, by_cores] : seconds) {
    for (const auto& [cores, time] : by_cores) all += threads * time;
  }
  std::map<int, double> time_on;
  for (auto each = seconds.rbegin(); each != seconds.rend(); ++each) {
    for (const auto& [cores, time] : each->second) {
      time_on[cores] += time;
      so_far += each->first * time;
    }
    if (so_far < least * all) continue;
    const auto longest =
        std::ranges::max_element(time_on, {}, [](const auto& entry) { return entry.second; });
    return {each->first, std::min(each->first, longest->first)};
  }
  return {};
}

}  // namespace gable::points

#include "points/activity.hpp"

#include <algorithm>

namespace gable::points {

namespace {

constexpr double tolerated_late = 0.05;  // of the CPU time
constexpr int elsewhere = -1;            // on a CPU of no cluster

}  // namespace

Activity::Activity(const std::vector<machines::Cluster>& clusters, double begin) : last_(begin) {
  for (const machines::Cluster& cluster : clusters) {
    lost_[cluster.index] = {};
    for (const machines::Core& core : cluster.cores) {
      for (const unsigned cpu : core.pus) clusters_[cpu] = cluster.index;
    }
  }
}

int Activity::cluster_of(unsigned cpu) const {
  const auto found = clusters_.find(cpu);
  return found == clusters_.end() ? elsewhere : found->second;
}

// The part of the time since `known` in which the thread was at work. What a tick adds too late fills later
// gaps, so that a thread that always runs is always at work.
double Activity::work_since(const ThreadTimes& thread, Known& known) {
  const double passed = thread.at - known.times.at;
  const double ran = std::max(0.0, thread.running - known.times.running);
  const double wanted = ran + std::max(0.0, thread.waiting - known.times.waiting) + known.spare;
  const double worked = std::clamp(wanted, 0.0, std::max(0.0, passed));
  ran_ += ran;
  late_ += std::max(0.0, ran - passed - coarsest_tick);
  known = {thread, std::min(coarsest_tick, wanted - worked)};
  return passed > 0 ? worked / passed : 0;
}

void Activity::look(const std::vector<ThreadTimes>& threads, double now) {
  const std::map<int, Known> before = std::move(threads_);
  threads_.clear();
  std::map<int, Busy> busy;
  for (const ThreadTimes& thread : threads) {
    const auto found = before.find(thread.tid);
    // A new one, perhaps with the id of another, began after the last look.
    const bool is_new = found == before.end() || found->second.times.running > thread.running;
    Known known = is_new ? Known{{thread.tid, thread.cpu, 0, 0, last_}, 0} : found->second;
    const double part = work_since(thread, known);
    threads_[thread.tid] = known;
    Busy& here = busy[cluster_of(thread.cpu)];
    here.least = std::max(here.least, part);
    here.most += part;
  }
  for (const auto& [tid, known] : before) {
    if (!threads_.contains(tid)) busy[cluster_of(known.times.cpu)].most += 1;  // until when is not known
  }
  if (!busy.empty()) lose(now - last_, busy);
  last_ = now;
}

void Activity::lose(double seconds, const std::map<int, Busy>& busy) {
  seconds_ += seconds;
  for (auto& [cluster, lost] : lost_) {
    Busy own, others;
    for (const auto& [index, each] : busy) {
      Busy& side = index == cluster ? own : others;
      side.least = std::max(side.least, each.least);
      side.most = std::min(1.0, side.most + each.most);
    }
    lost.least += seconds * std::max(0.0, others.least - own.most);
    lost.most += seconds * std::min(others.most, 1 - own.least);
  }
}

ActiveShares Activity::shares(double end) const {
  if (seconds_ <= 0) return {{}, "it ended before they were observed"};
  if (late_ > tolerated_late * ran_)
    return {{}, "the kernel updates CPU times too rarely (nohz_full, or a busy host)"};
  Activity to_end = *this;
  to_end.look({}, std::max(end, last_));
  ActiveShares shares;
  for (const auto& [cluster, lost] : lost_) {
    const Lost& all = to_end.lost_.at(cluster);
    const double lo = 1 - all.most / to_end.seconds_, hi = 1 - all.least / to_end.seconds_;
    const double middle = 1 - (lost.least + lost.most) / 2 / seconds_;
    shares.by_cluster[cluster] = {std::clamp(middle, lo, hi), lo, hi};
  }
  return shares;
}

}  // namespace gable::points

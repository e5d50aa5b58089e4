#include "cli/point/run/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "cli/point/measured_point.hpp"
#include "points/workers.hpp"

namespace gable::cli {
namespace {

using points::Counts;
using points::ProcessCounts;
using points::ProcessPlaces;
using points::Work;

constexpr double no_work = 0.01;  // a share of all work, below which a process or cluster does not count
constexpr int several = 3;        // observations; fewer may all be before a thread binds itself
constexpr double mostly = 0.8;    // the share of the observations in one cluster, below which a thread moves

double amount(const Work& work) {
  return static_cast<double>(work.flop_count() + work.load_bytes.value_or(0) + work.store_bytes.value_or(0));
}

double amount(const ProcessCounts& process) {
  double sum = 0;
  for (const Work& thread : process.threads) sum += amount(thread);
  return sum;
}

// Where a thread was seen most often, and the share of the observations there.
std::pair<int, double> home_of(const std::map<unsigned, int>& cpus,
                               const std::vector<machines::Cluster>& clusters) {
  std::map<int, int> looks;
  int all = 0;
  for (const auto& [cpu, count] : cpus) {
    all += count;
    for (const machines::Cluster& cluster : clusters) {
      for (const machines::Core& core : cluster.cores) {
        if (is_among(core.pus, cpu)) looks[cluster.index] += count;
      }
    }
  }
  if (looks.empty()) return {-1, 0};
  const auto most = std::ranges::max_element(looks, {}, [](const auto& each) { return each.second; });
  return {most->first, static_cast<double>(most->second) / all};
}

struct Part {
  std::optional<Work> work;
  int threads = 0;
  std::vector<std::vector<int>> cores;  // on which each thread was seen
};

struct ClusterParts {
  std::map<int, Part> by_cluster;
  int moving = 0;      // threads that were seen in several clusters
  std::string reason;  // why the work cannot be told apart; empty if it can
};

// `least_work`: below it a thread does not count.
void add_threads(const ProcessCounts& counted, const ProcessPlaces& seen, double least_work,
                 const std::vector<machines::Cluster>& clusters, ClusterParts& parts) {
  const std::map<unsigned, int> cores = points::cores_by_cpu(clusters);
  for (std::size_t i = 0; i < counted.threads.size(); ++i) {
    int looks = 0;
    for (const auto& [cpu, count] : seen.threads[i]) looks += count;
    if (looks < several && amount(counted.threads[i]) >= least_work) {
      parts.reason = fmt::format("a thread was observed {} only", looks == 1 ? "once" : "twice");
      return;
    }
    const auto [cluster, share] = home_of(seen.threads[i], clusters);
    if (cluster < 0) {
      parts.reason = "a thread ran on a CPU that belongs to no cluster";
      return;
    }
    if (share < mostly) ++parts.moving;
    Part& part = parts.by_cluster[cluster];
    ++part.threads;
    std::set<int> own;
    for (const auto& [cpu, count] : seen.threads[i]) {
      if (const auto core = cores.find(cpu); core != cores.end()) own.insert(core->second);
    }
    part.cores.emplace_back(own.begin(), own.end());
    if (part.work) {
      *part.work += counted.threads[i];
    } else {
      part.work = counted.threads[i];
    }
  }
}

// Processes of the counted run are those of the watched run with the same command, in order of their start.
ClusterParts parts_of(const Counts& counts, const points::Residence& seen,
                      const std::vector<machines::Cluster>& clusters) {
  ClusterParts parts;
  double all = 0;
  for (const ProcessCounts& process : counts.processes) all += amount(process);
  std::vector<bool> taken(seen.processes.size());
  for (const ProcessCounts& process : counts.processes) {
    if (amount(process) < no_work * all) continue;
    std::size_t at = 0;
    while (at < taken.size() && (taken[at] || seen.processes[at].command != process.command)) ++at;
    if (at == taken.size() || seen.processes[at].threads.size() != process.threads.size()) {
      parts.reason = at == taken.size() ? "its processes ended before they were observed"
                                        : fmt::format("{} counted and {} observed",
                                                      count_text(std::ssize(process.threads), "thread"),
                                                      seen.processes[at].threads.size());
      return parts;
    }
    taken[at] = true;
    add_threads(process, seen.processes[at], no_work * all, clusters, parts);
    if (!parts.reason.empty()) return parts;
  }
  if (parts.by_cluster.empty()) parts.reason = "the counter does not count by threads";
  std::erase_if(parts.by_cluster,
                [&](const auto& each) { return amount(*each.second.work) < no_work * all; });
  return parts;
}

// The cores that its threads share; 0: they need not share any.
int cores_of(const Part& part, const points::Residence& seen) {
  if (seen.cores == 0 || seen.cores >= seen.threads) return 0;
  const int cores = points::most_on_cores(part.cores);
  return cores < part.threads ? cores : 0;
}

// Gives the point of a cluster its own time, where several clusters were at work.
void set_cluster_time(model::Point& point, const points::ActiveShares& active) {
  constexpr double nearly_all = 0.95, doubtful = 0.05;
  const auto found = active.by_cluster.find(point.cluster);
  if (found == active.by_cluster.end()) {
    point.notes.push_back({model::NoteCode::time_of_program, {active.reason}});
    return;
  }
  const points::ActiveShare& share = found->second;
  const double whole = point.seconds;
  point.seconds *= share.value;
  point.seconds_lo *= share.lo;
  point.seconds_hi *= share.hi;
  if (share.value >= nearly_all) return;
  point.notes.push_back({model::NoteCode::time_without_others, {point.seconds, whole}});
  if (share.hi - share.lo > doubtful)
    point.notes.push_back({model::NoteCode::time_uncertain, {point.seconds_lo, point.seconds_hi}});
}

// They are of the threads of all clusters.
void leave_out_samples(model::Point& point) {
  if (point.samples.all <= 0) return;
  point.samples = {};
  point.samples.missing = model::NoteCode::sampled_together;
  for (model::FunctionWork& work : point.functions) work.samples = 0;
}

}  // namespace

std::vector<model::Point> points_by_cluster(const model::Point& program, const Counts& counts,
                                            const points::Residence& seen,
                                            const std::vector<machines::Cluster>& clusters) {
  const ClusterParts parts = parts_of(counts, seen, clusters);
  if (!parts.reason.empty()) {
    model::Point whole = program;
    whole.notes.push_back({model::NoteCode::work_taken_as_even, {parts.reason}});
    note_uneven_threads(whole, counts);
    return {whole};
  }
  std::vector<model::Point> points;
  for (const auto& [cluster, part] : parts.by_cluster) {
    model::Point point = program;
    point.name += fmt::format(" (cluster {})", cluster);
    point.cluster = cluster;
    point.alone = parts.by_cluster.size() == 1;
    point.threads = part.threads;
    point.cores = cores_of(part, seen);
    Counts own;
    own.counter = counts.counter;
    own.total = *part.work;
    set_flops(point, own);
    if (point.counter != "given") set_bytes(point, *part.work);
    if (!point.alone) {
      set_cluster_time(point, seen.active);
      leave_out_samples(point);
    }
    if (parts.moving > 0)
      point.notes.push_back({model::NoteCode::threads_moved, {count_text(parts.moving, "thread")}});
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace gable::cli

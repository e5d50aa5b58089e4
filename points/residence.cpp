#include "points/residence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "base/clocks.hpp"
#include "machines/affinity.hpp"
#include "machines/files.hpp"
#include "points/resident_bytes.hpp"

namespace gable::points {

namespace {

using machines::raw_text;
using Seconds = std::chrono::duration<double>;

constexpr double first_pause = 0.001, longest_pause = 0.2;  // seconds
constexpr double most_cost = 0.1, usual_cost = 0.0075;      // of the time, of looks at pages
constexpr double nearly_all = 0.8;                          // of the most data that a program holds
constexpr double threads_cost = 0.0025;                     // of looks at threads between them
constexpr double threads_pause = 0.02;  // seconds: several ticks, by which the kernel updates CPU times

// Seconds until the next look, after one that took `cost` CPU seconds. Less than a fifth of the time passes
// between two looks, unless that would cost too much.
double pause_after(double cost, double elapsed) {
  const double pause = std::clamp(elapsed / 10, first_pause, longest_pause);
  return std::max({pause, std::min(cost / usual_cost, elapsed / 6), cost / most_cost});
}

// Binds this thread. If the kernel refuses, or memory is missing, nothing changes.
void stay_on(const std::vector<unsigned>& cpus) {
  try {
    if (!cpus.empty()) machines::set_affinity(0, cpus);
  } catch (const std::bad_alloc&) {
  }
}

// False where memory is missing: as if the look came later.
template <typename Look>
bool try_to(const Look& look) {
  try {
    look();
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

std::uint64_t sum_of(const std::map<int, std::uint64_t>& node_bytes) {
  std::uint64_t sum = 0;
  for (const auto& [node, bytes] : node_bytes) sum += bytes;
  return sum;
}

// The bytes of the machine's pages of all hugetlb sizes; 0 where the kernel has none.
std::uint64_t hugetlb_bytes() {
  return machines::to_number(machines::read_field("/proc/meminfo", "Hugetlb", ':')).value_or(0) * 1024;
}

}  // namespace

std::uint64_t ResidenceWatch::Look::bytes() const {
  return sum_of(node_bytes);
}

ResidenceWatch::ResidenceWatch(const std::vector<unsigned>& cpus,
                               const std::vector<machines::Cluster>& clusters, bool activity)
    : workers_(cores_by_cpu(clusters)), start_(monotonic_seconds()) {
  if (activity) activity_.emplace(clusters, start_);
  thread_ = std::thread([this, cpus] {
    stay_on(cpus);
    watch();
  });
}

ResidenceWatch::~ResidenceWatch() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
}

Residence ResidenceWatch::stop(const Ending& ending) {
  const double end = monotonic_seconds();
  stopping_ = true;
  thread_.join();
  Residence residence;
  residence.cost = looking_seconds_ / (end - start_);
  residence.samples = static_cast<int>(looks_.size());
  if (activity_) residence.active = activity_->shares(end);
  if (!looks_.empty()) {
    sight_.processes = static_cast<int>(seen_.size());
    sight_.has_pool = hugetlb_bytes() > 0;
    sight_.seconds = end - start_;
    sight_.longest_gap = longest_gap(end);
    sight_.looks = residence.samples;
    const AtOnce at_once = workers_.most();
    sight_.workers = at_once.threads;
    if (are_threads_known(sight_, ending)) {
      residence.threads = at_once.threads;
      residence.cores = at_once.cores;
    }
    residence.too_little_seen = too_little_seen(sight_, ending);
    if (residence.too_little_seen.empty()) {
      residence.node_bytes = node_bytes(end);
      residence.huge_pages_percent = huge_pages_percent_;
      if (seen_.size() == 1) residence.ranges = std::move(ranges_);
    }
  }
  for (auto& [pid, seen] : seen_) {
    ProcessPlaces& places = residence.processes.emplace_back();
    places.command = std::move(seen.command);
    for (auto& [tid, cpus] : seen.threads) places.threads.push_back(std::move(cpus));
  }
  return residence;
}

std::map<int, std::uint64_t> ResidenceWatch::node_bytes(double end) const {
  std::uint64_t most = 0;
  for (const Look& look : looks_) most = std::max(most, look.bytes());
  std::map<int, double> byte_seconds;
  double sum = 0;
  for (std::size_t i = 0; i < looks_.size(); ++i) {
    if (static_cast<double>(looks_[i].bytes()) < nearly_all * static_cast<double>(most)) continue;
    const double seconds = (i + 1 < looks_.size() ? looks_[i + 1].at : end) - looks_[i].at;
    for (const auto& [node, bytes] : looks_[i].node_bytes) {
      byte_seconds[node] += static_cast<double>(bytes) * seconds;
      sum += static_cast<double>(bytes) * seconds;
    }
  }
  std::map<int, std::uint64_t> result;
  for (const auto& [node, part] : byte_seconds)
    result[node] = static_cast<std::uint64_t>(std::llround(static_cast<double>(most) * part / sum));
  return result;
}

double ResidenceWatch::longest_gap(double end) const {
  double longest = 0, last = start_;
  for (const Look& look : looks_) {
    longest = std::max(longest, look.at - last);
    last = look.at;
  }
  return std::max(longest, end - last);
}

void ResidenceWatch::watch() {
  while (!stopping_) {
    const double cpu_before = thread_seconds();  // waiting for a CPU costs the program nothing
    if (!try_to([this] { look(); })) activity_.reset();
    const double cost = thread_seconds() - cpu_before, now = monotonic_seconds();
    looking_seconds_ += cost;
    const double pause = looks_.empty() ? first_pause : pause_after(cost, now - start_);
    const double next = now + pause;  // by the clock, because short sleeps take longer than requested
    for (double left = pause; left > 0 && !stopping_; left = next - monotonic_seconds()) {
      std::this_thread::sleep_for(Seconds(std::min(left, first_pause)));
      if (!activity_ || stopping_ || monotonic_seconds() < next_threads_) continue;
      if (!try_to([this] { look_at_threads(); })) activity_.reset();
    }
  }
}

void ResidenceWatch::see_command(const ProgramProcess& process) {
  if (process.command.empty()) return;  // it ends
  Seen& seen = seen_[process.pid];
  if (process.command != seen.command) seen = {process.command, {}};  // exec() begins another program
}

void ResidenceWatch::look_at_threads() {
  const double now = monotonic_seconds(), cpu_before = thread_seconds();
  std::vector<ThreadTimes> all;
  for (const int pid : running_) {
    const auto seen = seen_.find(pid);
    for (const int tid : threads_of(pid)) {
      auto times = thread_times(pid, tid);
      if (!times) continue;
      times->allowed = machines::affinity_of(tid);
      if (seen != seen_.end()) ++seen->second.threads[tid][times->cpu];
      all.push_back(*times);
    }
  }
  sight_.threads = std::max(sight_.threads, static_cast<int>(all.size()));
  workers_.look(all, now);
  if (!activity_ || now < next_threads_) return;
  activity_->look(all, now);
  next_threads_ = now + std::max(threads_pause, (thread_seconds() - cpu_before) / threads_cost);
}

void ResidenceWatch::see_size(const ResidentBytes& process, const std::string& folder) {
  const std::uint64_t data = sum_of(process.data);
  if (data + process.code <= sight_.data_bytes + sight_.code_bytes) return;
  sight_.data_bytes = data;
  sight_.code_bytes = process.code;
  sight_.pool_bytes = process.pool;
  if (const auto huge = bytes_on_huge_pages(raw_text(folder + "smaps_rollup")); huge && data > 0)
    huge_pages_percent_ = std::min(100.0, 100 * static_cast<double>(*huge) / static_cast<double>(data));
}

// Where everything lies on one node, nobody asks which part lies there.
void ResidenceWatch::see_ranges(int pid, const std::string& numa_maps, const std::string& maps) {
  std::vector<model::MappedRange> ranges = mapped_ranges(numa_maps, maps);
  std::set<int> nodes;
  for (const model::MappedRange& range : ranges) {
    for (const auto& [node, bytes] : range.node_bytes) nodes.insert(node);
  }
  if (nodes.size() < 2) ranges.clear();
  if (look_at_pages(pid, ranges)) ranges_ = std::move(ranges);  // if it has just ended, the last look counts
}

void ResidenceWatch::look() {
  Look now;
  now.at = monotonic_seconds();
  running_.clear();
  for (const ProgramProcess& process : program_processes()) {
    if (process.is_manager) {
      sight_.is_managed = true;
      continue;
    }
    running_.push_back(process.pid);
    see_command(process);
    const std::string folder = fmt::format("/proc/{}/", process.pid);
    const std::string numa_maps = raw_text(folder + "numa_maps"), maps = raw_text(folder + "maps");
    const ResidentBytes own = resident_bytes(numa_maps, maps);
    for (const auto& [node, more] : own.data) now.node_bytes[node] += more;
    see_size(own, folder);
    if (static_cast<double>(sum_of(own.data)) >= nearly_all * static_cast<double>(sight_.data_bytes))
      see_ranges(process.pid, numa_maps, maps);
  }
  look_at_threads();
  if (now.node_bytes.empty()) return;  // not started yet, ended, or not accessible
  looks_.push_back(std::move(now));
}

}  // namespace gable::points

#include "points/residence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>

#include "base/clocks.hpp"
#include "base/numbers.hpp"
#include "base/text_stream.hpp"
#include "machines/affinity.hpp"
#include "machines/files.hpp"
#include "points/processes.hpp"

namespace gable::points {

namespace {

using machines::raw_text;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double first_pause = 0.001, longest_pause = 0.2;  // seconds
// Parts of the time that the observation of pages may cost, and that of threads between them.
constexpr double looking_share = 0.0075, threads_share = 0.0025;
constexpr double threads_pause = 0.02;  // seconds: several ticks, by which the kernel updates CPU times
constexpr double first_looking_share =
    0.1;  // of the first observations, so that short programs are observed too
constexpr std::size_t first_looks = 10;

// Files that are mapped as executable.
std::set<std::string> code_files(const std::string& maps) {
  std::set<std::string> files;
  TextStream lines(maps);
  for (std::string line; std::getline(lines, line);) {
    TextStream fields(line);
    std::string range, rights, offset, device, inode, file;
    fields >> range >> rights >> offset >> device >> inode >> std::ws;
    std::getline(fields, file);
    if (rights.size() > 2 && rights[2] == 'x' && !file.empty()) files.insert(file);
  }
  return files;
}

// numa_maps writes spaces of names as \040.
std::string unescaped(const std::string& name) {
  std::string plain;
  for (std::size_t i = 0; i < name.size(); ++i) {
    unsigned code = 0;
    if (name[i] == '\\' && i + 3 < name.size() &&
        std::from_chars(&name[i + 1], &name[i + 4], code, 8).ptr == &name[i + 4]) {
      plain += static_cast<char>(code);
      i += 3;
    } else {
      plain += name[i];
    }
  }
  return plain;
}

// The number behind `prefix`; -1 for another word.
long long number_after(const std::string& word, std::string_view prefix) {
  if (!word.starts_with(prefix)) return -1;
  return read_as<long long>(std::string_view(word).substr(prefix.size())).value_or(-1);
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

}  // namespace

std::map<int, std::uint64_t> resident_bytes(const std::string& numa_maps, const std::string& maps) {
  const std::set<std::string> code = code_files(maps);
  std::map<int, std::uint64_t> bytes;
  TextStream lines(numa_maps);
  for (std::string line; std::getline(lines, line);) {
    TextStream words(line);
    std::map<int, std::uint64_t> pages;
    std::uint64_t page_bytes = 4096;
    bool is_code = false;
    for (std::string word; words >> word;) {
      if (word.starts_with("file=") && code.contains(unescaped(word.substr(5)))) is_code = true;
      if (const long long kib = number_after(word, "kernelpagesize_kB="); kib > 0)
        page_bytes = static_cast<std::uint64_t>(kib) * 1024;
      const std::size_t equals = word.find('=');
      if (word[0] != 'N' || equals == std::string::npos) continue;
      const long long node = number_after(word.substr(0, equals), "N");
      const long long count = number_after(word.substr(equals), "=");
      if (node >= 0 && count > 0) pages[static_cast<int>(node)] = static_cast<std::uint64_t>(count);
    }
    if (is_code) continue;
    for (const auto& [node, count] : pages) bytes[node] += count * page_bytes;
  }
  return bytes;
}

std::uint64_t ResidenceWatch::Look::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& [node, bytes] : node_bytes) sum += bytes;
  return sum;
}

ResidenceWatch::ResidenceWatch(const std::vector<unsigned>& cpus,
                               const std::vector<machines::Cluster>& clusters) {
  if (!clusters.empty()) activity_.emplace(clusters, monotonic_seconds());
  thread_ = std::thread([this, cpus] {
    stay_on(cpus);
    watch();
  });
}

ResidenceWatch::~ResidenceWatch() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
}

Residence ResidenceWatch::stop() {
  const double end = monotonic_seconds();
  stopping_ = true;
  thread_.join();
  constexpr double nearly_all = 0.8;
  Residence residence;
  residence.threads = threads_;
  residence.samples = static_cast<int>(looks_.size());
  if (activity_) residence.active = activity_->shares(end);
  for (auto& [pid, seen] : seen_) {
    ProcessPlaces& places = residence.processes.emplace_back();
    places.command = std::move(seen.command);
    for (auto& [tid, cpus] : seen.threads) places.threads.push_back(std::move(cpus));
  }
  std::uint64_t most = 0;
  for (const Look& look : looks_) most = std::max(most, look.bytes());
  std::map<int, double> byte_seconds;
  double seconds = 0;
  for (const Look& look : looks_) {
    if (static_cast<double>(look.bytes()) < nearly_all * static_cast<double>(most)) continue;
    seconds += look.seconds;
    for (const auto& [node, bytes] : look.node_bytes)
      byte_seconds[node] += static_cast<double>(bytes) * look.seconds;
  }
  for (const auto& [node, sum] : byte_seconds)
    residence.node_bytes[node] = static_cast<std::uint64_t>(std::llround(sum / seconds));
  return residence;
}

void ResidenceWatch::watch() {
  const auto start = Clock::now();
  auto last = start;
  double pause = first_pause;
  while (!stopping_) {
    const auto began = Clock::now();
    if (!looks_.empty()) looks_.back().seconds += Seconds(began - last).count();
    const double cpu_before = thread_seconds();  // waiting for a CPU costs the program nothing
    if (!try_to([this] { look(); })) activity_.reset();
    last = began;
    const double cost = thread_seconds() - cpu_before;
    if (!looks_.empty()) {
      const double share = looks_.size() > first_looks ? looking_share : first_looking_share;
      pause = std::max(std::min(pause * 1.5, longest_pause), cost / share);
      // Limits the pause after an expensive observation, so that the next one is not too late.
      pause = std::min(pause, std::max(longest_pause, Seconds(Clock::now() - start).count()));
    }
    const auto next =
        Clock::now() + Seconds(pause);  // by the clock, because short sleeps take longer than requested
    while (Clock::now() < next && !stopping_) {
      std::this_thread::sleep_for(std::min<Seconds>(next - Clock::now(), Seconds(first_pause)));
      if (!activity_ || stopping_ || monotonic_seconds() < next_threads_) continue;
      if (!try_to([this] { look_at_threads(); })) activity_.reset();
    }
  }
  if (!looks_.empty()) looks_.back().seconds += Seconds(Clock::now() - last).count();
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
      const auto times = thread_times(pid, tid);
      if (!times) continue;
      if (seen != seen_.end()) ++seen->second.threads[tid][times->cpu];
      all.push_back(*times);
    }
  }
  threads_ = std::max(threads_, static_cast<int>(all.size()));
  if (!activity_ || now < next_threads_) return;
  activity_->look(all, now);
  next_threads_ = now + std::max(threads_pause, (thread_seconds() - cpu_before) / threads_share);
}

void ResidenceWatch::look() {
  std::map<int, std::uint64_t> bytes;
  running_.clear();
  for (const ProgramProcess& process : program_processes()) {
    running_.push_back(process.pid);
    see_command(process);
    const std::string folder = fmt::format("/proc/{}/", process.pid);
    for (const auto& [node, more] : resident_bytes(raw_text(folder + "numa_maps"), raw_text(folder + "maps")))
      bytes[node] += more;
  }
  look_at_threads();
  if (bytes.empty()) return;  // not started yet, ended, or not accessible: the last result remains
  looks_.push_back({bytes, 0});
}

}  // namespace gable::points

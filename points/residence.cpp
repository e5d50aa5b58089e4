#include "points/residence.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

#include "base/clocks.hpp"
#include "base/entries.hpp"
#include "base/numbers.hpp"
#include "base/text_stream.hpp"
#include "machines/affinity.hpp"
#include "machines/files.hpp"

namespace gable::points {

namespace {

namespace fs = std::filesystem;
using machines::raw_text;
using machines::stat_field;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double first_pause = 0.001, longest_pause = 0.2;  // seconds
constexpr double looking_share = 0.01;
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

// The descendants of `pid`.
void descendants(int pid, std::vector<int>& found) {
  for (const int task : numbers_in(fmt::format("/proc/{}/task", pid))) {
    TextStream children(raw_text(fmt::format("/proc/{}/task/{}/children", pid, task)));
    for (int child = 0; children >> child;) {
      if (std::find(found.begin(), found.end(), child) != found.end()) continue;
      found.push_back(child);
      descendants(child, found);
    }
  }
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

// Whether a child process has not yet executed its program. Until then its memory is this process's, or a
// copy of it.
bool is_still_starting(int pid) {
  constexpr unsigned long forked_no_exec = 0x40;  // the kernel's PF_FORKNOEXEC
  const std::string stat = raw_text(fmt::format("/proc/{}/stat", pid));
  constexpr int parent = 4, flags = 9;  // fields of proc_pid_stat(5)
  if (stat_field(stat, parent) != static_cast<std::uint64_t>(getpid())) return false;
  if ((stat_field(stat, flags).value_or(0) & forked_no_exec) == 0) return false;
  // Excludes processes forked by others and reparented to this one.
  return first_line(raw_text(fmt::format("/proc/{}/maps", pid))) == first_line(raw_text("/proc/self/maps"));
}

// Binds this thread. If the kernel refuses, or memory is missing, nothing changes.
void stay_on(const std::vector<unsigned>& cpus) {
  try {
    if (!cpus.empty()) machines::set_affinity(0, cpus);
  } catch (const std::bad_alloc&) {
  }
}

std::vector<int> threads_of(int pid) {
  return numbers_in(fmt::format("/proc/{}/task", pid));
}

// The hardware thread on which a thread ran last; nothing if it is gone.
std::optional<unsigned> cpu_of(int pid, int tid) {
  constexpr int processor = 39;  // the field of proc_pid_stat(5)
  return stat_field(raw_text(fmt::format("/proc/{}/task/{}/stat", pid, tid)), processor);
}

std::vector<std::string> command_of(int pid) {
  TextStream text(raw_text(fmt::format("/proc/{}/cmdline", pid)));
  std::vector<std::string> words;
  for (std::string word; std::getline(text, word, '\0');) words.push_back(word);
  return words;
}

// Whether a process is `gable kmaf run`, which manages the program; in a bundle the loader comes first. A
// child that has not yet executed the program counts as it, too.
bool is_manager(const std::vector<std::string>& command) {
  for (std::size_t i = 0; i + 2 < command.size() && command[i] != "--"; ++i) {
    if (fs::path(command[i]).filename() == "gable" && command[i + 1] == "kmaf" && command[i + 2] == "run")
      return true;
  }
  return false;
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

ResidenceWatch::ResidenceWatch(const std::vector<unsigned>& cpus)
    : thread_([this, cpus] {
        stay_on(cpus);
        watch();
      }) {}

ResidenceWatch::~ResidenceWatch() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
}

Residence ResidenceWatch::stop() {
  stopping_ = true;
  thread_.join();
  constexpr double nearly_all = 0.8;
  Residence residence;
  residence.threads = threads_;
  residence.samples = static_cast<int>(looks_.size());
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
    try {
      look();
    } catch (const std::bad_alloc&) {
      // As if it came later: the last result remains.
    }
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
    while (Clock::now() < next && !stopping_)
      std::this_thread::sleep_for(std::min<Seconds>(next - Clock::now(), Seconds(first_pause)));
  }
  if (!looks_.empty()) looks_.back().seconds += Seconds(Clock::now() - last).count();
}

void ResidenceWatch::see_threads(int pid, std::vector<std::string> command) {
  if (command.empty() && !seen_.contains(pid)) return;  // it ends
  Seen& seen = seen_[pid];
  if (!command.empty() && command != seen.command) {
    seen = {std::move(command), {}};  // exec() begins another program
  }
  for (const int tid : threads_of(pid)) {
    if (const auto cpu = cpu_of(pid, tid)) ++seen.threads[tid][*cpu];
  }
}

void ResidenceWatch::look() {
  std::vector<int> processes;
  descendants(getpid(), processes);
  std::map<int, std::uint64_t> bytes;
  int threads = 0;
  for (const int pid : processes) {
    if (is_still_starting(pid)) continue;
    std::vector<std::string> command = command_of(pid);
    if (is_manager(command)) continue;
    const std::string folder = fmt::format("/proc/{}/", pid);
    threads += static_cast<int>(threads_of(pid).size());
    see_threads(pid, std::move(command));
    for (const auto& [node, more] : resident_bytes(raw_text(folder + "numa_maps"), raw_text(folder + "maps")))
      bytes[node] += more;
  }
  threads_ = std::max(threads_, threads);
  if (bytes.empty()) return;  // not started yet, ended, or not accessible: the last result remains
  looks_.push_back({bytes, 0});
}

}  // namespace gable::points

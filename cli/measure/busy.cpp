#include "cli/measure/busy.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "base/entries.hpp"
#include "base/words.hpp"
#include "bench/visit/watch.hpp"
#include "cli/text/message.hpp"

namespace gable::cli {

namespace {

struct Busy {
  std::string name;
  double seconds = 0;  // of CPU time
};

// Every process but this one, by number. Fields of /proc/PID/stat: the name in parentheses is the second,
// user and system time are the 14th and 15th.
std::map<int, Busy> processes() {
  std::map<int, Busy> found;
  const double tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  for (const int pid : numbers_in("/proc")) {
    if (pid == getpid()) continue;
    std::ifstream file(fmt::format("/proc/{}/stat", pid));
    std::string line;
    std::getline(file, line);
    const std::size_t open = line.find('('), close = line.rfind(')');
    unsigned long user = 0, system = 0;
    if (open == std::string::npos || close == std::string::npos ||
        std::sscanf(line.c_str() + close + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
                    &system) != 2)
      continue;
    found[pid] = {printable(line.substr(open + 1, close - open - 1)),
                  static_cast<double>(user + system) * tick};
  }
  return found;
}

// The three that computed most between two readings: "stress (1234) 0.98, ...".
std::string busiest(const std::map<int, Busy>& before, const std::map<int, Busy>& after, double seconds) {
  constexpr std::size_t most = 3;
  std::vector<std::pair<double, std::string>> all;
  for (const auto& [pid, busy] : after) {
    const auto known = before.find(pid);
    const double cpus = (busy.seconds - (known == before.end() ? 0 : known->second.seconds)) / seconds;
    if (cpus > 0.05) all.emplace_back(cpus, fmt::format("{} ({}) {:.1f}", busy.name, pid, cpus));
  }
  std::ranges::sort(all, std::greater<>());
  std::string text;
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) text += (i > 0 ? ", " : ": ") + all[i].second;
  return text;
}

}  // namespace

void warn_if_busy(double seconds, const std::string& consequence) {
  constexpr double watched = 0.2, least = 1, tolerated_steal_percent = 5;
  if (seconds < least) return;
  const std::map<int, Busy> first = processes();
  const bench::CpuTimes before = bench::cpu_times();
  std::this_thread::sleep_for(std::chrono::duration<double>(watched));
  const bench::CpuTimes after = bench::cpu_times();
  const bench::Disturbance found = bench::disturbance_between(before, after, after.cpus);
  if (after.cpus > 0 && found.others > bench::tolerated_others(after.cpus))
    tell(
        fmt::format("this machine is busy; other processes use {:.1f} CPUs{}\n"
                    "above {:.1f} CPUs, {}: stop them, or measure later",
                    found.others, busiest(first, processes(), after.wall - before.wall),
                    bench::tolerated_others(after.cpus), consequence));
  if (found.steal_percent > tolerated_steal_percent)
    tell(fmt::format("the hypervisor takes {:.0f} % of the CPU time: expect wide intervals",
                     found.steal_percent));
}

}  // namespace gable::cli

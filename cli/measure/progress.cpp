#include "cli/measure/progress.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <thread>

#include "base/files.hpp"
#include "base/words.hpp"
#include "bench/visit/watch.hpp"
#include "cli/folder.hpp"
#include "cli/show/recorded.hpp"
#include "cli/show/show.hpp"
#include "cli/text/arguments.hpp"
#include "machines/files.hpp"
#include "model/records/crowding.hpp"
#include "model/records/names.hpp"

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
    const auto user = machines::stat_field(line, 14), system = machines::stat_field(line, 15);
    if (open == std::string::npos || !user || !system) continue;
    found[pid] = {printable(line.substr(open + 1, close - open - 1)),
                  static_cast<double>(*user + *system) * tick};
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

std::string result(const model::Sample& sample) {
  if (sample.status != model::Status::ok) {
    return fmt::format("{}: {}", model::name_of(sample.status), sentence(sample.reason));
  }
  double seconds = 0, work = 0;
  for (const double s : sample.seconds) seconds += s;
  for (const double w : sample.work) work += w;
  const model::Kind kind = sample.spec.kind;
  return fmt::format("{:.1f} {}", in_unit(kind, work, seconds), unit_of(kind));
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

void show(ProgressLine& line, const bench::Progress& progress) {
  const std::string last = progress.last == nullptr ? ""
                                                    : name_of(progress.last->spec, model::Style::visit) +
                                                          "  " + result(*progress.last);
  line.show(progress.visits_done, progress.visits, progress.seconds_left, last);
}

FirstTable::FirstTable(std::string folder, double due_after)
    : folder_(std::move(folder)), due_after_(due_after) {
  std::error_code unknown;
  printed_ = std::filesystem::exists(file_in(folder_, "roofs.json"), unknown);
}

bool FirstTable::is_due(double seconds_left) const {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
  return !printed_ && passed.count() >= due_after_ && seconds_left >= due_after_;
}

void FirstTable::print() {
  printed_ = true;
  const std::string screen = screen_text(read_samples_alone(folder_));
  if (screen.empty()) return;
  fmt::print("First figures, from the visits so far; the rest is being measured:\n\n{}\n", screen);
  std::fflush(stdout);
}

void Disturbances::add(const model::Sample& sample) {
  const double kept = static_cast<double>(sample.seconds.size());
  Cores& cores = cores_[sample.spec.cluster];
  cores.most_adds = std::max(cores.most_adds, sample.adds_per_cycle);
  cores.visits.push_back({sample.adds_per_cycle, kept, static_cast<double>(sample.crowded)});
  if (sample.status != model::Status::invalid) return;
  ++invalid_;
  model::add_alike(reasons_, "", sample.reason);
}

std::string Disturbances::words(const std::string& folder) const {
  double crowded = 0, all = 0;
  for (const auto& [unused, cores] : cores_) {
    for (const Visit& visit : cores.visits) {
      all += visit.kept + visit.dropped;
      crowded += visit.dropped;
      if (model::is_crowded(visit.adds_per_cycle, cores.most_adds)) crowded += visit.kept;
    }
  }
  constexpr double noticeable = 0.05;
  std::string text;
  if (all > 0 && crowded >= noticeable * all)
    text +=
        fmt::format(", other hardware threads used the cores in {:.0f} % of the time", 100 * crowded / all);
  return text + invalid_words(folder);
}

std::string Disturbances::invalid_words(const std::string& folder) const {
  if (invalid_ == 0) return {};
  const std::string text = fmt::format(", {} invalid", invalid_);
  const auto most =
      std::ranges::max_element(reasons_, {}, [](const auto& each) { return each.second.count(); });
  const model::AlikeNotes& reason = most->second;
  const std::string why = reason.text();
  if (reasons_.size() == 1) return text + fmt::format(" ({})", why);
  return text + fmt::format(" ({} of them: {}; `gable fit {}` shows all reasons)", reason.count(), why,
                            shell_quoted(folder));
}

}  // namespace gable::cli

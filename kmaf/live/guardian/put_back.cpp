// Restores the changes that a journal records.

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "base/reading.hpp"
#include "kmaf/live/guardian/journal.hpp"
#include "kmaf/live/guardian/settings.hpp"
#include "kmaf/live/program/processes.hpp"
#include "kmaf/live/shared_memory/object_policy.hpp"
#include "machines/affinity.hpp"

namespace gable::kmaf::live {

namespace fs = std::filesystem;

namespace {

struct Changed {
  std::string old;
  std::set<std::string> written;
};

struct Process {
  unsigned long long start = 0;
  std::map<pid_t, std::set<unsigned>> bound;  // where each thread was bound, now or before
};

struct Contents {
  std::vector<std::string> order;  // of the settings
  std::map<std::string, Changed> settings;
  std::vector<unsigned> mask;
  std::map<pid_t, Process> processes;
  std::vector<ObjectChange> objects;
  std::vector<std::string> not_understood;
};

// A damaged line does not keep the others from being restored.
void add_object(const std::string& line, Contents& contents) {
  try {
    contents.objects.push_back(change_from(line));
  } catch (const std::runtime_error& error) {
    contents.not_understood.emplace_back(error.what());
  }
}

Contents parse(const std::string& journal) {
  Contents contents;
  TextStream lines(journal.substr(0, journal.rfind('\n') + 1));
  for (std::string line; std::getline(lines, line);) {
    TextStream words(line);
    std::string kind, path, rest;
    words >> kind;
    pid_t pid = 0;
    if (kind == "setting" || kind == "wrote") {
      words >> path;
      std::getline(words >> std::ws, rest);
      if (kind == "wrote") {
        contents.settings[path].written.insert(rest);
      } else if (contents.settings.try_emplace(path, Changed{rest, {}}).second) {
        contents.order.push_back(path);
      }
    } else if (kind == "mask") {
      contents.mask.clear();
      for (unsigned pu = 0; words >> pu;) contents.mask.push_back(pu);
    } else if (kind == "process" && words >> pid) {
      words >> contents.processes[pid].start;
    } else if (kind == "object") {
      std::getline(words >> std::ws, rest);
      add_object(rest, contents);
    } else if (kind == "bound" && words >> pid) {
      pid_t tid = 0;
      unsigned pu = 0;
      if (words >> tid >> pu) contents.processes[pid].bound[tid].insert(pu);
    }
  }
  return contents;
}

void put_back_setting(const fs::path& root, const std::string& path, const Changed& changed,
                      std::vector<std::string>& left) {
  const fs::path file = root / fs::path(path).relative_path();
  const std::string now = first_line(file).value_or("");
  if (now == changed.old || changed.written.empty()) return;
  if (!changed.written.contains(now)) {
    left.push_back(path + " is " + now + ", set by another program, and was not changed (it was " +
                   changed.old + ")");
    return;
  }
  for (int attempt = 0; attempt < 3; ++attempt) {
    if (write_setting(file, changed.old)) return;
  }
  left.push_back(path + " could not be restored to " + changed.old);
}

// Whether the thread has a mask that it was given or inherited from a bound thread.
bool is_bound_by_us(const Process& process, pid_t tid) {
  const std::vector<unsigned> mask = machines::affinity_of(tid);
  if (mask.size() != 1) return false;
  const auto known = process.bound.find(tid);
  if (known != process.bound.end()) return known->second.contains(mask.front());
  return std::ranges::any_of(process.bound,
                             [&](const auto& other) { return other.second.contains(mask.front()); });
}

// New threads inherit the mask of their creator, so rounds repeat until one finds nothing left.
void release(const Contents& contents) {
  constexpr int rounds = 10;
  bool found = true;
  for (int round = 0; round < rounds && found; ++round) {
    found = false;
    const ProcessTree tree;
    for (const auto& [pid, process] : contents.processes) {
      if (process.start == 0 || start_time(pid) != process.start) continue;
      for (const pid_t each : tree.with_descendants(pid)) {
        for (const pid_t tid : threads_of(each)) {
          if (is_bound_by_us(process, tid) && machines::set_affinity(tid, contents.mask) == 0) found = true;
        }
      }
    }
  }
}

// The program's processes that are still alive, and their descendants.
std::vector<pid_t> living(const Contents& contents) {
  std::set<pid_t> found;
  std::optional<ProcessTree> tree;
  for (const auto& [pid, process] : contents.processes) {
    if (process.start == 0 || start_time(pid) != process.start) continue;
    if (!tree) tree.emplace();
    for (const pid_t each : tree->with_descendants(pid)) found.insert(each);
  }
  return {found.begin(), found.end()};
}

}  // namespace

std::vector<std::string> put_back(const std::string& journal, const fs::path& root) {
  const Contents contents = parse(journal);
  std::vector<std::string> left = contents.not_understood;
  for (auto path = contents.order.rbegin(); path != contents.order.rend(); ++path)
    put_back_setting(root, *path, contents.settings.at(*path), left);
  if (contents.mask.size() > 1) release(contents);
  if (contents.objects.empty()) return left;
  const std::vector<std::string> objects = put_back_objects(contents.objects, living(contents));
  left.insert(left.end(), objects.begin(), objects.end());
  return left;
}

}  // namespace gable::kmaf::live

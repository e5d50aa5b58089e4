// Removes the policies that were set on shared memory objects, as far as these can still be reached.

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>

#include "base/error.hpp"
#include "base/reading.hpp"
#include "kmaf/live/guardian/bounded.hpp"
#include "kmaf/live/program/processes.hpp"
#include "kmaf/live/shared_memory/object_policy.hpp"

namespace gable::kmaf::live {

namespace {

using Name = std::pair<std::uint64_t, std::uint64_t>;  // device, inode
using Changes = std::map<Name, std::vector<ObjectChange>>;

constexpr double search_seconds = 5;

struct Finished {
  Changes open;  // still to be restored
  std::vector<std::string> left;
  int words = -1;  // receives a line for each restored object
};

// A policy that has changed is the program's, and stays. A new mapping has no policy itself, so the kernel
// takes "none" for no change and does not update the object. So the mapping first gets the
// object's policy.
int take_away(const ObjectPage& page, const ObjectChange& change) {
  if (page.error() != 0) return page.error();
  PagePolicy now;
  if (const int error = page.read(now)) return error;
  if (now != change.policy) return 0;
  const int error = page.set(now);
  return error != 0 ? error : page.set({});
}

std::string left(const ObjectChange& change, const std::string& reason) {
  return "the memory policy of " + change.object.name + " at byte " + std::to_string(change.offset) +
         " could not be removed: " + reason;
}

constexpr char is_left = '-';

void finish(Changes::iterator& at, const Descriptor& file, Finished& work) {
  std::string words;
  for (const ObjectChange& change : at->second) {
    const int error = take_away(ObjectPage(file, change.offset), change);
    if (error == 0) continue;
    work.left.push_back(left(change, std::strerror(error)));
    words += is_left + work.left.back() + "\n";
  }
  words += std::to_string(at->first.first) + " " + std::to_string(at->first.second) + "\n";
  if (work.words >= 0 && write(work.words, words.data(), words.size()) < 0)
    throw Error::failed("the receiver has ended");
  at = work.open.erase(at);
}

// Finds objects by name.
void finish_named(Finished& work) {
  for (auto at = work.open.begin(); at != work.open.end();) {
    const OpenObject opened = open_named(at->second.front().object);
    opened.error == 0 ? finish(at, opened.file, work) : static_cast<void>(++at);
  }
}

// Finds objects through processes that map them.
void finish_mapped(const std::vector<pid_t>& processes, Finished& work) {
  for (const pid_t pid : processes) {
    if (work.open.empty()) return;
    HeldFiles held(pid);
    for (const MappedRange& mapping : mappings_of(pid)) {
      auto at = mapping.shared ? work.open.find({mapping.device, mapping.inode}) : work.open.end();
      if (at == work.open.end()) continue;
      const OpenObject opened = open_mapped(pid, mapping, held);
      if (opened.error == 0) finish(at, opened.file, work);
    }
  }
}

// Segments outlive the processes that map them.
void finish_system_v(Finished& work) {
  for (auto at = work.open.begin(); at != work.open.end();) {
    if ((at->first.first & system_v) == 0) {
      ++at;
      continue;
    }
    for (const ObjectChange& change : at->second) {
      const int error = take_away(ObjectPage(change.object, change.offset), change);
      if (error != 0 && error != EINVAL && error != EIDRM && error != ENOENT)
        work.left.push_back(left(change, std::strerror(error)));
    }
    at = work.open.erase(at);
  }
}

// An object without mapping and name may still be open in a process (but not shared anonymous
// memory). There may be many deleted objects, so every file is checked once.
void finish_held(const std::vector<pid_t>& processes, Finished& work) {
  std::erase_if(work.open,
                [](const auto& each) { return each.second.front().object.name.starts_with("/dev/zero"); });
  for (const pid_t pid : processes) {
    if (work.open.empty()) return;
    for (const std::string& file : open_files_of(pid)) {
      struct stat status = {};
      if (stat(file.c_str(), &status) != 0) continue;
      auto at = work.open.find({device_of(status), status.st_ino});
      if (at == work.open.end()) continue;
      const OpenObject opened = open_descriptor(file, at->second.front().object);
      if (opened.error == 0) finish(at, opened.file, work);
    }
  }
}

// Searches in a child: reading a process that is stopped while holding its address-space lock would block.
void finish_in_processes(const std::vector<pid_t>& processes, Finished& work) {
  if (work.open.empty() || processes.empty()) return;
  const Said said = said_within(search_seconds, [&](int words) {
    work.words = words;
    finish_mapped(processes, work);
    finish_held(processes, work);
  });
  TextStream lines(said.text.substr(0, said.text.rfind('\n') + 1));
  for (std::string line; std::getline(lines, line);) {
    Name name;
    if (line.front() == is_left) {
      work.left.push_back(line.substr(1));
    } else if (TextStream(line) >> name.first >> name.second) {
      work.open.erase(name);
    }
  }
  if (said.finished) return;
  for (const auto& [name, changes] : work.open) {
    if ((name.first & system_v) == 0)
      work.left.push_back(left(changes.front(), "the program's processes cannot be inspected"));
  }
}

}  // namespace

std::string to_line(const ObjectChange& change) {
  std::string line = std::to_string(change.object.device) + " " + std::to_string(change.object.inode) + " " +
                     std::to_string(change.offset) + " " + std::to_string(change.policy.mode) + " ";
  for (std::size_t i = 0; i < change.policy.nodes.size(); ++i)
    line += (i > 0 ? "," : "") + std::to_string(change.policy.nodes[i]);
  return line + " " + change.object.name;
}

ObjectChange change_from(const std::string& line) {
  ObjectChange change;
  TextStream words(line);
  std::string nodes;
  words >> change.object.device >> change.object.inode >> change.offset >> change.policy.mode >> nodes;
  std::getline(words >> std::ws, change.object.name);
  TextStream numbers(nodes);
  for (std::string number; std::getline(numbers, number, ',');) {
    char* rest = nullptr;
    change.policy.nodes.push_back(static_cast<unsigned>(std::strtoul(number.c_str(), &rest, 10)));
    if (rest == number.c_str() || *rest != '\0') words.setstate(std::ios::failbit);
  }
  if (words.fail() || change.policy.nodes.empty() || change.object.name.empty())
    throw Error::failed("unknown line in the journal: object " + line);
  return change;
}

std::vector<std::string> put_back_objects(const std::vector<ObjectChange>& changes,
                                          const std::vector<pid_t>& processes) {
  Finished work;
  for (const ObjectChange& change : changes)
    work.open[{change.object.device, change.object.inode}].push_back(change);
  finish_named(work);
  finish_in_processes(processes, work);
  finish_system_v(work);
  return work.left;
}

}  // namespace gable::kmaf::live

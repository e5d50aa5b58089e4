// Takes the policies away again that objects of shared memory were given, wherever they can still be reached.

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <sstream>
#include <stdexcept>

#include "kmaf/live/guardian/bounded.hpp"
#include "kmaf/live/program/processes.hpp"
#include "kmaf/live/shared_memory/object_policy.hpp"

namespace gable::kmaf::live {

namespace {

using Name = std::pair<std::uint64_t, std::uint64_t>;  // device, inode
using Changes = std::map<Name, std::vector<ObjectChange>>;

constexpr double search_seconds = 5;

struct Finished {
  Changes open;  // what is still to be done
  std::vector<std::string> left;
  int words = -1;  // where each that is done is told of, line by line
};

// A policy that is another by now is the program's, and stays. A new mapping has no policy itself, so that
// the kernel takes "none" for no change, and does not go on to the object: the mapping is first given the
// object's.
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
         " could not be taken away: " + reason;
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
    throw std::runtime_error("the receiver has ended");
  at = work.open.erase(at);
}

// By the name it had.
void finish_named(Finished& work) {
  for (auto at = work.open.begin(); at != work.open.end();) {
    const OpenObject opened = open_named(at->second.front().object);
    opened.error == 0 ? finish(at, opened.file, work) : static_cast<void>(++at);
  }
}

// By whoever maps it.
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

// Not mapped, and without a name: a process may hold it open all the same. What shared anonymous memory is
// made of cannot be. There may be many objects that are gone, so that every file is looked at once.
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

// By a child: who holds the lock of its address space and does not run would stop whoever looks at it.
void finish_in_processes(const std::vector<pid_t>& processes, Finished& work) {
  if (work.open.empty() || processes.empty()) return;
  const Said said = said_within(search_seconds, [&](int words) {
    work.words = words;
    finish_mapped(processes, work);
    finish_held(processes, work);
  });
  std::istringstream lines(said.text.substr(0, said.text.rfind('\n') + 1));
  for (std::string line; std::getline(lines, line);) {
    Name name;
    if (line.front() == is_left) {
      work.left.push_back(line.substr(1));
    } else if (std::istringstream(line) >> name.first >> name.second) {
      work.open.erase(name);
    }
  }
  if (said.finished) return;
  for (const auto& [name, changes] : work.open) {
    if ((name.first & system_v) == 0)
      work.left.push_back(
          left(changes.front(), "the program's processes do not let themselves be looked at"));
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
  std::istringstream words(line);
  std::string nodes;
  words >> change.object.device >> change.object.inode >> change.offset >> change.policy.mode >> nodes;
  std::getline(words >> std::ws, change.object.name);
  std::istringstream numbers(nodes);
  for (std::string number; std::getline(numbers, number, ',');) {
    char* rest = nullptr;
    change.policy.nodes.push_back(static_cast<unsigned>(std::strtoul(number.c_str(), &rest, 10)));
    if (rest == number.c_str() || *rest != '\0') words.setstate(std::ios::failbit);
  }
  if (words.fail() || change.policy.nodes.empty() || change.object.name.empty())
    throw std::runtime_error("the journal's line is not understood: object " + line);
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

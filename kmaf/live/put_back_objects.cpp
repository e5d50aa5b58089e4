// Takes the policies away again that objects of shared memory were given, wherever they can still be reached.

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <sstream>
#include <stdexcept>

#include "kmaf/live/object_policy.hpp"
#include "kmaf/live/processes.hpp"

namespace gable::kmaf::live {

namespace {

using Name = std::pair<std::uint64_t, std::uint64_t>;  // device, inode
using Changes = std::map<Name, std::vector<ObjectChange>>;

struct Finished {
  Changes open;  // what is still to be done
  std::vector<std::string> left;
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

void say(const ObjectChange& change, int error, std::vector<std::string>& left) {
  left.push_back("the memory policy of " + change.object.name + " at byte " + std::to_string(change.offset) +
                 " could not be taken away: " + std::strerror(error));
}

void finish(Changes::iterator& at, const Descriptor& file, Finished& work) {
  for (const ObjectChange& change : at->second) {
    if (const int error = take_away(ObjectPage(file, change.offset), change)) say(change, error, work.left);
  }
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
void finish_mapped(Finished& work) {
  for (const pid_t pid : all_processes()) {
    if (work.open.empty()) return;
    for (const MappedRange& mapping : mappings_of(pid)) {
      auto at = mapping.shared ? work.open.find({mapping.device, mapping.inode}) : work.open.end();
      if (at == work.open.end()) continue;
      const OpenObject opened = open_mapped(pid, mapping);
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
      if (error != 0 && error != EINVAL && error != EIDRM && error != ENOENT) say(change, error, work.left);
    }
    at = work.open.erase(at);
  }
}

// Not mapped, and without a name: a process may hold it open all the same. What shared anonymous memory is
// made of cannot be. There may be many objects that are gone, so that every file is looked at once.
void finish_held(Finished& work) {
  std::erase_if(work.open,
                [](const auto& each) { return each.second.front().object.name.starts_with("/dev/zero"); });
  for (const pid_t pid : all_processes()) {
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

std::vector<std::string> put_back_objects(const std::vector<ObjectChange>& changes) {
  Finished work;
  for (const ObjectChange& change : changes)
    work.open[{change.object.device, change.object.inode}].push_back(change);
  finish_named(work);
  finish_mapped(work);
  finish_system_v(work);
  finish_held(work);
  return work.left;
}

}  // namespace gable::kmaf::live

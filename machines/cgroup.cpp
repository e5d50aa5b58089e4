#include "machines/cgroup.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "machines/files.hpp"

namespace gable::machines {

namespace {

namespace fs = std::filesystem;

// The file names in one version of control groups.
struct Version {
  const char* limit;
  const char* usage;
  const char* reclaimable;  // line of memory.stat
};
constexpr Version v1 = {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
constexpr Version v2 = {"memory.max", "memory.current", "inactive_file"};

// A mounted hierarchy that can limit memory, and this process's position in it.
struct Hierarchy {
  Version version;
  fs::path mount;      // below the root of the file system
  std::string prefix;  // the part of the hierarchy that is mounted there
  std::string group;   // of this process
};

bool has_word(const std::string& list, const std::string& word) {
  return ("," + list + ",").find("," + word + ",") != std::string::npos;
}

// The process's group in the hierarchy that has `controller`; "" is the one of version 2.
std::optional<std::string> own_group(const fs::path& root, const std::string& controller) {
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (controller.empty() ? controllers.empty() : has_word(controllers, controller))
      return line.substr(second + 1);
  }
  return std::nullopt;
}

std::vector<Hierarchy> hierarchies(const fs::path& root) {
  std::vector<Hierarchy> found;
  std::ifstream in(root / "proc/self/mountinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream left(line.substr(0, dash)), right(line.substr(dash + 3));
    std::string id, parent, device, prefix, mount, type, source, options;
    left >> id >> parent >> device >> prefix >> mount;
    right >> type >> source >> options;
    const bool second = type == "cgroup2";
    if (!second && !(type == "cgroup" && has_word(options, "memory"))) continue;
    if (const auto group = own_group(root, second ? "" : "memory")) {
      found.push_back({second ? v2 : v1, fs::path(mount).relative_path(), prefix, *group});
    }
  }
  return found;
}

// The group's path below the mount point. In a container only a part of the hierarchy is mounted, and the
// group's path may be relative to the host.
fs::path path_below(const fs::path& root, const Hierarchy& hierarchy) {
  std::string group = hierarchy.group;
  if (hierarchy.prefix != "/" && group.starts_with(hierarchy.prefix))
    group = group.substr(hierarchy.prefix.size());
  const fs::path path = fs::path(group).relative_path().lexically_normal();
  std::error_code error;
  const bool usable =
      !path.empty() && *path.begin() != ".." && fs::exists(root / hierarchy.mount / path, error);
  return usable ? path : fs::path();
}

std::optional<MemoryLimit> limit_of(const fs::path& group, const Version& version) {
  const auto limit = to_number(read_text(group / version.limit));
  if (!limit) return std::nullopt;
  const std::uint64_t used = to_number(read_text(group / version.usage)).value_or(0);
  const auto cache = to_number(read_field(group / "memory.stat", version.reclaimable, ' ')).value_or(0);
  const std::uint64_t held = used - std::min(used, cache);
  return MemoryLimit{*limit, *limit - std::min(*limit, held)};
}

}  // namespace

std::optional<MemoryLimit> memory_limit(const fs::path& root) {
  std::optional<MemoryLimit> tightest;
  for (const Hierarchy& hierarchy : hierarchies(root)) {
    fs::path below = path_below(root, hierarchy);
    while (true) {
      // No "/" at the end: where memory is missing, libstdc++ 12 crashes as it appends to such a path.
      const fs::path mount = root / hierarchy.mount;
      if (const auto limit = limit_of(below.empty() ? mount : mount / below, hierarchy.version)) {
        if (!tightest) tightest = limit;
        tightest->bytes = std::min(tightest->bytes, limit->bytes);
        tightest->left = std::min(tightest->left, limit->left);
      }
      if (below.empty()) break;
      below = below.parent_path();
    }
  }
  return tightest;
}

}  // namespace gable::machines

#include "kmaf/live/shared_memory/shared_objects.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/reading.hpp"
#include "kmaf/live/program/memory_policy.hpp"
#include "machines/files.hpp"

namespace gable::kmaf::live {

namespace {

constexpr int most_tries = 4;  // a mapping may go or change before it is opened

std::string refusal(const char* what, int error) {
  return std::string(what) + ": " + std::strerror(error) +
         (error == EPERM ? "; a container needs CAP_SYS_NICE" : "");
}

// The device of memfd, System V segments and shared anonymous memory, which is not mounted.
std::optional<std::uint64_t> kernels_own_tmpfs() {
  const Descriptor file(memfd_create("gable-kmaf-device", MFD_CLOEXEC));
  struct stat status = {};
  if (!file || fstat(file.get(), &status) != 0) return {};
  return device_of(status);
}

}  // namespace

std::set<std::uint64_t> tmpfs_in(const std::string& mountinfo) {
  std::set<std::uint64_t> devices;
  TextStream lines(mountinfo);
  for (std::string line; std::getline(lines, line);) {
    unsigned major = 0, minor = 0;
    const std::size_t system = line.find(" - ");
    if (system != std::string::npos && line.compare(system, 9, " - tmpfs ") == 0 &&
        std::sscanf(line.c_str(), "%*u %*u %u:%u", &major, &minor) == 2)
      devices.insert(MappedRange::device_of(major, minor));
  }
  return devices;
}

bool may_need_policy(const MappedRange& mapping) {
  const std::uint64_t major = (mapping.device & ~system_v) >> MappedRange::minor_bits;
  return mapping.shared && mapping.writable && !mapping.executable && !mapping.special && major == 0 &&
         mapping.name.starts_with("/");
}

void SharedObjects::look(pid_t pid, const std::vector<MappedRange>& mappings) {
  HeldFiles held(pid);
  bool holds = false;
  for (const MappedRange& mapping : mappings) {
    if (!may_need_policy(mapping) || !lies_in_memory(pid, mapping.device)) continue;
    const Start start{mapping.device, mapping.inode, mapping.offset};
    const auto object = objects_.find({mapping.device, mapping.inode});
    holds = holds || (object != objects_.end() && object->second.empty());
    if (known_.contains(start)) continue;
    const auto reason = set_hiding_policy(pid, mapping, held);
    if (!reason) continue;
    known_.insert(start);
    // Partial success counts as success.
    const auto [entry, is_new] = objects_.try_emplace({mapping.device, mapping.inode}, *reason);
    if (!is_new && reason->empty()) entry->second.clear();
  }
  if (holds) note_holder(pid);
}

void SharedObjects::note_holder(pid_t pid) {
  if (holders_.emplace(pid, start_time(pid)).second) journal_.process(pid);
}

bool SharedObjects::lies_in_memory(pid_t pid, std::uint64_t device) {
  device &= ~system_v;
  if (const auto known = in_memory_.find(device); known != in_memory_.end()) return known->second;
  const auto own = kernels_own_tmpfs();
  if (!own) return false;
  in_memory_[*own] = true;
  const std::string mounts = machines::raw_text("/proc/" + std::to_string(pid) + "/mountinfo");
  for (const std::uint64_t each : tmpfs_in(mounts)) in_memory_[each] = true;
  return in_memory_.try_emplace(device, false).first->second;
}

std::optional<std::string> SharedObjects::set_hiding_policy(pid_t pid, const MappedRange& mapping,
                                                            HeldFiles& held) {
  const Start start{mapping.device, mapping.inode, mapping.offset};
  const OpenObject opened = open_mapped(pid, mapping, held);
  if (opened.error == ENOTSUP) known_.insert(start);
  if (opened.error == ENOTSUP || opened.error == ESRCH) return {};
  if (opened.error == ENOENT && ++missed_[start] < most_tries) return {};
  if (opened.error == EPERM || opened.error == EACCES)
    return "opening it from outside needs CAP_CHECKPOINT_RESTORE or CAP_SYS_ADMIN";
  if (opened.error != 0) return refusal("opening it", opened.error);
  if (const auto own = policy_of_thread(pid, pid); own && own->binds)
    return "its process has a memory policy of its own";
  const ObjectPage page(opened.file, mapping.offset);
  if (page.error() != 0) return refusal("mapping it", page.error());
  PagePolicy policy;
  if (const int error = page.read(policy)) return refusal("get_mempolicy", error);
  if (policy != PagePolicy{}) return "it has a memory policy of its own";
  policy = hiding_policy();
  if (policy.nodes.empty()) return "the kernel does not report which nodes have memory for it";
  if (!mbind_hides()) return "this kernel's mbind hides no pages (Linux 5.15 does)";
  note_holder(pid);
  journal_.object({{mapping.device, mapping.inode, mapping.name}, mapping.offset, policy});
  if (const int error = page.set(policy)) return refusal("mbind", error);
  return "";
}

Moves SharedObjects::counts() const {
  Moves counts;
  for (const auto& [name, reason] : objects_) {
    if (reason.empty()) {
      ++counts.done;
    } else {
      ++counts.failed[reason];
    }
  }
  return counts;
}

}  // namespace gable::kmaf::live

#include "kmaf/live/shared_objects.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace gable::kmaf::live {

namespace {

std::string refusal(const char* what, int error) {
  return std::string(what) + ": " + std::strerror(error) +
         (error == EPERM ? "; a container is granted it with CAP_SYS_NICE" : "");
}

}  // namespace

bool may_be_seen_into(const MappedRange& mapping) {
  const std::uint64_t major = (mapping.device & ~system_v) >> MappedRange::minor_bits;
  return mapping.shared && mapping.writable && !mapping.executable && !mapping.special && major == 0 &&
         mapping.name.starts_with("/");
}

// A line for each mapping, whose second word is the policy: that of its process where it has none itself. A
// short reading makes the kernel look at one alone.
bool has_memory_policy(pid_t pid) {
  const Descriptor file(open(("/proc/" + std::to_string(pid) + "/numa_maps").c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 64> text = {};
  const ssize_t got = file ? ::read(file.get(), text.data(), text.size()) : 0;
  const std::string_view line(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  const std::size_t space = line.find(' ');
  return space != std::string_view::npos && !line.substr(space + 1).starts_with("default");
}

void SharedObjects::look(pid_t pid, const std::vector<MappedRange>& mappings) {
  for (const MappedRange& mapping : mappings) {
    const Start start{mapping.device, mapping.inode, mapping.offset};
    if (!may_be_seen_into(mapping) || known_.contains(start)) continue;
    const auto reason = see_into(pid, mapping);
    if (!reason) continue;
    known_.insert(start);
    // What is seen in part is seen.
    const auto [object, is_new] = objects_.try_emplace({mapping.device, mapping.inode}, *reason);
    if (!is_new && reason->empty()) object->second.clear();
  }
}

std::optional<std::string> SharedObjects::see_into(pid_t pid, const MappedRange& mapping) {
  const OpenObject opened = open_mapped(pid, mapping);
  if (opened.error == ENOTSUP) known_.insert({mapping.device, mapping.inode, mapping.offset});
  if (opened.error == ENOTSUP || opened.error == ENOENT || opened.error == ESRCH) return {};
  if (opened.error == EPERM || opened.error == EACCES)
    return "opening it from outside takes CAP_CHECKPOINT_RESTORE or CAP_SYS_ADMIN";
  if (opened.error != 0) return refusal("opening it", opened.error);
  if (has_memory_policy(pid)) return "its process has a memory policy of its own";
  const ObjectPage page(opened.file, mapping.offset);
  if (page.error() != 0) return refusal("mapping it", page.error());
  PagePolicy policy;
  if (const int error = page.read(policy)) return refusal("get_mempolicy", error);
  if (policy != PagePolicy{}) return "it has a memory policy of its own";
  policy = hiding_policy();
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

#pragma once

// A simulated kernel: a test sets the pages' nodes and the masks.

#include <cerrno>
#include <map>
#include <set>

#include "kmaf/live/movers/kernel.hpp"

namespace gable::kmaf::live {

class PlayedKernel : public Kernel {
 public:
  std::vector<int> move_pages(pid_t pid, const std::vector<std::uint64_t>& addresses,
                              const std::vector<int>& nodes) override {
    calls.push_back(addresses.size());
    processes.push_back(pid);
    if (ended.contains(pid)) return std::vector<int>(addresses.size(), -ESRCH);
    std::vector<int> answers;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      const int error = errors.contains(addresses[i]) ? errors[addresses[i]] : 0;
      if (error == 0 && !stubborn.contains(addresses[i])) node[addresses[i]] = nodes[i];
      answers.push_back(error != 0 ? error : nodes[i]);
    }
    return answers;
  }
  std::vector<int> nodes_of(pid_t pid, const std::vector<std::uint64_t>& addresses) override {
    if (ended.contains(pid)) return std::vector<int>(addresses.size(), -ESRCH);
    std::vector<int> nodes;
    for (const std::uint64_t address : addresses) {
      const bool hidden = errors.contains(address) && errors[address] == -ENOENT;
      nodes.push_back(hidden ? -ENOENT : node[address]);
    }
    return nodes;
  }
  std::vector<MappingPolicy> policies(pid_t) override {
    ++readings;
    return mappings;
  }
  std::optional<MemoryPolicy> policy_of_thread(pid_t, pid_t tid) override {
    const auto found = threads.find(tid);
    return found == threads.end() ? MemoryPolicy() : found->second;
  }
  std::optional<std::vector<unsigned>> affinity(pid_t tid) override {
    const auto found = masks.find(tid);
    if (found == masks.end()) return {};
    return found->second;
  }
  int set_affinity(pid_t tid, const std::vector<unsigned>& pus) override {
    if (off_limits.contains(pus.front()) && pus.size() == 1) return EINVAL;
    masks[tid] = pus;
    return 0;
  }

  std::vector<std::size_t> calls;
  std::vector<pid_t> processes;  // of the calls
  std::set<pid_t> ended;
  std::map<std::uint64_t, int> node, errors;
  std::set<std::uint64_t> stubborn;  // pages that are reported as moved but were not
  std::vector<MappingPolicy> mappings = {{0, {}}};
  int readings = 0;  // of the policies
  std::map<pid_t, MemoryPolicy> threads;
  std::map<pid_t, std::vector<unsigned>> masks;
  std::set<unsigned> off_limits;
};

}  // namespace gable::kmaf::live

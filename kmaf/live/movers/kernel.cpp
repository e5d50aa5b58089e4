#include "kmaf/live/movers/kernel.hpp"

#include <numaif.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "machines/affinity.hpp"

namespace gable::kmaf::live {

namespace {

constexpr int move_own = MPOL_MF_MOVE, move_all = MPOL_MF_MOVE_ALL;

class RunningKernel : public Kernel {
 public:
  std::vector<int> move_pages(pid_t pid, const std::vector<std::uint64_t>& addresses,
                              const std::vector<int>& nodes) override {
    // Moving pages that several processes map needs CAP_SYS_NICE.
    std::vector<int> answer = call(pid, addresses, nodes.data(), flags_);
    if (flags_ == move_all && !answer.empty() && answer.front() == -EPERM) {
      flags_ = move_own;
      answer = call(pid, addresses, nodes.data(), flags_);
    }
    return answer;
  }

  std::vector<int> nodes_of(pid_t pid, const std::vector<std::uint64_t>& addresses) override {
    return call(pid, addresses, nullptr, 0);
  }

  std::vector<MappingPolicy> policies(pid_t pid) override { return policies_of(pid); }

  std::optional<MemoryPolicy> policy_of_thread(pid_t pid, pid_t tid) override {
    return live::policy_of_thread(pid, tid);
  }

  std::optional<std::vector<unsigned>> affinity(pid_t tid) override {
    std::vector<unsigned> pus = machines::affinity_of(tid);
    if (pus.empty()) return {};
    return pus;
  }

  int set_affinity(pid_t tid, const std::vector<unsigned>& pus) override {
    return machines::set_affinity(tid, pus);
  }

 private:
  static std::vector<int> call(pid_t pid, const std::vector<std::uint64_t>& addresses, const int* nodes,
                               int flags) {
    std::vector<int> status(addresses.size(), -ENOENT);
    if (addresses.empty()) return status;
    if (syscall(SYS_move_pages, pid, addresses.size(), addresses.data(), nodes, status.data(), flags) < 0)
      status.assign(addresses.size(), -errno);
    return status;
  }

  int flags_ = move_all;
};

}  // namespace

Kernel& running_kernel() {
  static RunningKernel kernel;
  return kernel;
}

}  // namespace gable::kmaf::live

#include "kmaf/live/movers/page_policies.hpp"

#include <algorithm>

#include "base/clocks.hpp"

namespace gable::kmaf::live {

namespace {

constexpr double policies_rest = 20;  // pause after a reading, as a multiple of its duration
constexpr double kept_seconds = 1;    // so long a page counts as kept without another reading

}  // namespace

const MemoryPolicy* PagePolicies::Process::of_page(std::uint64_t address) const {
  const auto after = std::ranges::upper_bound(mappings, address, {}, &MappingPolicy::begin);
  return after == mappings.begin() ? nullptr : &std::prev(after)->policy;
}

bool PagePolicies::may_read() const {
  return monotonic_seconds() >= pauses_until_;
}

void PagePolicies::read(pid_t pid) {
  Process& process = processes_[pid];
  const double before = thread_seconds();
  process.read_at = monotonic_seconds();
  process.mappings = kernel_.policies(pid);
  process.threads.clear();
  pauses_until_ = std::max(pauses_until_, process.read_at) + policies_rest * (thread_seconds() - before);
}

std::optional<bool> PagePolicies::let(pid_t pid, pid_t tid, std::uint64_t address, int node) {
  Process& process = processes_[pid];
  const MemoryPolicy* const policy = process.of_page(address);
  if (policy == nullptr) return {};
  if (policy->binds || tid == 0 || tid == pid) return policy->lets(node);
  auto thread = process.threads.find(tid);
  if (thread == process.threads.end())
    thread = process.threads.emplace(tid, kernel_.policy_of_thread(pid, tid)).first;
  // A thread that has ended has no policy any more.
  return !thread->second || thread->second->lets(node);
}

bool PagePolicies::keep(pid_t pid, std::uint64_t address) const {
  const auto process = processes_.find(pid);
  if (process == processes_.end()) return false;
  if (monotonic_seconds() > std::max(pauses_until_, process->second.read_at + kept_seconds)) return false;
  const MemoryPolicy* const policy = process->second.of_page(address);
  return policy != nullptr && policy->binds && policy->nodes.empty();
}

}  // namespace gable::kmaf::live

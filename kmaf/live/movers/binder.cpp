#include "kmaf/live/movers/binder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace gable::kmaf::live {

namespace {

constexpr double working_seconds = 0.5;

}  // namespace

Binder::Binder(Kernel& kernel, Journal& journal, std::vector<unsigned> allowed)
    : kernel_(kernel), journal_(journal), allowed_(std::move(allowed)) {
  journal_.mask(allowed_);
}

// Neither the program's mask nor the one that was given to it.
bool Binder::is_its_own(const std::vector<unsigned>& mask, pid_t tid) const {
  if (mask == allowed_) return false;
  const auto given = given_.find(tid);
  return given == given_.end() || mask.size() != 1 || !given->second.has(mask.front());
}

bool Binder::waits(pid_t pid) const {
  const auto process = processes_.find(pid);
  return process != processes_.end() && process->second.launches && process->second.more_threads == 0 &&
         !process->second.works;
}

void Binder::accessed(pid_t pid, double seconds) {
  const auto found = processes_.find(pid);
  if (found == processes_.end() || !found->second.launches) return;
  Process& process = found->second;
  if (!process.works_since) process.works_since = seconds;
  process.works = process.works || seconds - *process.works_since > working_seconds;
}

bool Binder::bind(pid_t pid, pid_t tid, unsigned pu) {
  if (waits(pid)) return false;
  const auto before = kernel_.affinity(tid);
  if (!before) {
    ++moves_.failed["the thread has ended"];
    return false;
  }
  if (is_its_own(*before, tid)) {
    ++moves_.failed["the program binds the thread itself"];
    return false;
  }
  if (!std::exchange(processes_[pid].in_journal, true)) journal_.process(pid);
  journal_.bound(pid, tid, pu);
  const int error = kernel_.set_affinity(tid, {pu});
  if (error != 0) {
    ++moves_.failed[error == EINVAL ? "the hardware thread is not allowed" : std::strerror(error)];
    return false;
  }
  const auto after = kernel_.affinity(tid);
  if (!after || *after != std::vector{pu}) {
    ++moves_.failed["the thread was not on the CPU it was bound to"];
    return false;
  }
  Given& given = given_[tid];
  if (given.now) given.before = given.now;
  given.now = pu;
  ++moves_.done;
  return true;
}

std::optional<unsigned> Binder::bound_to(pid_t tid) const {
  const auto found = given_.find(tid);
  if (found == given_.end()) return {};
  return found->second.now;
}

// The child has inherited its parent's mask.
void Binder::launched_by(const Event& event) {
  if (event.parent_pid == 0 || event.parent_pid == event.pid) return;
  Process& process = processes_[event.parent_pid];
  process.launches = true;
  process.works = false;
  process.works_since.reset();
  if (waits(event.parent_pid)) release(event.parent_tid);
}

void Binder::started(const Event& event) {
  given_.erase(event.tid);  // of an earlier thread with this number
  if (event.tid == event.pid) {
    processes_.erase(event.pid);
    launched_by(event);
  } else {
    ++processes_[event.pid].more_threads;
  }
  const auto maker = given_.find(event.parent_tid);
  if (event.parent_tid != 0 && maker == given_.end()) return;
  const auto mask = kernel_.affinity(event.tid);
  if (!mask || mask->size() != 1) return;
  const unsigned pu = mask->front();
  // An unknown parent may have been any of the bound threads.
  const bool inherited =
      event.parent_tid != 0
          ? maker->second.has(pu)
          : std::ranges::any_of(given_, [&](const auto& given) { return given.second.has(pu); });
  if (!inherited) return;
  kernel_.set_affinity(event.tid, allowed_);
  given_[event.tid].before = pu;  // threads it has created meanwhile have it too
}

void Binder::ended(const Event& event) {
  given_.erase(event.tid);
  if (event.tid == event.pid) {
    processes_.erase(event.pid);
  } else if (const auto process = processes_.find(event.pid); process != processes_.end()) {
    process->second.more_threads = std::max(0, process->second.more_threads - 1);
  }
}

void Binder::release(pid_t tid) {
  const auto found = given_.find(tid);
  if (found == given_.end() || !found->second.now) return;
  const std::vector given = {*found->second.now};
  found->second = {std::nullopt, found->second.now};
  if (kernel_.affinity(tid) == given) kernel_.set_affinity(tid, allowed_);
}

}  // namespace gable::kmaf::live

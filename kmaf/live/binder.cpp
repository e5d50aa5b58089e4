#include "kmaf/live/binder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace gable::kmaf::live {

Binder::Binder(Kernel& kernel, Journal& journal, std::vector<unsigned> allowed)
    : kernel_(kernel), journal_(journal), allowed_(std::move(allowed)) {
  journal_.mask(allowed_);
}

// Neither what all have nor what was given to it.
bool Binder::is_its_own(const std::vector<unsigned>& mask, pid_t tid) const {
  if (mask == allowed_) return false;
  const auto given = bound_.find(tid);
  return given == bound_.end() || mask != std::vector{given->second.pu};
}

bool Binder::bind(pid_t pid, pid_t tid, unsigned pu) {
  const auto before = kernel_.affinity(tid);
  if (!before) {
    ++moves_.failed["the thread has ended"];
    return false;
  }
  if (is_its_own(*before, tid)) {
    ++moves_.failed["the program has bound the thread itself"];
    return false;
  }
  if (processes_.try_emplace(pid).second) journal_.process(pid);
  journal_.bound(pid, tid, pu);
  const int error = kernel_.set_affinity(tid, {pu});
  if (error != 0) {
    ++moves_.failed[error == EINVAL ? "the hardware thread is off limits" : std::strerror(error)];
    return false;
  }
  const auto after = kernel_.affinity(tid);
  if (!after || *after != std::vector{pu}) {
    ++moves_.failed["the thread was not where it was bound"];
    return false;
  }
  const auto [bound, is_first] = bound_.try_emplace(tid, Bound{pu, {}});
  if (!is_first) bound->second = {pu, bound->second.pu};
  ++moves_.done;
  return true;
}

std::optional<unsigned> Binder::bound_to(pid_t tid) const {
  const auto found = bound_.find(tid);
  if (found == bound_.end()) return {};
  return found->second.pu;
}

void Binder::started(const Event& event) {
  bound_.erase(event.tid);  // of an earlier thread of that number
  const auto maker = bound_.find(event.parent_tid);
  if (event.parent_tid != 0 && maker == bound_.end()) return;
  const auto mask = kernel_.affinity(event.tid);
  if (!mask || mask->size() != 1) return;
  const auto inherited = [&](const auto& bound) {
    return bound.second.pu == mask->front() || bound.second.before == mask->front();
  };
  // Where the maker is not known it may have been any of those that are bound.
  const bool found =
      event.parent_tid != 0 ? inherited(*maker) : std::any_of(bound_.begin(), bound_.end(), inherited);
  if (found) kernel_.set_affinity(event.tid, allowed_);
}

void Binder::ended(pid_t tid) {
  bound_.erase(tid);
}

void Binder::release(pid_t tid) {
  const auto found = bound_.find(tid);
  if (found == bound_.end()) return;
  const std::vector given = {found->second.pu};
  bound_.erase(found);
  if (kernel_.affinity(tid) == given) kernel_.set_affinity(tid, allowed_);
}

}  // namespace gable::kmaf::live

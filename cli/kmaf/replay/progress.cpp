#include "cli/kmaf/replay/progress.hpp"

#include <utility>

namespace gable::cli {

ReplayProgress::ReplayProgress(const std::string& part, std::string purpose)
    : line_(false, {.part = part, .terminal_only = true}), purpose_(std::move(purpose)) {}

void ReplayProgress::show(int ended, int all) {
  const std::lock_guard lock(guard_);
  if (ended <= ended_) return;  // another thread has told a later one
  ended_ = ended;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
  line_.show(ended, all, spent.count() / ended * (all - ended), purpose_);
}

}  // namespace gable::cli

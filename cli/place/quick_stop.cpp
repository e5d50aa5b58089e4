#include "cli/place/quick_stop.hpp"

#include <chrono>
#include <cstdio>

#include "cli/interrupt.hpp"
#include "cli/text/message.hpp"

namespace gable::cli {

namespace {

constexpr auto look_every = std::chrono::milliseconds(100), patience = std::chrono::milliseconds(500);

}  // namespace

QuickStop::QuickStop(std::function<std::string()> last) : last_(std::move(last)) {
  stop_requested();  // from here on
  watcher_ = std::thread([this] { watch(); });
}

QuickStop::~QuickStop() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  over_.notify_all();
  watcher_.join();
}

void QuickStop::watch() {
  const auto ended = [this] { return ended_; };
  std::unique_lock lock(mutex_);
  while (!stop_requested()) {
    if (over_.wait_for(lock, look_every, ended)) return;
  }
  if (over_.wait_for(lock, patience, ended)) return;
  const auto nobody_writes = hold();
  tell(last_());
  std::fflush(stdout);
  end_by_signal();
}

}  // namespace gable::cli

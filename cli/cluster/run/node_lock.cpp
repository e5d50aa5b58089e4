#include "cli/cluster/run/node_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <exception>

#include "base/error.hpp"
#include "base/whole_file.hpp"
#include "cli/cluster/run/launch.hpp"
#include "cli/interrupt.hpp"

namespace gable::cli {

std::string lock_path(const std::string& local) {
  return fmt::format("{}/gable-cluster-{}-{}.lock", local, getuid(), node_name());
}

NodeLock::NodeLock(const std::string& path, const std::string& owner)
    : descriptor_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) fail(path);
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {
    if (ftruncate(descriptor_, 0) == 0) dprintf(descriptor_, "%s\n", owner.c_str());
    return;
  }
  try {
    other_ = read_whole(path);
  } catch (const std::exception&) {
  }
  other_ = other_.empty() ? "?" : other_.substr(0, other_.find('\n'));
}

NodeLock::~NodeLock() {
  close(descriptor_);
}

void wait_for_lock(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  while (flock(file, LOCK_SH) != 0 && errno == EINTR && !stop_requested()) {
  }
  close(file);
}

}  // namespace gable::cli

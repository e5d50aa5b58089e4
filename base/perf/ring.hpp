#pragma once

// The buffer of an event of perf_event_open(2), into which the kernel writes records.

#include <linux/perf_event.h>
#include <sys/types.h>

#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "base/owned.hpp"

namespace gable {

/// Opens an event of a process on a hardware thread, in the group of the event `group` (-1: none). Returns
/// its file descriptor, or -1, with errno, if the kernel refuses.
int open_perf_event(perf_event_attr attr, pid_t process, int cpu, int group = -1);

/// The highest number of a hardware thread; numbers may have gaps.
int last_cpu();

/// The buffer of one event, from which the records are taken.
class PerfRing {
 public:
  /// `event` is its file descriptor. `pages` is a power of two. The buffer is smaller if the kernel does not
  /// allow so many (perf_event_mlock_kb). Throws std::system_error.
  PerfRing(int event, std::size_t pages);
  /// Replaces the content of `records` by the records that the kernel wrote since the last call.
  void read(std::vector<std::byte>& records);

 private:
  Mapped memory_;  // the control page and the data
};

/// The first bytes as a `Body`; nothing if there are fewer.
template <typename Body>
std::optional<Body> body_at(std::span<const std::byte> bytes) {
  if (bytes.size() < sizeof(Body)) return {};
  Body body;
  std::memcpy(&body, bytes.data(), sizeof body);
  return body;
}

/// Calls `take` with the header and the body of each record. A truncated one at the end is left out.
template <typename Take>
void for_each_record(std::span<const std::byte> bytes, const Take& take) {
  while (const auto header = body_at<perf_event_header>(bytes)) {
    if (header->size < sizeof *header || header->size > bytes.size()) return;
    take(*header, bytes.first(header->size).subspan(sizeof *header));
    bytes = bytes.subspan(header->size);
  }
}

}  // namespace gable

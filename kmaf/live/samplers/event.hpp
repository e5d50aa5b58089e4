#pragma once

// Events that a sampler reports of a running program.

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace gable::kmaf::live {

struct Event {
  enum class Kind {
    access,   ///< `tid` accessed `address` on `pu`
    started,  ///< `tid` started, created by `parent_tid`
    ended,    ///< `tid` has ended
    replaced  ///< the process executed another program: all its memory is new
  };
  Kind kind = Kind::access;
  pid_t pid = 0, tid = 0;
  pid_t parent_pid = 0, parent_tid = 0;  ///< of `started`; 0: not known
  std::uint64_t address = 0;             ///< of `access`
  unsigned pu = 0;                       ///< of `access`: os index
  double seconds = 0;                    ///< on CLOCK_MONOTONIC
  bool is_store = false;                 ///< of `access`, from a sampler that tells (Sampler::tells_stores)

  bool operator==(const Event&) const = default;
};

using Events = std::vector<Event>;

}  // namespace gable::kmaf::live

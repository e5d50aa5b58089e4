#pragma once

// Runs a program under the Valgrind tool and records its memory profile; the counter `profile`.

#include "model/records/profile.hpp"
#include "points/counters/counts.hpp"
#include "points/counters/valgrind.hpp"

namespace gable::points {

struct ProfileRun {
  model::Profile profile;
  int status = 0;    ///< of the program, as in a shell
  std::string note;  ///< why the profile is not of the whole program; empty: it is
};

/// `by_line`: source lines instead of functions. A program that fails keeps what was seen until then, with a
/// note. Throws Error::program if it cannot be started or runs what Valgrind does not know, Error::failed if
/// nothing was recorded.
ProfileRun record_profile(const Program& program, bool by_line);

/// Counts as the counter `valgrind` does, in a run that records the profile, too, and takes two to six times
/// as long. Throws what count_with_valgrind throws.
Counts count_with_profile(const Program& program);

inline constexpr Backend profile_backend = {"profile", valgrind_unavailable, count_with_profile};

}  // namespace gable::points

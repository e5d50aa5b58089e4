#pragma once

// The environments in which programs are counted and sampled. Under Valgrind the GNU C library copies and
// sets memory in other ways than without: it does not see AVX-512, and not the true sizes of the caches,
// which decide from which size on it bypasses them. With these variables it does so in the same way: as for
// AVX2, from the sizes on that it chooses on this machine, and without string instructions, which Valgrind
// executes byte by byte. What the user has set is kept.

#include <string>
#include <vector>

namespace gable::points {

/// Variables ("NAME=value") with which a program copies and sets memory as when it is counted. Empty if the
/// library does not tell its sizes.
std::vector<std::string> sampling_environment();

/// Variables with which a program is counted: such ones, and OpenMP threads do not spin while they wait.
std::vector<std::string> counting_environment();

}  // namespace gable::points

#pragma once

// The environment in which programs are counted. Under Valgrind the GNU C library copies and sets memory in
// other ways than without: it does not see AVX-512, and not the true sizes of the caches, which decide from
// which size on it bypasses them.

#include <string>
#include <vector>

namespace gable::points {

/// "GLIBC_TUNABLES=...", with which a program copies and sets memory in the same way under Valgrind and
/// without: as for AVX2, and from the sizes on that the library chooses on this machine. What the user has
/// set is kept. Empty if the library cannot tell.
std::vector<std::string> same_c_library();

/// Adds this to variables that a program gets ("NAME=value"), and that OpenMP threads do not spin while they
/// wait.
std::vector<std::string> counting_environment(std::vector<std::string> environment);

}  // namespace gable::points

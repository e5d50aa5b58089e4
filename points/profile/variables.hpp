#pragma once

// The names of allocated arrays, as the source line of the allocation tells.

#include <string>
#include <string_view>
#include <vector>

namespace gable::points {

/// The variables that a line of C, C++ or Fortran gives allocations to, in the order in which they stand
/// there: "p" for `double* p = malloc(n);`, `posix_memalign((void**)&p, 64, n);` and `std::vector<double>
/// p(n);`, "s->p" for `s->p = new double[n];`, "p" and "q" for `allocate(p(n), q(n))`. Empty where the line
/// does not tell.
std::vector<std::string> allocated_variables(std::string_view line);

}  // namespace gable::points

#pragma once

// The names of allocated arrays, as the source line of the allocation tells.

#include <string>
#include <string_view>

namespace gable::points {

/// The variable that a line of C, C++ or Fortran gives an allocation to: "p" for `double* p = malloc(n);`,
/// `posix_memalign((void**)&p, 64, n);`, `std::vector<double> p(n);` and `allocate(p(n))`, "s->p" for
/// `s->p = new double[n];`. Empty where the line does not tell, as where it allocates twice.
std::string allocated_variable(std::string_view line);

}  // namespace gable::points

#pragma once

// The names of allocated arrays, as the source line of the allocation tells.

#include <string>
#include <string_view>
#include <vector>

namespace gable::points {

/// The variables that a line of C, C++ or Fortran gives allocations to, in the order in which they stand
/// there: "p" for `double* p = malloc(n);`, `posix_memalign((void**)&p, 64, n);` and `std::vector<double>
/// p(n);`, "s->p" for `s->p = new double[n];`, "p" and "q" for `allocate(p(n), q(n))`. Empty where the line
/// does not tell. `allocator` is a function of the program that returns the memory, as in `p = grid(n);`, or
/// empty.
std::vector<std::string> allocated_variables(std::string_view line, std::string_view allocator = "");

/// Whether the function that allocates in the first of these lines of C or C++, and gives the memory to these
/// variables, returns it. The lines go on at least until the function ends.
bool returns_allocation(const std::vector<std::string>& lines, const std::vector<std::string>& variables);

/// A static variable as its program calls it: "table" of C++'s "_ZL5table", "grid::u" of "__grid_MOD_u", the
/// variable u of a module of Fortran; other symbols stay.
std::string readable_variable(const std::string& symbol);

}  // namespace gable::points

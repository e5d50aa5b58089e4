#pragma once

// The names of allocated arrays, as the source line of the allocation tells.

#include <string>
#include <string_view>
#include <vector>

namespace gable::points {

/// The variables that a line of C or C++ gives allocations to, in the order in which they stand there: "p"
/// for `double* p = malloc(n);`, `posix_memalign((void**)&p, 64, n);` and `std::vector<double> p(n);`, "s->p"
/// for `s->p = new double[n];`. Empty where the line does not tell. `callee` is the function that it calls: a
/// method of the variable, as in `p.append(x)`, its constructor, as in `Matrix p(n);`, or, if `is_returned`,
/// a function that returns the memory, as in `p = grid(n);`.
std::vector<std::string> allocated_variables(std::string_view line, std::string_view callee = "",
                                             bool is_returned = false);

/// The members that a line of a constructor initializes with allocations: "a" and "b" for
/// `Solver() : a(new double[9]), b(new double[9]), n(0) {`, or all if it is not known which do.
std::vector<std::string> initialized_members(std::string_view line);

/// The arrays of statements of Fortran, without continuation marks: "p" and "q" for `allocate(p(n), q(n))`
/// and `real(8) :: p(n), q(n), r`.
std::vector<std::string> fortran_variables(std::string_view statements);

/// Whether the function that allocates in the first of these lines of C or C++, and gives the memory to these
/// variables, returns it. The lines go on at least until the function ends.
bool returns_allocation(const std::vector<std::string>& lines, const std::vector<std::string>& variables);

/// A static variable as its program calls it: "table" of C++'s "_ZL5table", "x" of "x.0", a variable of a
/// function, "grid::u" of "__grid_MOD_u", the variable u of a module of Fortran; other symbols stay.
std::string readable_variable(const std::string& symbol);

}  // namespace gable::points

#pragma once

// Time in code that the program did not execute when it was counted: libraries that choose code by the CPU's
// features choose another one under Valgrind, which knows no AVX-512 and no SVE.

#include <optional>
#include <string>

#include "model/records/point.hpp"

namespace gable::model {

struct UncountedCode {
  double share = 0;  ///< of the Point's samples
  std::string file;  ///< with most of it, without folders
};

/// Nothing if it is less than a tenth. Generated code and loops that wait for other threads do not count: how
/// often they are executed differs from run to run.
std::optional<UncountedCode> uncounted_code(const Point& point);

/// Whether it takes so much of the time that the counts do not tell what binds the program.
bool is_mostly_uncounted(const UncountedCode& code);

/// "82 % of its CPU time is in code that it did not execute when it was counted (most in libopenblas.so.0)"
std::string uncounted_figures(const UncountedCode& code);
std::string uncounted_advice();

}  // namespace gable::model

#pragma once

// Where the instructions lie that a program executed at equal steps of its CPU time.

#include <cstdint>
#include <map>
#include <string>

#include "model/records/note.hpp"

namespace gable::points {

struct CodeSamples {
  double all = 0;      ///< of all threads, in the kernel too; 0: none
  double seconds = 0;  ///< CPU time for each sample, in seconds
  double kernel = 0;   ///< in the kernel
  /// In mapped files, by path and offset in the file.
  std::map<std::string, std::map<std::uint64_t, double>> in_files;
  double without_file = 0;                    ///< in generated code and the vDSO
  std::map<std::string, std::string> builds;  ///< code_identity() of these files when the program had ended
  model::Note missing;                        ///< why there are none; empty: there are

  /// Adds the samples of another run. If either has none, the sum has none.
  CodeSamples& operator+=(const CodeSamples& more);
};

}  // namespace gable::points

#pragma once

// Finds loops in which a thread waits for another one and keeps its core: at barriers and locks.

#include <cstdint>
#include <fstream>
#include <string>

namespace gable::points {

/// The code of one file. Such loops contain an instruction that tells the core so: PAUSE on x86-64, YIELD or
/// WFE on AArch64. Loops without one are not found.
class SpinLoops {
 public:
  explicit SpinLoops(const std::string& file);

  /// Whether such an instruction is near the one at this offset in the file.
  bool contain(std::uint64_t offset);

 private:
  std::ifstream file_;
  std::uint16_t machine_ = 0;  // as in ELF files; 0: it is none
};

}  // namespace gable::points

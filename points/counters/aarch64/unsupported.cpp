#include "points/counters/unsupported.hpp"

#include <elf.h>

namespace gable::points {

const ProgramKind program_kind = {EM_AARCH64, "AArch64"};

// Bits 28 to 25 of SVE's encodings are 0010 (Arm Architecture Reference Manual, DDI 0487, section C4.1). The
// lowest byte comes first.
Extension unsupported_extension(const std::vector<std::uint8_t>& code) {
  if (code.size() < 4 || (code[3] >> 1 & 0xf) != 2) return {};
  return {"SVE", "compile it for NEON alone (-march=armv8-a; OpenBLAS: OPENBLAS_CORETYPE=NEOVERSEN1)"};
}

// UDF (DDI 0487, section C6.2): the upper half of the word is zero.
bool is_trap(const std::vector<std::uint8_t>& code) {
  return code.size() >= 4 && code[2] == 0 && code[3] == 0;
}

}  // namespace gable::points

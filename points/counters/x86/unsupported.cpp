#include "points/counters/unsupported.hpp"

#include <elf.h>

#include <algorithm>

namespace gable::points {

const ProgramKind program_kind = {EM_X86_64, "x86-64"};

namespace {

// AVX-512 instructions begin with the EVEX prefix, 62 (Intel SDM volume 2, section 2.7), possibly after a
// segment or address-size prefix. Opmask instructions are VEX instructions with opcodes 41 to 4B and 90
// to 99.
bool is_avx512(const std::vector<std::uint8_t>& code) {
  const auto first = std::ranges::find_if(
      code, [](std::uint8_t byte) { return byte != 0x64 && byte != 0x65 && byte != 0x67; });
  if (first == code.end()) return false;
  if (*first == 0x62) return true;
  const std::ptrdiff_t at = *first == 0xc5 ? 2 : *first == 0xc4 ? 3 : code.end() - first;
  if (at >= code.end() - first) return false;
  const int opcode = first[at];
  return (opcode >= 0x41 && opcode <= 0x4b) || (opcode >= 0x90 && opcode <= 0x99);
}

}  // namespace

Extension unsupported_extension(const std::vector<std::uint8_t>& code) {
  if (!is_avx512(code)) return {};
  return {"AVX-512",
          "compile it for AVX2 (-march=x86-64-v3), and count that build while this one is timed: `gable "
          "point run "
          "--counted`; a library that selects its code by the CPU may do without AVX-512 by "
          "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F (glibc) or OPENBLAS_CORETYPE=Haswell (OpenBLAS)"};
}

// UD0, UD1 and UD2 (Intel's Software Developer's Manual, volume 2).
bool is_trap(const std::vector<std::uint8_t>& code) {
  return code.size() >= 2 && code[0] == 0x0f && (code[1] == 0xff || code[1] == 0xb9 || code[1] == 0x0b);
}

}  // namespace gable::points

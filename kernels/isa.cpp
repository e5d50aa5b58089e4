#include "kernels/isa.hpp"

#include "kernels/kernel.hpp"

namespace gable::kernels {
namespace {

constexpr std::uint32_t bit(int n) {
  return 1u << n;
}

constexpr std::uint64_t ymm_state = 0x06;  // XMM and upper halves of YMM
constexpr std::uint64_t zmm_state = 0xe6;  // these, mask registers, upper halves of ZMM, ZMM16 to ZMM31

constexpr int hwcap_asimd = 1, hwcap_dcpop = 16, hwcap_sve = 22;
constexpr std::uint32_t written_line = 64;  // the kernels write lines of this size back
constexpr std::uint32_t most_zva = 512;     // streams start at multiples of this

}  // namespace

Cpu cpu_of(const CpuidWords& words) {
  const bool ymm = (words.xcr0 & ymm_state) == ymm_state;
  const bool zmm = (words.xcr0 & zmm_state) == zmm_state;
  std::uint32_t features = 0;
  if (words.leaf1_edx & bit(26)) features |= sse2;
  if (ymm && (words.leaf7_ebx & bit(5))) features |= avx2;
  if (ymm && (words.leaf1_ecx & bit(12))) features |= fma;
  if (zmm && (words.leaf7_ebx & bit(16))) features |= avx512f;
  if (words.leaf7_ebx & bit(23)) features |= clflushopt;
  if (words.leaf7_ebx & bit(24)) features |= clwb;
  return {.features = features};
}

Cpu cpu_of(const Aarch64Words& words) {
  const auto has = [&](int n) { return (words.hwcap >> n & 1) != 0; };
  Cpu cpu;
  cpu.line_bytes = 4u << (words.ctr >> 16 & 15);  // DminLine
  const bool prohibited = (words.dczid & bit(4)) != 0;
  if (!prohibited) cpu.zva_bytes = 4u << (words.dczid & 15);
  if (has(hwcap_asimd)) cpu.features |= neon;
  if (has(hwcap_sve) && words.sve_bytes >= 16) {
    cpu.features |= sve;
    cpu.sve_bytes = words.sve_bytes;
  }
  if (has(hwcap_dcpop) && cpu.line_bytes == written_line) cpu.features |= cvap;
  if (cpu.zva_bytes >= 16 && cpu.zva_bytes <= most_zva) cpu.features |= zva;
  return cpu;
}

std::uint32_t cpu_features() {
  return this_cpu().features;
}

bool runs(const Kernel& kernel, std::uint32_t features) {
  return (kernel.features & ~features) == 0;
}

std::vector<std::string> isas(std::uint32_t features) {
  std::vector<std::string> names;
  for (const auto& [feature, name] :
       {std::pair{sse2, "sse2"}, {avx2, "avx2"}, {avx512f, "avx512"}, {neon, "neon"}, {sve, "sve"}}) {
    if ((features & feature) && find("load", name) != nullptr) names.push_back(name);
  }
  return names;
}

}  // namespace gable::kernels

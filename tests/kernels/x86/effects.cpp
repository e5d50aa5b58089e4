// What the instructions of x86-64 do, in AT&T syntax: the destination is last.

#include "tests/kernels/matched.hpp"
#include "tests/kernels/objdump.hpp"

namespace gable::tests {
namespace {

std::uint32_t register_bytes(const std::string& operands) {
  if (operands.find("%zmm") != std::string::npos) return 64;
  if (operands.find("%ymm") != std::string::npos) return 32;
  if (operands.find("%xmm") != std::string::npos) return 16;
  return 8;
}

std::uint32_t flops_of(const Instruction& instruction) {
  const auto match = matched("^v?(fmadd[0-9]+|add|mul|div|sqrt)([ps])([ds])$", instruction.mnemonic);
  if (match.empty()) return 0;
  const std::uint32_t all = register_bytes(instruction.operands) / (match[3] == "d" ? 8 : 4);
  const std::uint32_t lanes = match[2] == "p" ? all : 1;
  return match[1][0] == 'f' ? 2 * lanes : lanes;
}

}  // namespace

Effect effect_of(const Instruction& instruction) {
  Effect effect;
  effect.flops = flops_of(instruction);
  effect.branches = instruction.mnemonic[0] == 'j';
  effect.fences = instruction.mnemonic == "sfence";
  effect.non_temporal = instruction.mnemonic.find("movnt") != std::string::npos;
  effect.writes_back = instruction.mnemonic == "clwb" || instruction.mnemonic == "clflushopt";
  const auto memory =
      matched(R"((-?)(0x([0-9a-f]+))?\(%([a-z0-9]+)(,%[a-z0-9]+,1)?\))", instruction.operands);
  if (!memory.empty() && matched("^(prefetch.*|lea.*|nop.*|data16|cs)$", instruction.mnemonic).empty()) {
    effect.pointer = memory[4];
    effect.offset = memory[3].empty() ? 0 : std::stoll(memory[3], nullptr, 16);
    if (!memory[1].empty()) effect.offset = -effect.offset;
    if (effect.writes_back) return effect;
    const bool stores = memory[6].empty();
    (stores ? effect.store_bytes : effect.load_bytes) = register_bytes(instruction.operands);
    if (instruction.mnemonic == "lock") effect.load_bytes = effect.store_bytes;  // lock xadd
  } else if (instruction.mnemonic == "add" || instruction.mnemonic == "sub") {
    const auto step = matched(R"(^\$0x([0-9a-f]+),%([a-z0-9]+)$)", instruction.operands);
    if (step.empty()) return effect;
    effect.base = effect.pointer = step[2];
    effect.offset = static_cast<std::int64_t>(std::stoull(step[1], nullptr, 16));
    if (instruction.mnemonic == "sub") effect.offset = -effect.offset;
  }
  return effect;
}

// A kernel uses the registers of its ISA, and no wider ones; chains and sums of numbers those of SSE2.
std::string foreign_registers(const kernels::Kernel& kernel, const std::vector<Instruction>& code) {
  const std::map<std::string, std::pair<const char*, const char*>> uses = {{"x86", {"%r", "%[xyz]mm"}},
                                                                           {"sse2", {"%xmm", "%[yz]mm"}},
                                                                           {"avx2", {"%ymm", "%zmm"}},
                                                                           {"avx512", {"%zmm", "%ymm"}}};
  const bool is_chain = kernel.kind == kernels::Kind::chain;
  const auto [own, foreign] = has_scalars(kernel) ? std::pair("%(r|xmm)", "%[yz]mm") : uses.at(kernel.isa);
  const bool has_vex = kernel.vector_bytes >= 32 || (is_chain && (kernel.features & kernels::fma) != 0);
  bool used = false;
  for (const Instruction& instruction : code) {
    used = used || !matched(own, instruction.operands).empty();
    const bool vex = instruction.mnemonic[0] == 'v';
    if (!matched(foreign, instruction.operands).empty() || (vex && !has_vex))
      return instruction.mnemonic + " " + instruction.operands;
  }
  return used ? "" : "no vector";
}

}  // namespace gable::tests

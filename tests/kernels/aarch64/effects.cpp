// What the instructions of AArch64 do.

#include <algorithm>
#include <cctype>
#include <initializer_list>

#include "kernels/isa.hpp"
#include "tests/kernels/objdump.hpp"

namespace gable::tests {
namespace {

std::int64_t vector_length() {
  return std::max(16u, kernels::this_cpu().sve_bytes);
}

std::int64_t zva_length() {
  return std::max(16u, kernels::this_cpu().zva_bytes);
}

// Regular expressions would take most of the time in an emulator.
bool is_one_of(const std::string& mnemonic, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), mnemonic) != names.end();
}

std::uint32_t flops_of(const Instruction& instruction) {
  if (!is_one_of(instruction.mnemonic, {"fmla", "fmadd", "fadd", "fmul", "fdiv", "fdivr", "fsqrt"})) return 0;
  const bool sve = instruction.operands[0] == 'z';
  const std::string first = instruction.operands.substr(0, instruction.operands.find(','));
  const bool scalar = instruction.operands[0] == 'd' || instruction.operands[0] == 's';
  const auto all = static_cast<std::uint32_t>((sve ? vector_length() : 16) / (first.ends_with('s') ? 4 : 8));
  const std::uint32_t lanes = scalar ? 1 : all;
  return is_one_of(instruction.mnemonic, {"fmla", "fmadd"}) ? 2 * lanes : lanes;
}

std::uint32_t bytes_of(const Instruction& instruction) {
  const char first = instruction.operands[0];
  if (first == 'z' || first == '{') return static_cast<std::uint32_t>(vector_length());
  const bool pair = instruction.mnemonic.find('p') != std::string::npos;
  return (first == 'q' ? 16 : 8) * (pair ? 2 : 1);
}

std::int64_t number(std::string_view text) {
  return std::stoll(std::string(text), nullptr, 0);
}

// "add x8, x8, #0x200", "addvl x16, x8, #8", and, in store_zva, "add x10, x10, x15".
void see_addition(const Instruction& instruction, Effect& effect) {
  if (!is_one_of(instruction.mnemonic, {"add", "addvl"})) return;
  char to[16], from[16], what[32];
  if (std::sscanf(instruction.operands.c_str(), "%15[x0-9], %15[x0-9], %31s", to, from, what) != 3) return;
  const bool blocks = what == std::string_view("x15");
  if (what[0] != '#' && !blocks) return;
  effect.pointer = to;
  effect.base = from;
  effect.offset = blocks ? zva_length() : number(what + 1);
  if (instruction.mnemonic == "addvl") effect.offset *= vector_length();
  if (instruction.operands.find("lsl #12") != std::string::npos) effect.offset <<= 12;
}

}  // namespace

Effect effect_of(const Instruction& instruction) {
  const std::string& operands = instruction.operands;
  Effect effect;
  effect.flops = flops_of(instruction);
  effect.branches = instruction.mnemonic == "b.ne";
  effect.fences = instruction.mnemonic == "dsb";
  effect.non_temporal = is_one_of(instruction.mnemonic, {"ldnp", "stnp", "ldnt1d", "stnt1d"});
  if (instruction.mnemonic == "dc") {
    effect.pointer = operands.substr(operands.find(", ") + 2);
    effect.writes_back = operands.starts_with("cvap");
    if (operands.starts_with("zva")) effect.store_bytes = static_cast<std::uint32_t>(zva_length());
    return effect;
  }
  const std::size_t open = operands.find('['), comma = operands.find(", #", open),
                    close = operands.find(']', open);
  if (close == std::string::npos) {
    see_addition(instruction, effect);
  } else if (!instruction.mnemonic.starts_with("prf")) {
    effect.pointer = operands.substr(open + 1, std::min(comma, close) - open - 1);
    if (comma < close) effect.offset = number(operands.substr(comma + 3));
    if (operands.find("mul vl") != std::string::npos) effect.offset *= vector_length();
    (instruction.mnemonic.starts_with("st") ? effect.store_bytes : effect.load_bytes) = bytes_of(instruction);
  }
  return effect;
}

// Whether the text names a register of one of these classes: a letter and a number after a space, a brace or
// nothing.
bool names_register(const std::string& operands, std::string_view classes) {
  for (std::size_t i = 0; i + 1 < operands.size(); ++i) {
    const bool begins = i == 0 || operands[i - 1] == ' ' || operands[i - 1] == '{';
    if (begins && classes.find(operands[i]) != std::string_view::npos && std::isdigit(operands[i + 1]) != 0)
      return true;
  }
  return false;
}

// A kernel uses the registers of its ISA, chains also scalars. d8 to d15, s0 and d0 appear where a kernel
// begins and ends.
std::string foreign_registers(const kernels::Kernel& kernel, const std::vector<Instruction>& code) {
  const std::map<std::string, std::pair<std::string_view, std::string_view>> uses = {
      {"aarch64", {"x", "zqvdsp"}}, {"neon", {"qv", "zp"}}, {"sve", {"z", "qv"}}};
  auto [own, foreign] = uses.at(kernel.isa);
  if (has_scalars(kernel)) foreign = "zqvp";
  bool used = false;
  for (const Instruction& instruction : code) {
    used = used || names_register(instruction.operands, own);
    if (names_register(instruction.operands, foreign))
      return instruction.mnemonic + " " + instruction.operands;
  }
  return used ? "" : "no vector";
}

}  // namespace gable::tests

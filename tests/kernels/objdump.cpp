#include "tests/kernels/objdump.hpp"

#include <limits.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <stdexcept>

#include "tests/kernels/matched.hpp"

namespace gable::tests {
namespace {

std::string own_path() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length < 0) throw std::runtime_error("cannot read /proc/self/exe");
  return {path, static_cast<std::size_t>(length)};
}

std::uint32_t register_bytes(const std::string& operands) {
  if (operands.find("%zmm") != std::string::npos) return 64;
  if (operands.find("%ymm") != std::string::npos) return 32;
  if (operands.find("%xmm") != std::string::npos) return 16;
  return 8;
}

std::uint32_t flops_of(const Instruction& instruction) {
  const auto match = matched("^v?(fmadd[0-9]+|add|mul)p([ds])$", instruction.mnemonic);
  if (match.empty()) return 0;
  const std::uint32_t lanes = register_bytes(instruction.operands) / (match[2] == "d" ? 8 : 4);
  return match[1][0] == 'f' ? 2 * lanes : lanes;
}

using Functions = std::map<std::string, std::vector<Instruction>>;

Functions disassemble() {
  Functions functions;
  const std::string command = "objdump -d --no-show-raw-insn -j .text '" + own_path() + "' 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  char line[4096];
  std::vector<Instruction>* current = nullptr;
  while (pipe && std::fgets(line, sizeof line, pipe.get())) {
    char name[4096], mnemonic[64], operands[512] = "";
    unsigned long address;
    if (std::sscanf(line, "%lx <%4095[^>]>:", &address, name) == 2) {
      current = &functions[name];
    } else if (current && std::sscanf(line, " %lx:\t%63s %511[^\n#]", &address, mnemonic, operands) >= 2) {
      current->push_back({address, mnemonic, operands});
    }
  }
  return functions;
}

}  // namespace

const Functions& disassembly() {
  static const Functions functions = disassemble();
  return functions;
}

std::vector<Instruction> loop_of(const std::vector<Instruction>& function) {
  for (std::size_t end = function.size(); end-- > 0;) {
    if (function[end].mnemonic[0] != 'j') continue;
    const std::uint64_t target = std::stoull(function[end].operands, nullptr, 16);
    for (std::size_t start = 0; start < end; ++start) {
      if (function[start].address == target) return {function.begin() + start, function.begin() + end + 1};
    }
  }
  return {};
}

Counts count(const std::vector<Instruction>& loop) {
  Counts counts;
  for (const Instruction& instruction : loop) {
    counts.flops += flops_of(instruction);
    const auto memory = matched(R"((-?)(0x([0-9a-f]+))?\(%([a-z0-9]+)\))", instruction.operands);
    if (!memory.empty() &&
        matched("^(clwb|clflushopt|prefetch.*|lea.*|nop.*)$", instruction.mnemonic).empty()) {
      const bool stores = memory[5].empty();
      (stores ? counts.store_bytes : counts.load_bytes) += register_bytes(instruction.operands);
      const std::int64_t offset = memory[3].empty() ? 0 : std::stoll(memory[3], nullptr, 16);
      counts.offsets[memory[4]].push_back(memory[1].empty() ? offset : -offset);
    } else if (instruction.mnemonic == "add" || instruction.mnemonic == "sub") {
      const auto step = matched(R"(^\$0x([0-9a-f]+),%([a-z0-9]+)$)", instruction.operands);
      if (step.empty()) continue;
      const std::int64_t raw = static_cast<std::int64_t>(std::stoull(step[1], nullptr, 16));
      counts.steps[step[2]] += instruction.mnemonic == "add" ? raw : -raw;
    }
  }
  return counts;
}

}  // namespace gable::tests

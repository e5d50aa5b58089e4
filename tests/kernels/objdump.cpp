#include "tests/kernels/objdump.hpp"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>

namespace gable::tests {
namespace {

std::string own_path() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length < 0) throw std::runtime_error("cannot read /proc/self/exe");
  return {path, static_cast<std::size_t>(length)};
}

// objdump's comments: "lea 0x2(%rip),%rax        # 40 <x>", "mov x3, #0x1   \t// #1".
std::string without_comment(const std::string& operands) {
  return operands.substr(0, std::min({operands.find("  #"), operands.find("\t//"), operands.find("  //")}));
}

using Functions = std::map<std::string, std::vector<Instruction>>;

Functions disassemble() {
  Functions functions;
  const std::string command =
      GABLE_OBJDUMP " -d --no-show-raw-insn -j .text '" + own_path() + "' 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  char line[4096];
  std::vector<Instruction>* current = nullptr;
  while (pipe && std::fgets(line, sizeof line, pipe.get())) {
    char name[4096], mnemonic[64], operands[512] = "";
    unsigned long address;
    if (std::sscanf(line, "%lx <%4095[^>]>:", &address, name) == 2) {
      current = &functions[name];
    } else if (current && std::sscanf(line, " %lx:\t%63s %511[^\n]", &address, mnemonic, operands) >= 2) {
      current->push_back({address, mnemonic, without_comment(operands)});
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
    if (!effect_of(function[end]).branches) continue;
    const std::uint64_t target = std::stoull(function[end].operands, nullptr, 16);
    for (std::size_t start = 0; start < end; ++start) {
      if (function[start].address == target) return {function.begin() + start, function.begin() + end + 1};
    }
  }
  return {};
}

Counts count(const std::vector<Instruction>& code) {
  Counts counts;
  std::map<std::string, std::pair<std::string, std::int64_t>> stands_for;
  for (const Instruction& instruction : code) {
    Effect effect = effect_of(instruction);
    if (!effect.base.empty()) {
      if (effect.base == effect.pointer) {
        counts.steps[effect.pointer] += effect.offset;
      } else {
        stands_for[effect.pointer] = {effect.base, effect.offset};
      }
      continue;
    }
    counts.flops += effect.flops;
    counts.load_bytes += effect.load_bytes;
    counts.store_bytes += effect.store_bytes;
    counts.fences += effect.fences;
    if (effect.fences) counts.fenced_last = true;
    if (const auto found = stands_for.find(effect.pointer); found != stands_for.end()) {
      effect.pointer = found->second.first;
      effect.offset += found->second.second;
    }
    if (effect.writes_back) counts.written_back.push_back(effect.offset);
    const std::uint32_t bytes = effect.load_bytes + effect.store_bytes;
    if (bytes == 0) continue;
    counts.fenced_last = false;
    counts.stores_after_write_back += effect.store_bytes > 0 && !counts.written_back.empty();
    counts.non_temporal_bytes += effect.non_temporal ? bytes : 0;
    counts.accesses[effect.pointer].push_back({effect.offset + counts.steps[effect.pointer], bytes});
  }
  return counts;
}

}  // namespace gable::tests

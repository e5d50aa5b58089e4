#include "machines/cores/midr.hpp"

#include <fmt/ranges.h>

#include <cstdlib>
#include <sstream>
#include <vector>

#include "base/lists.hpp"
#include "machines/files.hpp"

namespace gable::machines {

namespace {

struct CoreName {
  unsigned implementer, part;
  const char* name;
};

constexpr CoreName cores[] = {
    {0x41, 0xd02, "Cortex-A34"},  {0x41, 0xd03, "Cortex-A53"},   {0x41, 0xd04, "Cortex-A35"},
    {0x41, 0xd05, "Cortex-A55"},  {0x41, 0xd07, "Cortex-A57"},   {0x41, 0xd08, "Cortex-A72"},
    {0x41, 0xd09, "Cortex-A73"},  {0x41, 0xd0a, "Cortex-A75"},   {0x41, 0xd0b, "Cortex-A76"},
    {0x41, 0xd0c, "Neoverse-N1"}, {0x41, 0xd0d, "Cortex-A77"},   {0x41, 0xd40, "Neoverse-V1"},
    {0x41, 0xd41, "Cortex-A78"},  {0x41, 0xd44, "Cortex-X1"},    {0x41, 0xd46, "Cortex-A510"},
    {0x41, 0xd47, "Cortex-A710"}, {0x41, 0xd48, "Cortex-X2"},    {0x41, 0xd49, "Neoverse-N2"},
    {0x41, 0xd4a, "Neoverse-E1"}, {0x41, 0xd4d, "Cortex-A715"},  {0x41, 0xd4e, "Cortex-X3"},
    {0x41, 0xd4f, "Neoverse-V2"}, {0x41, 0xd84, "Neoverse-V3"},  {0x41, 0xd8e, "Neoverse-N3"},
    {0x42, 0x516, "ThunderX2"},   {0x43, 0x0a1, "ThunderX"},     {0x43, 0x0af, "ThunderX2"},
    {0x46, 0x001, "A64FX"},       {0x48, 0xd01, "TaiShan-v110"}, {0x48, 0xd02, "TaiShan-v120"},
    {0x4e, 0x004, "Carmel"},      {0x50, 0x000, "X-Gene"},       {0x51, 0xc00, "Falkor"},
    {0x61, 0x022, "Icestorm"},    {0x61, 0x023, "Firestorm"},    {0xc0, 0xac3, "Ampere-1"},
    {0xc0, 0xac4, "Ampere-1a"},
};

// The number after "key<spaces or tabs>: ".
unsigned number_after(const std::string& line) {
  return static_cast<unsigned>(std::strtoul(line.substr(line.find(':') + 1).c_str(), nullptr, 0));
}

// "Neoverse-V2" of implementer 0x41 and part 0xd4f (MIDR_EL1; Linux: arch/arm64/include/asm/cputype.h,
// util-linux: sys-utils/lscpu-arm.c); "implementer 0x41 part 0xfff" if it is not known.
std::string arm_core_name(unsigned implementer, unsigned part) {
  for (const CoreName& core : cores) {
    if (core.implementer == implementer && core.part == part) return core.name;
  }
  return fmt::format("implementer {:#x} part {:#x}", implementer, part);
}

}  // namespace

std::string arm_cores(const std::filesystem::path& root) {
  std::vector<std::string> names;
  unsigned implementer = 0;
  std::istringstream lines(read_text(root / "proc/cpuinfo"));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("CPU implementer")) implementer = number_after(line);
    if (!line.starts_with("CPU part") || implementer == 0) continue;
    add_once(names, arm_core_name(implementer, number_after(line)));
  }
  return fmt::format("{}", fmt::join(names, " + "));
}

}  // namespace gable::machines

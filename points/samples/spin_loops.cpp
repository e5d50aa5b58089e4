#include "points/samples/spin_loops.hpp"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace gable::points {
namespace {

using namespace std::string_view_literals;

// An instruction of loops that wait, and what the places of all instructions are multiples of.
struct Hint {
  Elf64_Half machine;
  std::string_view bytes;
  std::uint64_t step;
};
constexpr Hint hints[] = {
    {EM_X86_64, "\xf3\x90"sv, 1},           // pause
    {EM_AARCH64, "\x3f\x20\x03\xd5"sv, 4},  // yield
    {EM_AARCH64, "\x5f\x20\x03\xd5"sv, 4},  // wfe
};

// Such loops have a few instructions.
constexpr std::uint64_t reach = 16;  // bytes

}  // namespace

SpinLoops::SpinLoops(const std::string& file) : file_(file, std::ios::binary) {
  Elf64_Ehdr header{};
  if (file_.read(reinterpret_cast<char*>(&header), sizeof header) &&
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0)
    machine_ = header.e_machine;
}

bool SpinLoops::contain(std::uint64_t offset) {
  const std::uint64_t begin = offset - std::min(offset, reach);
  std::array<char, 2 * reach + 4> bytes{};
  file_.clear();
  file_.seekg(static_cast<std::streamoff>(begin));
  file_.read(bytes.data(), bytes.size());
  const std::string_view code(bytes.data(), static_cast<std::size_t>(file_.gcount()));
  return std::ranges::any_of(hints, [&](const Hint& hint) {
    if (hint.machine != machine_) return false;
    for (auto at = code.find(hint.bytes); at != code.npos; at = code.find(hint.bytes, at + 1)) {
      if ((begin + at) % hint.step == 0 && begin + at <= offset + reach) return true;
    }
    return false;
  });
}

}  // namespace gable::points

#include "bench/buffers/line.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "kernels/isa.hpp"
#include "machines/files.hpp"

namespace gable::bench {

namespace {

constexpr std::size_t usual = 64;
constexpr int most_caches = 10;  // of a CPU: an L1 for instructions and one for data, and a few more levels

std::size_t read_line_bytes(const std::filesystem::path& root) {
  std::size_t largest = std::max<std::size_t>(usual, root == "/" ? kernels::this_cpu().line_bytes : 0);
  for (int i = 0; i < most_caches; ++i) {
    const auto file =
        root / "sys/devices/system/cpu/cpu0/cache" / ("index" + std::to_string(i)) / "coherency_line_size";
    largest = std::max<std::size_t>(largest, machines::to_number(machines::read_text(file)).value_or(0));
  }
  return std::bit_ceil(std::min<std::size_t>(largest, 4096));
}

}  // namespace

std::size_t line_bytes(const std::filesystem::path& root) {
  if (root != "/") return read_line_bytes(root);
  static const std::size_t bytes = read_line_bytes("/");
  return bytes;
}

}  // namespace gable::bench

#include "bench/buffers/chase.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "kernels/flush.hpp"
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

// Full period modulo 2^k or 3 * 2^k: a - 1 a multiple of 12, c prime to 6.
std::uint64_t multiplier(std::uint64_t lines) {
  const std::uint64_t twelfths = lines * 5 / 8 / 12;
  return 12 * (twelfths | 1) + 1;
}

std::uint64_t increment(std::uint64_t lines) {
  const std::uint64_t sixths = lines * 3 / 8 / 6;
  return 6 * sixths + 1;
}

}  // namespace

std::size_t line_bytes(const std::filesystem::path& root) {
  if (root != "/") return read_line_bytes(root);
  static const std::size_t bytes = read_line_bytes("/");
  return bytes;
}

std::uint64_t chase_lines(std::size_t bytes, std::size_t line) {
  const std::uint64_t fit = bytes / line;
  const std::uint64_t power = std::bit_floor(fit);
  return power / 2 * 3 <= fit ? power / 2 * 3 : power;
}

ChaseOrder chase_order(std::uint64_t lines) {
  return {multiplier(lines) % lines, increment(lines) % lines};
}

std::uint64_t build_chase(std::byte* memory, std::size_t bytes, std::size_t line) {
  build_chase(memory, bytes, 0, 1, line);
  return chase_lines(bytes, line);
}

void build_chase(std::byte* memory, std::size_t bytes, std::size_t part, std::size_t parts,
                 std::size_t line) {
  const std::uint64_t lines = chase_lines(bytes, line);
  const auto [a, c] = chase_order(lines);
  const std::uint64_t from = lines / parts * part,
                      to = part + 1 == parts ? lines : lines / parts * (part + 1);
  // The successor of line i is a i + c; below 256 GiB the product fits.
  std::uint64_t next = (a * from % lines + c) % lines;
  for (std::uint64_t i = from; i < to; ++i) {
    *reinterpret_cast<void**>(memory + i * line) = memory + next * line;
    next += a;
    if (next >= lines) next -= lines;
  }
  kernels::flush(memory + from * line, (to - from) * line);
}

void start_chase(const kernels::Kernel& kernel, std::byte* memory, std::uint64_t lines,
                 kernels::Arguments& arguments) {
  arguments.cursor = memory;
  arguments.iterations_per_pass = std::max<std::uint64_t>(1, lines * 8 / kernel.load_bytes);
}

}  // namespace gable::bench

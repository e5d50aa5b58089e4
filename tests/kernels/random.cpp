// The kernel of random loads visits lines evenly and in no order: tests of its sequence, which know nothing
// of its generator.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "kernels/kernel.hpp"

namespace gable::kernels {
namespace {

using Sequence = std::vector<std::uint64_t>;

struct alignas(64) Line {
  std::uint64_t number = 0;
};

// The lines that the kernel loads, one call each: every line contains its number.
Sequence loaded(std::uint64_t lines, std::size_t count, std::uint64_t start) {
  const Kernel& kernel = *find("random", general_isa);
  std::vector<Line> memory(lines);
  for (std::uint64_t i = 0; i < lines; ++i) memory[i].number = i;
  Arguments arguments;
  arguments.load[0] = memory.data();
  arguments.iterations = 1;
  arguments.iterations_per_pass = lines;
  arguments.cursor = reinterpret_cast<void*>(start);
  Sequence sequence;
  while (sequence.size() < count) {
    kernel.code(&arguments);
    std::uint64_t number = 0;
    static_assert(sizeof number == sizeof arguments.result[0]);
    std::copy_n(reinterpret_cast<const std::byte*>(arguments.result), sizeof number,
                reinterpret_cast<std::byte*>(&number));
    sequence.push_back(number);
  }
  return sequence;
}

// How far counts are from equal ones, in standard deviations of what chance gives (chi-squared).
double unevenness(const std::vector<double>& counts) {
  double sum = 0, squares = 0;
  for (const double count : counts) sum += count;
  const double expected = sum / static_cast<double>(counts.size());
  for (const double count : counts) squares += (count - expected) * (count - expected) / expected;
  const auto freedom = static_cast<double>(counts.size() - 1);
  return std::abs(squares - freedom) / std::sqrt(2 * freedom);
}

double unevenness_of(const Sequence& sequence, std::size_t cells,
                     const std::function<std::uint64_t(std::size_t)>& cell, std::size_t from = 0) {
  std::vector<double> counts(cells);
  for (std::size_t i = from; i < sequence.size(); ++i) ++counts[cell(i)];
  return unevenness(counts);
}

// The largest unevenness of: lines; lines after lines, by where they lie; distances, by their remainders.
double order_in(const Sequence& sequence, std::uint64_t lines) {
  constexpr std::uint64_t parts = 16;
  double worst = unevenness_of(sequence, lines, [&](std::size_t i) { return sequence[i]; });
  for (const std::size_t lag : {1, 2, 3, 8, 64}) {
    const auto part = [&](std::size_t i) { return sequence[i] * parts / lines; };
    const auto pair = [&](std::size_t i) { return part(i) * parts + part(i - lag); };
    const auto distance = [&](std::size_t i) {
      return (sequence[i] + lines - sequence[i - lag]) % lines % parts;
    };
    worst = std::max({worst, unevenness_of(sequence, parts * parts, pair, lag),
                      unevenness_of(sequence, parts, distance, lag)});
  }
  return worst;
}

constexpr double by_chance = 6;  // standard deviations
constexpr std::size_t loads = 1 << 18;

TEST(Random, LinesComeEvenlyAndInNoOrder) {
  for (const std::uint64_t lines : {1024, 4080, 16384}) {
    for (const std::uint64_t start : {std::uint64_t{0}, std::uint64_t{1} << 40, ~std::uint64_t{0}})
      EXPECT_LT(order_in(loaded(lines, loads, start), lines), by_chance) << lines << " lines from " << start;
  }
}

// The test would see them: streams, strides, and a generator whose lower bits choose the line.
TEST(Random, OrdersAreNoticed) {
  constexpr std::uint64_t lines = 4096;
  for (const std::uint64_t step : {1, 2, 17, 2531}) {
    Sequence strides(loads);
    for (std::size_t i = 0; i < loads; ++i) strides[i] = i * step % lines;
    EXPECT_GT(order_in(strides, lines), by_chance) << step;
  }
  Sequence lower(loads);
  std::uint64_t state = 1;
  for (std::uint64_t& line : lower) line = (state = state * random_multiplier + 1) % lines;
  EXPECT_GT(order_in(lower, lines), by_chance);
}

// Threads and visits start elsewhere, and load other lines.
TEST(Random, OtherStartsAreOtherLines) {
  constexpr std::uint64_t lines = 1 << 16;
  const Sequence one = loaded(lines, loads, 1), other = loaded(lines, loads, 2);
  std::size_t same = 0;
  for (std::size_t i = 16; i < loads; ++i) same += one[i] == other[i];
  EXPECT_LT(same, 32u);  // by chance 4
}

// A call of many iterations loads what as many calls of one load.
TEST(Random, CallsGoOnWhereTheLastOneStopped) {
  const Kernel& kernel = *find("random", general_isa);
  constexpr std::uint64_t lines = 512, count = 1000;
  std::vector<Line> memory(lines);
  for (std::uint64_t i = 0; i < lines; ++i) memory[i].number = i;
  std::uint64_t sum = 0;
  for (const std::uint64_t line : loaded(lines, count, 7)) sum += line;
  Arguments arguments;
  arguments.load[0] = memory.data();
  arguments.iterations = count;
  arguments.iterations_per_pass = lines;
  arguments.cursor = reinterpret_cast<void*>(std::uintptr_t{7});
  kernel.code(&arguments);
  std::uint64_t result = 0;
  std::copy_n(reinterpret_cast<const std::byte*>(arguments.result), sizeof result,
              reinterpret_cast<std::byte*>(&result));
  EXPECT_EQ(result, sum);
}

}  // namespace
}  // namespace gable::kernels

#pragma once

// Whole numbers from text, eight characters at a time.

#include <bit>
#include <cstdint>
#include <cstring>

namespace gable::bench {

static_assert(std::endian::native == std::endian::little);

/// Digits at `at`, eight at most, with their value; reads eight characters, whatever they are.
struct Digits {
  explicit Digits(const char* at) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    word ^= 0x3030303030303030;  // digits become their values, all else more than 9
    const std::uint64_t others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
    count = others == 0 ? 8 : static_cast<unsigned>(std::countr_zero(others)) / 8;
    if (count == 0) return;
    word <<= 64 - 8 * count;  // as if zeros stood before them
    // Neighbours together: two digits, then four, then eight.
    word = (word * 10 + (word >> 8)) & 0x00ff00ff00ff00ff;
    word = (word * 100 + (word >> 16)) & 0x0000ffff0000ffff;
    value = (word * 10000 + (word >> 32)) & 0xffffffff;
  }

  unsigned count = 0;
  std::uint64_t value = 0;
};

/// Reads the number at `at` and moves behind it. False if there is none, or one of more than 15 digits,
/// for which another way must be taken. 16 characters from `at` must be readable.
inline bool read_digits(const char*& at, std::uint64_t& number) {
  const Digits first(at);
  if (first.count == 0) return false;
  at += first.count;
  number = first.value;
  if (first.count < 8) return true;
  constexpr std::uint64_t powers[] = {1, 10, 100, 1000, 10'000, 100'000, 1'000'000, 10'000'000};
  const Digits more(at);
  if (more.count == 8) return false;
  at += more.count;
  number = number * powers[more.count] + more.value;
  return true;
}

}  // namespace gable::bench

#pragma once

// Edges from text: one per line, two whole numbers; the rest of the line is ignored.

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "bench/apps/graphs/edge_list.hpp"
#include "bench/apps/graphs/name_table.hpp"
#include "bench/apps/graphs/text_source.hpp"

namespace gable::bench {

// Whole numbers from text, eight characters at a time.

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

struct EdgeText {
  EdgeList list;  ///< names as they are in the text
  std::vector<EdgePiece>
      numbered;     ///< numbers from `table`, in the memory of `list`; these edges are not in `list`
  NameTable table;  ///< used as soon as a name exceeds 32 bits
  std::uint64_t edges = 0;
  std::uint64_t largest = 0;  ///< name of a vertex
  std::uint64_t lines = 0;

  bool empty() const { return edges == 0; }
};

/// Throws that the vertices cannot be numbered with 32 bits.
[[noreturn]] void too_many_vertices(const std::string& path);

/// Reads the rest of `source` into `text` with all threads. Numbers are separated by blanks, tabs, commas or
/// semicolons. Empty lines and lines that begin with # or % are skipped. `first_line` is the number of the
/// next line. With `limit`, names are from 1 to that limit. Throws Error::format "file:line: ...".
void read_edge_text(EdgeText& text, TextSource& source, std::uint64_t first_line,
                    std::optional<std::uint64_t> limit, Crew& crew);

}  // namespace gable::bench

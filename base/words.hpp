#pragma once

// Bytes, durations and counts in words, in the same form everywhere.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gable {

/// "0 B", "32 KiB", "1.5 MiB", "62.81 GiB": powers of 1024 and at most four digits.
std::string bytes_text(std::uint64_t bytes);

/// The UTF-8 text with "?" for control characters other than newline and tab: terminals obey them.
std::string printable(std::string text);

/// The text with a capital letter at the beginning.
std::string capitalized(std::string text);

/// The text with small letters instead of capitals.
std::string lower_case(std::string text);

/// The text without blanks, tabs and line ends around it.
std::string_view trimmed(std::string_view text);

/// What lies between the separators; none of an empty text, and none behind a separator at its end.
std::vector<std::string> split(const std::string& text, char separator);

/// "cluster" for one, "clusters" for any other number.
std::string plural(std::int64_t count, std::string_view noun);

/// "1 thread", "4 threads".
std::string count_text(std::int64_t count, std::string_view noun);

/// "63 %"; "less than 1 %" of what is not 0 and would be rounded to it.
std::string percent_text(double percent);

/// A span of time by its size: "3.2 µs", "45 ms", "12.35 s".
std::string duration_text(double seconds);

/// A span of time as on a clock: "1:05", "2:00:07".
std::string clock_text(double seconds);

// Suggests the intended name for a mistyped one.

/// The number of insertions, deletions, replacements and transpositions of letters between `a` and
/// `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The name that `word` was probably meant to be; case and dashes in front do not matter. The nearest of
/// `names` with at most one wrong letter in three, or else the only name that begins with `word`. Empty if
/// there is none.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

/// "; did you mean 'load'?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& names);

}  // namespace gable

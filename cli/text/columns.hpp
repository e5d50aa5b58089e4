#pragma once

// Figures, times and columns of texts for people.

#include <cstddef>
#include <optional>
#include <string>

namespace gable::cli {

/// The columns of the terminal behind this file descriptor; nothing where it is none, or does not tell.
std::optional<std::size_t> terminal_columns(int descriptor);

/// The widest line of a table.
inline constexpr std::size_t screen_columns = 120;

/// Four digits, at most two of them after the point; three digits below 1.
std::string number(double value);

/// "37.80 to 38.10"; one of them where both look the same.
std::string number_range(double least, double most);

/// "+5.2 %" of a relative change; without decimals from 100 % on.
std::string signed_percent(double change);

/// The columns that a text takes on the screen: one for each UTF-8 character.
std::size_t width_of(const std::string& text);

/// The text with spaces up to the width: behind it, or before it when `right`.
std::string padded(const std::string& text, std::size_t width, bool right);

/// The widest line of sentences: screen_columns, or the width of the terminal that standard output is.
std::size_t sentence_columns();

/// The text in lines of at most so many columns, cut at spaces but not within a `command`, which a user
/// copies, nor before a %; all but the first are indented by so many.
std::string folded(const std::string& text, std::size_t indent = 0, std::size_t columns = sentence_columns());

/// The same for each line of the text.
std::string folded_lines(const std::string& text, std::size_t indent,
                         std::size_t columns = sentence_columns());

/// "2026-11-25 07:23 UTC" of a time as in the files, "2026-11-25T07:23:25Z"; another text as it is.
std::string when_text(const std::string& utc);

/// "2026-11-25 07:23 UTC"; with another day at the end "2026-11-25 to 2026-11-26".
std::string when_text(const std::string& from, const std::string& to);

}  // namespace gable::cli

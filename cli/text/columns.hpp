#pragma once

// Figures, times, columns and tables as texts for people.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/tables/table.hpp"
#include "model/records/records.hpp"
#include "model/statistics/statistics.hpp"

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

/// "0.4 %": the distance to the further end of the interval, rounded up; "0.50 to 9.25": its ends where that
/// is more than 100 % of the value; "?" where they are much further; empty where both ends are the value.
std::string interval_text(double value, double lo, double hi);

/// The same of an ok roof; "?" where it has no interval: a single repetition, or a source that gives none.
std::string interval_cell(const model::Roof& roof);

/// Whether with_interval() writes a "±", which needs model::interval_rule.
bool has_plus_minus(double value, double lo, double hi);

/// "36.10 ±0.4 %", "3.12 (0.50 to 9.25)", "3.12 ±?": with what interval_text() says; the value alone where
/// that is empty. `unit` follows the value.
Cell with_interval(double value, double lo, double hi, const std::string& unit = "");

/// "18.2 (18.1 to 18.4)": always with both ends; "18.2 ±?" where they are too far.
Cell with_ends(const model::Estimate& estimate);

/// The same of a roof; "36.10 ±?" of a single repetition; of a source that gives no
/// interval the value alone.
Cell figure_cell(const model::Roof& roof);

/// Returns the title, the rows and the notes; a table without rows has only its notes. Rows are indented by
/// two, and a column is as wide as its widest cell. A last column of words that is too wide for
/// sentence_columns() is folded, or placed below the others if they leave no room. If `after`, a blank line
/// follows any text.
std::string table_text(const Table& table, bool after = true);

/// Tables with the same rows side by side, such as "load bandwidth" and "idle latency" by node. Each label is
/// a line, with a row of each block. The blocks are side by side if they fit in sentence_columns(), otherwise
/// one below the other. A block that is wider than that is split between its columns. Blocks without columns
/// are left out.
std::string blocks_text(const std::vector<std::string>& labels, const std::vector<Table>& blocks);

/// Whether they fit side by side.
bool fit_side_by_side(const std::vector<std::string>& labels, const std::vector<Table>& blocks);

}  // namespace gable::cli

#pragma once

// Amounts of bytes as the user writes them: one rule for every command, that of GNU's tools; and in tables.

#include <optional>
#include <string>

namespace gable::cli {

/// Bytes of "3e9", "64M" or "64MiB" (powers of 1024: K, M, G, T, alone or with iB), "64MB" (powers of 1000:
/// with B alone); case does not matter, and a space may stand before the unit. Nothing where it is another
/// text, is below 0 or not finite.
std::optional<double> bytes_from(const std::string& text);

/// The cell of a table for a computed number of bytes: "1.5 MiB"; "-" of less than half a byte.
std::string bytes_cell(double bytes);

}  // namespace gable::cli

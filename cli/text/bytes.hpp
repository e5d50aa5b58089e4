#pragma once

// Amounts of bytes as the user writes them: one rule for every command, that of GNU's tools.

#include <optional>
#include <string>

namespace gable::cli {

/// Bytes of "3e9", "64M" or "64MiB" (powers of 1024: K, M, G, T, alone or with iB), "64MB" (powers of 1000:
/// with B alone); case does not matter, and a space may stand before the unit. Nothing where it is another
/// text, is below 0 or not finite.
std::optional<double> bytes_from(const std::string& text);

}  // namespace gable::cli

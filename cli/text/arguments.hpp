#pragma once

// Commands and amounts of bytes as users write them.

#include <optional>
#include <string>
#include <vector>

namespace gable::cli {

/// Splits a command into words like a shell, with quotes, variables, ~ and file patterns; it runs no commands
/// inside it. Throws Error::usage, which names `option`.
std::vector<std::string> shell_words(const std::string& command, const std::string& option);

/// A file or another argument, quoted for a shell: `runs/a`, `'my runs/a'`, `./-x`.
std::string shell_quoted(const std::string& argument);

/// Any text in quotes for a shell, as it is: `'--help --version'`.
std::string in_quotes(const std::string& text);

/// By one rule for every command, that of GNU's tools: bytes of "3e9", "64M" or "64MiB" (powers of 1024: K,
/// M, G, T, alone or with iB), "64MB" (powers of 1000: with B alone); case does not matter, and a space may
/// stand before the unit. Nothing where it is another text, is below 0 or not finite.
std::optional<double> bytes_from(const std::string& text);

/// The seconds of "90", "90s", "5m", "1h", "10ms", "500us" or "2us". Throws Error::usage, which names the
/// option and the `examples`, for another text and for less than 0, and unless `may_be_0` for 0.
double seconds_from(const std::string& text, const std::string& option, const std::string& examples,
                    bool may_be_0 = false);

/// The cell of a table for a computed number of bytes: "1.5 MiB"; "-" of less than half a byte.
std::string bytes_cell(double bytes);

}  // namespace gable::cli

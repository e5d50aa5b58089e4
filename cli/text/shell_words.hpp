#pragma once

// Commands as a shell reads them: those given by a user, and those shown in messages.

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

}  // namespace gable::cli

#pragma once

// Commands as a shell reads them: those that a user gave, and those that messages tell to give.

#include <string>
#include <vector>

namespace gable::cli {

/// The words of a command as a shell would have them: quotes, variables, ~ and patterns of files; commands in
/// it are not run. Throws UsageError that names `option`.
std::vector<std::string> shell_words(const std::string& command, const std::string& option);

/// A file or another argument as it has to be given to a shell: `runs/a`, `'my runs/a'`, `./-x`.
std::string shell_quoted(const std::string& argument);

}  // namespace gable::cli

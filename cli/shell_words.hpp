#pragma once

#include <string>
#include <vector>

namespace gable::cli {

/// The words of a command as a shell would have them: quotes, variables, ~ and patterns of files; commands in
/// it are not run. Throws UsageError that names `option`.
std::vector<std::string> shell_words(const std::string& command, const std::string& option);

}  // namespace gable::cli

#pragma once

// Shell completion, made from the command tree: commands, options, enumerated values, files, folders of
// recorded machines and the names of those that come with the program.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace gable::cli {

/// A script for `source <(gable completion bash)`; bash 4 or later, no package needed.
std::string bash_completion(const CLI::App& root, const std::vector<std::string>& machines);

/// A script for `source <(gable completion zsh)` after compinit, or for a file _gable in $fpath.
std::string zsh_completion(const CLI::App& root, const std::vector<std::string>& machines);

}  // namespace gable::cli

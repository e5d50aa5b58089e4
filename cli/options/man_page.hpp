#pragma once

// Manual pages, made from the command tree.

#include <CLI/CLI.hpp>
#include <string>

namespace gable::cli {

/// The page of a command in man's roff macros: gable(1), gable-point-add(1).
std::string man_page(const CLI::App& command);

}  // namespace gable::cli

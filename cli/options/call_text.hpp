#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace gable::cli {

/// The call of a command with the options that it was given: "gable measure 'my runs/a' --preset quick".
std::string call_text(const CLI::App& command);

}  // namespace gable::cli

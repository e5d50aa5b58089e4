#pragma once

// What is said of a call that the command tree does not have: the word at fault, and the one that was meant.

#include <CLI/CLI.hpp>
#include <string>

namespace gable::cli {

/// The first word that should name a command and does not: "gable plcae", "gable point ad". The message with
/// the name that was probably meant; empty where there is none.
std::string unknown_command(const CLI::App& root, int argc, char** argv);

/// Whether the call stops at a command that has commands of its own: "gable", "gable kmaf".
bool lacks_command(const CLI::App& root);

/// The message for a call that could not be parsed: unknown options first, with the one that was meant.
std::string mistake(const CLI::App& root, const CLI::ParseError& error);

/// "gable point add": the last command of the call.
const CLI::App& last_command(const CLI::App& root);

}  // namespace gable::cli

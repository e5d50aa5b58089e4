#pragma once

// The commands of the program, one file each (cli/<command>.cpp). A command adds its options to the App it is
// given and sets the callback that runs it. A callback throws UsageError (exit 2) or any other std::exception
// (exit 1).

#include <CLI/CLI.hpp>
#include <stdexcept>

namespace gable::cli {

/// Wrong usage or bad input: the message names the file, line or option at fault and what to do.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void define_machine(CLI::App& command);
void define_measure(CLI::App& command);
void define_fit(CLI::App& command);
void define_place(CLI::App& command);
void define_plot(CLI::App& command);
void define_point(CLI::App& command);
void define_predict(CLI::App& command);
void define_export(CLI::App& command);
void define_kmaf(CLI::App& command);

}  // namespace gable::cli

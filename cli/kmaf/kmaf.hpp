#pragma once

// The subcommands of gable kmaf, one file each.

#include <CLI/CLI.hpp>

namespace gable::cli {

void define_kmaf_run(CLI::App& command);
void define_kmaf_trace(CLI::App& command);
void define_kmaf_metrics(CLI::App& command);
void define_kmaf_replay(CLI::App& command);
void define_kmaf_generate(CLI::App& command);

}  // namespace gable::cli

#pragma once

// The options of `gable cluster`.

namespace CLI {
class App;
}

namespace gable::cli {

/// Adds the subcommands, their options and the callbacks that run them.
void define_cluster(CLI::App& command);

}  // namespace gable::cli

// gable kmaf: thread and data affinity. A subcommand is one file, declared in cli/kmaf/kmaf.hpp, and its line
// here.

#include "cli/kmaf/kmaf.hpp"

#include "cli/commands.hpp"

namespace gable::cli {

void define_kmaf(CLI::App& command) {
  command.require_subcommand(1);
  define_kmaf_run(*command.add_subcommand("run", "a program, managed while it runs"));
  define_kmaf_trace(*command.add_subcommand("trace", "a program's accesses to memory, by Valgrind"));
  define_kmaf_metrics(
      *command.add_subcommand("metrics", "how threads share, and how exclusive pages are, in a trace"));
  define_kmaf_replay(*command.add_subcommand("replay", "a trace on a simulated machine, under every policy"));
  define_kmaf_generate(*command.add_subcommand("generate", "traces of kernels whose sharing is known"));
}

}  // namespace gable::cli

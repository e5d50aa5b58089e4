#include <CLI/CLI.hpp>
#include <memory>

#include "cli/export/export.hpp"
#include "cli/folder.hpp"
#include "cli/options/commands.hpp"
#include "cli/options/common_options.hpp"

namespace gable::cli {

void define_export(CLI::App& command) {
  const auto arguments = std::make_shared<ExportArguments>();
  add_machine(command, "DIR", arguments->folder,
              "folder of a recorded machine with its roofs.json, or a published name")
      ->required();
  command.add_flag("--csv", arguments->csv, "print every roof and every step of the ladder as a line of CSV");
  command.add_flag(
      "--hwloc", arguments->hwloc,
      "print hwloc XML of the machine with the measured bandwidth and latency as memory attributes");
  command.add_flag("--c2c", arguments->c2c,
                   "print a matrix of the hand-offs between cores as CSV, in nanoseconds: a row and a column "
                   "for each core, as core-to-core-latency prints it");
  command.add_flag("--openmetrics", arguments->openmetrics,
                   "print roofs, latencies and figures between cores as OpenMetrics text, for Prometheus");
  add_file(command, "-o,--output", arguments->output, "write to this file instead of standard output");
  command.callback([arguments] {
    arguments->folder = machine_folder(arguments->folder);
    export_roofs(*arguments);
  });
}

}  // namespace gable::cli

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/options/command_tree.hpp"
#include "cli/options/commands.hpp"
#include "cli/report/report.hpp"

namespace gable::cli {

void define_report(CLI::App& command) {
  const auto arguments = std::make_shared<ReportArguments>();
  command
      .add_option("DIR", arguments->folder,
                  "folder of a recorded machine, or the name of a published one: joe0")
      ->type_name(machine_value)
      ->required();
  command.add_option("-o,--output", arguments->output, "HTML file; default: DIR/report.html")
      ->type_name(file_value);
  command.callback([arguments] { report(*arguments); });
}

}  // namespace gable::cli

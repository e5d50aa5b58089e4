#include <CLI/CLI.hpp>
#include <memory>

#include "cli/options/commands.hpp"
#include "cli/options/common_options.hpp"
#include "cli/report/report.hpp"

namespace gable::cli {

void define_report(CLI::App& command) {
  const auto arguments = std::make_shared<ReportArguments>();
  add_machine(command, "DIR", arguments->folder,
              "folder of a recorded machine, or the name of a published one: joe0")
      ->required();
  add_file(command, "-o,--output", arguments->output, "HTML file; default: DIR/report.html");
  add_machine(command, "--on", arguments->machines,
              "also predict the times of the points on these machines: folders or published names");
  command.callback([arguments] { report(*arguments); });
}

}  // namespace gable::cli

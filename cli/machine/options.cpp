#include <CLI/CLI.hpp>
#include <memory>

#include "cli/machine/machine.hpp"
#include "cli/options/commands.hpp"
#include "cli/options/common_options.hpp"

namespace gable::cli {

void define_machine(CLI::App& command) {
  auto arguments = std::make_shared<MachineArguments>();
  auto* folder = add_machine(command, "DIR", arguments->folder,
                             "folder of a recorded machine, or a published name; default: this machine");
  auto* xml = add_file(command, "--xml", arguments->xml, "show the machine of this hwloc XML file instead")
                  ->excludes(folder);
  command
      .add_option("--synthetic", arguments->synthetic,
                  "show this synthetic topology, e.g. \"numa:2 core:4 pu:1\"")
      ->excludes(xml)
      ->excludes(folder);
  command.add_flag("--json", arguments->json, "print JSON");
  command.callback([arguments] { show_machine(*arguments); });
}

}  // namespace gable::cli

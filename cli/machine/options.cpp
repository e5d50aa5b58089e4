#include <CLI/CLI.hpp>
#include <memory>

#include "cli/machine/machine.hpp"
#include "cli/options/command_tree.hpp"
#include "cli/options/commands.hpp"

namespace gable::cli {

void define_machine(CLI::App& command) {
  auto arguments = std::make_shared<MachineArguments>();
  auto* folder = command
                     .add_option("DIR", arguments->folder,
                                 "folder of a recorded machine, or a published name; default: this machine")
                     ->type_name(machine_value);
  auto* xml = command.add_option("--xml", arguments->xml, "show the machine of this hwloc XML file instead")
                  ->type_name(file_value)
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

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/machine/machine.hpp"
#include "cli/options/commands.hpp"

namespace gable::cli {

void define_machine(CLI::App& command) {
  auto arguments = std::make_shared<MachineArguments>();
  auto* xml = command.add_option("--xml", arguments->xml, "show the machine of this hwloc XML file instead");
  command
      .add_option("--synthetic", arguments->synthetic,
                  "show this synthetic topology, e.g. \"numa:2 core:4 pu:1\"")
      ->excludes(xml);
  command.add_flag("--json", arguments->json, "print JSON");
  command.callback([arguments] { show_machine(*arguments); });
}

}  // namespace gable::cli

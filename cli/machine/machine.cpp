// gable machine: what this machine, or another's topology, looks like to the rest of the program.

#include <fmt/core.h>

#include <memory>
#include <optional>
#include <string>

#include "cli/commands.hpp"
#include "cli/machine/screen.hpp"
#include "kernels/kernel.hpp"
#include "machines/host.hpp"
#include "machines/json.hpp"
#include "machines/machine.hpp"

namespace gable::cli {

namespace {

using machines::Host;
using machines::Machine;

struct MachineOptions {
  std::optional<std::string> xml, synthetic;
  bool json = false;
};

void show_machine(const MachineOptions& options) {
  const Machine machine = options.xml         ? machines::from_xml(*options.xml)
                          : options.synthetic ? machines::from_synthetic(*options.synthetic)
                                              : machines::this_machine();
  const Host host = machines::this_host();
  const Host* shown = machine.is_this_host ? &host : nullptr;
  if (options.json) {
    fmt::print("{}", machines::machine_json(machine, shown, kernels::isas()));
  } else {
    print_screen(machine, shown);
  }
}

}  // namespace

void define_machine(CLI::App& command) {
  auto options = std::make_shared<MachineOptions>();
  auto* xml = command.add_option("--xml", options->xml, "show the machine of this hwloc XML file instead");
  command
      .add_option("--synthetic", options->synthetic,
                  "show this synthetic topology, e.g. \"numa:2 core:4 pu:1\"")
      ->excludes(xml);
  command.add_flag("--json", options->json, "print JSON");
  command.callback([options] { show_machine(*options); });
}

}  // namespace gable::cli

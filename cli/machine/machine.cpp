#include "cli/machine/machine.hpp"

#include <fmt/core.h>

#include "cli/machine/screen.hpp"
#include "kernels/kernel.hpp"
#include "machines/host.hpp"
#include "machines/json.hpp"
#include "machines/machine.hpp"

namespace gable::cli {

using machines::Host;
using machines::Machine;

void show_machine(const MachineArguments& arguments) {
  const Machine machine = arguments.xml         ? machines::from_xml(*arguments.xml)
                          : arguments.synthetic ? machines::from_synthetic(*arguments.synthetic)
                                                : machines::this_machine();
  const Host host = machines::this_host();
  const Host* shown = machine.is_this_host ? &host : nullptr;
  if (arguments.json) {
    fmt::print("{}", machines::machine_json(machine, shown, kernels::isas()));
  } else {
    print_screen(machine, shown);
  }
}

}  // namespace gable::cli

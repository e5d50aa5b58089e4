#include "cli/machine/machine.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/whole_file.hpp"
#include "cli/folder.hpp"
#include "cli/machine/screen.hpp"
#include "cli/recorded_machine.hpp"
#include "cli/text/columns.hpp"
#include "kernels/kernel.hpp"
#include "machines/host.hpp"
#include "machines/json.hpp"
#include "machines/machine.hpp"

namespace gable::cli {

using machines::Host;
using machines::Machine;

namespace {

// The machine of a folder as it was recorded, by topology.xml; JSON: machine.json as it stands there.
void show_recorded_machine(const std::string& folder, bool json) {
  const std::string description = file_in(folder, "machine.json"), topology = file_in(folder, "topology.xml");
  for (const std::string& file : {description, topology}) {
    if (!std::filesystem::exists(file))
      throw Error::usage(file + ": no such file; `gable measure DIR` and the published machines have it");
  }
  const RecordedMachine recorded = recorded_machine(folder).value();
  if (json) {
    fmt::print("{}", read_whole(description));
    return;
  }
  Machine machine = machines::from_xml(topology);
  if (machine.name.empty()) machine.name = recorded.name;
  if (machine.cpu_model.empty()) machine.cpu_model = recorded.cpu_model;
  print_screen(machine, nullptr);
  if (recorded.emulated) fmt::print("\n{}\n", machines::emulated_note);
  if (!recorded.not_published.empty())
    fmt::print("\n{}", folded(fmt::format("Not published: {}.\n", fmt::join(recorded.not_published, "; "))));
}

}  // namespace

void show_machine(const MachineArguments& arguments) {
  if (!arguments.folder.empty())
    return show_recorded_machine(machine_folder(arguments.folder), arguments.json);
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

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/options/commands.hpp"
#include "cli/options/common_options.hpp"
#include "cli/show/show.hpp"

namespace gable::cli {

void define_show(CLI::App& command) {
  const auto arguments = std::make_shared<ShowArguments>();
  add_machine(command, "DIR", arguments->folder,
              "folder of a recorded machine, or the name of a published one: joe0")
      ->required();
  command.add_flag("--all", arguments->all,
                   "every table: roofs, validation, pairs of memories, tiers, points, placements");
  command.add_flag("--json", arguments->json, "print JSON instead of tables");
  command.callback([arguments] { show(*arguments); });
}

}  // namespace gable::cli

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/options/command_tree.hpp"
#include "cli/options/commands.hpp"
#include "cli/options/pictures.hpp"
#include "cli/options/validators.hpp"
#include "cli/plot/plot.hpp"

namespace gable::cli {

void define_plot(CLI::App& command) {
  const auto arguments = std::make_shared<PlotArguments>();
  command.add_option("DIR", arguments->folder, "recorded machine: the folder with roofs.json")
      ->type_name(folder_value)
      ->required();
  command.add_option("--cluster", arguments->cluster, "only the charts of this cluster")
      ->check(not_negative());
  command.add_option("--op", arguments->op, "operation of the bandwidth roofs")->capture_default_str();
  command
      .add_option(
          "--output", arguments->output,
          "folder of the charts (default: DIR/charts); DIR may then be a published machine, or read-only")
      ->type_name(folder_value);
  add_picture_options(command, arguments->pictures);
  command
      .add_option("--hide", arguments->hidden,
                  "leaves out the roofs, points and series with this in their name; may be repeated")
      ->allow_extra_args(false);
  command
      .add_option("--overlay", arguments->overlay,
                  "draws the roofs of this recorded or published machine over the roofline charts")
      ->type_name(machine_value);
  command.callback([arguments] { plot(*arguments); });
}

}  // namespace gable::cli

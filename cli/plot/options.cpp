#include <CLI/CLI.hpp>
#include <memory>

#include "cli/options/commands.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/validators.hpp"
#include "cli/plot/plot.hpp"

namespace gable::cli {

void define_plot(CLI::App& command) {
  const auto arguments = std::make_shared<PlotArguments>();
  add_folder(command, "DIR", arguments->folder, "folder of a recorded machine, with its roofs.json")
      ->required();
  command.add_option("--cluster", arguments->cluster, "only the charts of this cluster")
      ->check(not_negative());
  command.add_option("--op", arguments->op, "operation of the bandwidth roofs")->capture_default_str();
  add_folder(
      command, "-o,--output", arguments->output,
      "folder for the charts (default: DIR/charts); with it, DIR may be a published machine or read-only");
  add_picture_options(command, arguments->pictures);
  command
      .add_option("--hide", arguments->hidden,
                  "leave out the roofs, points and series with this in their name; may be repeated")
      ->allow_extra_args(false);
  command.add_flag("--functions", arguments->functions,
                   "also draw the functions of points, by their part of the time");
  add_machine(command, "--overlay", arguments->overlay,
              "also draw the roofs of this recorded or published machine into the roofline charts");
  command.callback([arguments] { plot(*arguments); });
}

}  // namespace gable::cli

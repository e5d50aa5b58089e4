#include <CLI/CLI.hpp>
#include <memory>

#include "cli/options/command_tree.hpp"
#include "cli/options/commands.hpp"
#include "cli/options/validators.hpp"
#include "cli/plot/plot.hpp"
#include "plots/gnuplot/script.hpp"

namespace gable::cli {

void define_plot(CLI::App& command) {
  const auto arguments = std::make_shared<PlotArguments>();
  command.add_option("DIR", arguments->folder, "recorded machine: the folder with roofs.json")
      ->type_name(folder_value)
      ->required();
  command.add_option("--cluster", arguments->cluster, "only the charts of this cluster")
      ->check(not_negative());
  command.add_option("--op", arguments->op, "operation of the bandwidth roofs")->capture_default_str();
  command.add_option("--format", arguments->formats, "of the pictures; several with commas")
      ->delimiter(',')
      ->check(one_of(gnuplot::picture_formats()))
      ->capture_default_str();
  command.callback([arguments] { plot(*arguments); });
}

}  // namespace gable::cli

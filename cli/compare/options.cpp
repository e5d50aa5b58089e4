#include <CLI/CLI.hpp>
#include <memory>

#include "cli/compare/compare.hpp"
#include "cli/options/command_tree.hpp"
#include "cli/options/commands.hpp"
#include "cli/options/pictures.hpp"
#include "cli/options/validators.hpp"

namespace gable::cli {

void define_compare(CLI::App& command) {
  const auto arguments = std::make_shared<CompareArguments>();
  command
      .add_option(
          "DIR", arguments->folders,
          "two or more folders of recorded machines, or names of published ones; all are compared with "
          "the first")
      ->type_name(machine_value)
      ->required();
  command
      .add_option(
          "--fail-above", arguments->fail_above,
          "exit with status 1 if a figure is significantly worse by more than this percentage, such as 5%")
      ->transform(without_percent_sign())
      ->check(not_negative());
  command
      .add_option("--names", arguments->names,
                  "names for the folders in the output, such as native,nested,shadow")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_flag("--all", arguments->all, "print every figure, not only the significant differences");
  command.add_flag("--json", arguments->json, "print JSON instead of tables");
  command
      .add_option("-o,--output", arguments->output,
                  "draw the rooflines in the same charts, and the costs of virtualization, into this folder")
      ->type_name(folder_value);
  command.add_option("--html", arguments->html, "write every table and the charts into this HTML file")
      ->type_name(file_value);
  command.add_option("--op", arguments->op, "operation of the bandwidths in the charts")
      ->capture_default_str();
  add_format_options(command, arguments->pictures);
  command.callback([arguments] { compare_folders(*arguments); });
}

}  // namespace gable::cli

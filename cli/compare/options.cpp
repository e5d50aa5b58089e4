#include <CLI/CLI.hpp>
#include <memory>

#include "cli/compare/compare.hpp"
#include "cli/options/commands.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/validators.hpp"

namespace gable::cli {

void define_compare(CLI::App& command) {
  const auto arguments = std::make_shared<CompareArguments>();
  add_machine(command, "DIR", arguments->folders,
              "two or more folders of recorded machines, or names of published ones; all are compared with "
              "the first")
      ->required();
  command
      .add_option(
          "--fail-above", arguments->fail_above,
          "exit with status 1 if a figure is significantly worse by more than this percentage, such as 5%")
      ->transform(percentage());
  add_list(command, "--names", arguments->names,
           "names for the folders in the output, such as native,nested,shadow");
  command.add_flag("--all", arguments->all, "print every figure, not only the significant differences");
  command.add_flag("--json", arguments->json, "print JSON instead of tables");
  add_folder(command, "-o,--output", arguments->output,
             "draw the rooflines in the same charts, and the costs of virtualization, into this folder");
  add_file(command, "--html", arguments->html, "write every table and the charts into this HTML file");
  command.add_option("--op", arguments->op, "operation of the bandwidths in the charts")
      ->capture_default_str();
  add_format_options(command, arguments->pictures);
  command.callback([arguments] { compare_folders(*arguments); });
}

}  // namespace gable::cli

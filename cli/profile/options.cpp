#include <CLI/CLI.hpp>
#include <memory>

#include "cli/folder.hpp"
#include "cli/options/commands.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/validators.hpp"
#include "cli/profile/profile.hpp"

namespace gable::cli {

namespace {

void define_profile_show(CLI::App& command) {
  const auto arguments = std::make_shared<ProfileShowArguments>();
  add_file(command, "FILE", arguments->file,
           "a profile, or the folder of a recorded machine that keeps those of its points")
      ->required();
  command.add_option("--point", arguments->point,
                     "with a folder: the point (default: the only one with a profile)");
  add_machine(command, "--machine", arguments->machine,
              "for the caches of this recorded or published machine, with the time that its levels take "
              "(default: this machine, or the folder)");
  command
      .add_option("--cluster", arguments->cluster,
                  "the cluster on whose cores the threads run (default: that of the point, or 0)")
      ->check(not_negative());
  command
      .add_option("--huge-pages", arguments->huge_pages,
                  "percent of the data on pages of 2 MiB, whose addresses select the sets of caches "
                  "(default: that of the point, or what the system of --machine gives unasked, or 0)")
      ->check(integer(0, 100));
  command.add_option("--by", arguments->by, "one table only: by level, function, line, object or region")
      ->check(one_of({"level", "function", "line", "object", "region"}));
  command.add_flag("--all", arguments->all, "every row instead of those that matter most");
  CLI::Option* json = command.add_flag("--json", arguments->json, "print JSON");
  command.add_flag("--csv", arguments->csv, "print CSV")->excludes(json);
  command.callback([arguments] {
    if (!arguments->machine.empty()) arguments->machine = machine_folder(arguments->machine);
    show_profile(*arguments);
  });
}

}  // namespace

void define_profile(CLI::App& command) {
  const auto arguments = std::make_shared<ProfileArguments>();
  command.add_option("COMMAND", arguments->command, "the program and its arguments, after --");
  add_file(command, "-o,--output", arguments->output, "the profile (default: name of the program.profile)");
  command.add_flag("--lines", arguments->by_line, "by source lines instead of functions");
  CLI::App* show =
      command.add_subcommand("show", "show a profile: what functions and objects transfer, by cache level");
  define_profile_show(*show);
  command.require_subcommand(0, 1);
  command.callback([arguments, &command] {
    if (command.get_subcommands().empty()) record_profile(*arguments);
  });
}

}  // namespace gable::cli

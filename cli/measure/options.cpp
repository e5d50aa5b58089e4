#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/measure/measure.hpp"
#include "cli/options/command_tree.hpp"
#include "cli/options/commands.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/validators.hpp"
#include "kernels/kernel.hpp"

namespace gable::cli {

void add_measure_options(CLI::App& command, MeasureArguments& arguments) {
  std::vector<std::string> names;
  for (const bench::Preset& preset : bench::presets()) names.emplace_back(preset.name);
  bench::Options& options = arguments.options;
  command.add_option("--preset", arguments.preset, "how much is measured, see below")
      ->check(one_of(names))
      ->capture_default_str();
  command.add_option("--budget", arguments.budget,
                     "time limit, such as 60s or 5m; the most informative cells come first");
  command
      .add_option("--only", options.only,
                  "only cells with these values, such as 'load,L3' or 'pattern=remote,cluster=0'; a comma "
                  "means and, a repeated --only means or; 'c2c' selects lines between cores, 'virt' the "
                  "costs of virtualization, 'virt,noise' one kind of them")
      ->allow_extra_args(false);
  command
      .add_option("--isa", options.isa,
                  "use only this instruction set; default: the widest that this CPU supports, and AVX2 in "
                  "addition to AVX-512")
      ->check(one_of(kernels::isas(kernels::every_feature)));
  add_pages(command, options.pages, "page sizes, separated by commas; default: 4k and 2m")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--threads", options.threads, "threads per cluster; default: one per core")
      ->check(integer(1, 1 << 20));
  command
      .add_option(
          "--memory-set", options.memory_set_bytes,
          "working set of a cluster in memory, such as 64M or 64MiB (64MB: 64e6 bytes): at least twice its "
          "last-level caches; "
          "default: eight times these and at least 256M")
      ->transform(size_in_bytes());
  command.add_flag("--smt", options.smt, "one thread per hardware thread instead of per core");
  command.add_flag("--exhaustive", options.exhaustive,
                   "leave nothing out: measure each cluster by itself, every variant and all similar pairs "
                   "(takes far longer)");
  add_note(command, list_note("presets:", bench::presets()));
}

void define_measure(CLI::App& command) {
  auto arguments = std::make_shared<MeasureArguments>();
  add_folder(command, "DIR", arguments->folder,
             "folder for the recorded machine; what it already has is not measured again");
  add_measure_options(command, *arguments);
  command.add_flag("--dry-run", arguments->dry_run,
                   "measure nothing: show the plan, what DIR lacks, and the expected time");
  auto* list = command.add_flag("--list", arguments->list,
                                "measure nothing: list the kernels and the cells of the plan");
  command.add_flag("--json", arguments->json, "print JSON, with an entry for every cell")->needs(list);
  command.add_flag("--quiet", arguments->quiet, "no progress and no first table");
  command
      .add_option("--virt", arguments->virt,
                  "'later' leaves virtualization out, unless --only names it or there is a --budget; a call "
                  "with 'now' measures what that left out, and nothing else")
      ->check(one_of({"later", "now"}));
  command.add_option("--goal", arguments->goal,
                     "what follows, such as 'the first chart': progress counts down to it");
  auto* xml = add_file(command, "--xml", arguments->xml,
                       "with --dry-run or --list: the plan for this hwloc topology");
  command
      .add_option("--synthetic", arguments->synthetic,
                  "with --dry-run or --list: the plan for this hwloc description")
      ->excludes(xml);
  command.callback([arguments, &command] {
    arguments->call = call_text(command);
    measure(*arguments);
  });
}

}  // namespace gable::cli

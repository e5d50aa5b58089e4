#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

#include "cli/options/commands.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/validators.hpp"
#include "cli/predict/predict.hpp"

namespace gable::cli {

void define_predict(CLI::App& command) {
  const auto arguments = std::make_shared<PredictArguments>();
  add_machine(command, "DIR", arguments->folders,
              "folder of a recorded machine, or a published name; with --profile: the machines on which the "
              "program would run")
      ->required();
  CLI::Option* profile = add_file(command, "--profile", arguments->profile,
                                  "predict the time of the program of this profile (gable profile)");
  CLI::Option* point = command.add_option("--point", arguments->point,
                                          "predict the time of this point of points.json elsewhere");
  add_machine(
      command, "--to", arguments->to,
      "of the point: machines on which it would run; or a new location of its data: node:N; fast, slow "
      "(with all clusters busy: each cluster's own fast or slow node); or NODE=PART,... (parts of their "
      "sum): 0=60,1=40");
  command
      .add_option("--threads", arguments->use.threads,
                  "threads of the program there (default: as many as in the profile, or as the point had)")
      ->check(positive());
  command
      .add_option(
          "--memory", arguments->memory,
          "where its data lies there: node:N, a kind of memory (HBM), interleave, 3:1 (pages in the "
          "first and the second memory), or 0=60,1=40 (default: on the nodes of its threads); OBJECT=node:N: "
          "where an object of the profile lies instead; may be repeated")
      ->allow_extra_args(false);
  command.add_option(
      "--pages", arguments->use.pages,
      "size of the pages of its data there: 4k, 2m (default: as here, or as the system gives)");
  command.add_flag("--functions", arguments->output.functions, "also print the time of each function");
  std::vector<CLI::Option*> mix;  // what says the mix and the memories, as a point does
  mix.push_back(command.add_option("--cluster", arguments->cluster,
                                   "of a mix: only pairs of memories of this cluster (default: all pairs)"));
  mix.push_back(command.add_option("--slow-node", arguments->slow_node,
                                   "only pairs with this slow memory (number of the node)"));
  mix.push_back(command.add_option("--fast-node", arguments->fast_node, "only pairs with this fast memory"));
  std::vector<CLI::Option*> amounts;
  const auto bytes = [&](const char* name, model::Transfer transfer, const char* what) {
    mix.push_back(command.add_option(name, arguments->bytes[transfer], what)->transform(amount_of_bytes()));
    amounts.push_back(mix.back());
  };
  bytes("--load-slow", model::Transfer::ls,
        "bytes loaded from the slow memory: 3e9, 3GB (also 3e9), 3G or 3GiB (3 * 2^30)");
  bytes("--store-slow", model::Transfer::ss, "bytes stored into the slow memory");
  bytes("--load-fast", model::Transfer::lf, "bytes loaded from the fast memory");
  bytes("--store-fast", model::Transfer::sf, "bytes stored into the fast memory");
  mix.push_back(
      command
          .add_option(
              "--load-share", arguments->load_share,
              "instead of bytes: the share of loads, 0 to 1, for which to find the best page interleave")
          ->check(number_between(0, 1)));
  for (CLI::Option* amount : amounts) amount->excludes(mix.back());  // a share beside bytes of 0 too
  for (CLI::Option* option : mix) {
    point->excludes(option);
    profile->excludes(option);
  }
  command.add_flag("--json", arguments->output.json, "print JSON");
  add_folder(command, "-o,--output", arguments->output.folder, "draw the times into this folder");
  add_format_options(command, arguments->output.pictures);
  command.callback([arguments] { predict(*arguments); });
}

}  // namespace gable::cli

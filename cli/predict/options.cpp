#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

#include "cli/folder.hpp"
#include "cli/options/bytes_option.hpp"
#include "cli/options/commands.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/validators.hpp"
#include "cli/predict/predict.hpp"

namespace gable::cli {

void define_predict(CLI::App& command) {
  const auto arguments = std::make_shared<PredictArguments>();
  add_machine(command, "DIR", arguments->folder,
              "folder of a recorded machine with its hybrid.json, or a published name")
      ->required();
  std::vector<CLI::Option*> mix;  // what says the mix and the memories, as a point does
  mix.push_back(command.add_option("--cluster", arguments->cluster,
                                   "only pairs of memories of this cluster (default: all pairs)"));
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
  CLI::Option* point =
      command.add_option("--point", arguments->point,
                         "instead of a mix: predict the gain of this point of points.json if its data moves");
  for (CLI::Option* option : mix) point->excludes(option);
  command.add_option(
      "--to", arguments->to,
      "new location of its data: node:N; fast, slow (with all clusters busy: each cluster's own fast or "
      "slow node); or NODE=PART,... (parts of their sum): 0=60,1=40");
  command.add_flag("--json", arguments->json, "print JSON");
  command.callback([arguments] {
    arguments->folder = machine_folder(arguments->folder);
    predict(*arguments);
  });
}

}  // namespace gable::cli

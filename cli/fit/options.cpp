#include <CLI/CLI.hpp>
#include <memory>

#include "cli/fit/fit.hpp"
#include "cli/options/commands.hpp"
#include "cli/options/common_options.hpp"

namespace gable::cli {

void define_fit(CLI::App& command) {
  const auto arguments = std::make_shared<FitArguments>();
  add_folder(command, "DIR", arguments->folder,
             "folder of a recorded machine, with its samples.jsonl; or give --grid");
  add_file(command, "--grid", arguments->grid,
           "CSV with the columns load_slow_bytes, store_slow_bytes, load_fast_bytes, store_fast_bytes, "
           "seconds: fits the hybrid bandwidth model to it");
  command.add_flag("--json", arguments->json,
                   "print JSON instead of the table: roofs.json, or the hybrid model");
  command.add_flag("--quiet", arguments->quiet, "write the files and print nothing");
  command.callback([arguments] { fit(*arguments); });
}

}  // namespace gable::cli

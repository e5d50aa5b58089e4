// gable fit: samples.jsonl -> roofs.json.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/folder.hpp"
#include "cli/points_file.hpp"
#include "cli/roof_table.hpp"
#include "model/format.hpp"

namespace gable::cli {
namespace {

struct FitOptions {
  std::string folder;
  bool json = false;
};

void run_fit(const FitOptions& options) {
  const std::vector<model::Sample> samples = samples_of(options.folder);
  const model::Roofs roofs = model::fit(samples, cache_claims_of(options.folder));
  const std::string path = file_in(options.folder, "roofs.json");
  const std::string text = model::roofs_to_json(roofs);
  model::write_whole(path, text);
  refresh_points(options.folder);
  if (options.json) {
    std::fputs(text.c_str(), stdout);
    return;
  }
  const auto is_ok = [](const auto& record) { return record.status == model::Status::ok; };
  std::fputs(roof_table(roofs).c_str(), stdout);
  std::printf(
      "%td roofs and %td steps of the ladder from %td valid samples: %s\n"
      "+- is the distance to the further end of the 95 %% interval, n the repetitions behind a figure; "
      "1 GB/s = 1e9 bytes/s.\n",
      std::ranges::count_if(roofs.roofs, is_ok), std::ranges::count_if(roofs.ladder, is_ok),
      std::ranges::count_if(samples, is_ok), path.c_str());
}

}  // namespace

void define_fit(CLI::App& command) {
  const auto options = std::make_shared<FitOptions>();
  command.add_option("DIR", options->folder, "folder of a recorded machine, with its samples.jsonl")
      ->required();
  command.add_flag("--json", options->json, "print roofs.json instead of the table");
  command.callback([options] { run_fit(*options); });
}

}  // namespace gable::cli

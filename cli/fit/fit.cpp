#include "cli/fit/fit.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include "cli/errors.hpp"

#include "base/whole_file.hpp"
#include "cli/fit/hybrid_table.hpp"
#include "cli/fit/roof_table.hpp"
#include "cli/fit/validation_table.hpp"
#include "cli/folder.hpp"
#include "cli/points_file.hpp"
#include "cli/recorded_machine.hpp"
#include "machines/host.hpp"
#include "model/hybrid/grid_csv.hpp"
#include "model/hybrid/pairs.hpp"
#include "model/json/hybrid.hpp"
#include "model/json/hybrid_fit.hpp"
#include "model/roofs/interval.hpp"

namespace gable::cli {
namespace {

void fit_folder(const FitArguments& arguments) {
  const std::vector<model::Sample> samples = samples_of(arguments.folder);
  std::vector<model::CacheClaim> claims;
  for (const RecordedMachine::Cache& cache : recorded_caches(arguments.folder))
    claims.push_back({cache.level, cache.bytes});
  const model::Roofs roofs = model::fit(samples, claims);
  const model::Hybrid hybrid = model::fit_pairs(samples);
  const std::string path = file_in(arguments.folder, "roofs.json");
  const std::string text = model::roofs_to_json(roofs);
  write_whole(path, text);
  const std::string hybrid_path = file_in(arguments.folder, "hybrid.json");
  if (!hybrid.pairs.empty() || !hybrid.missing.empty()) {
    write_whole(hybrid_path, model::hybrid_to_json(hybrid));
  } else {
    std::filesystem::remove(hybrid_path);  // of other samples than these
  }
  refresh_points(arguments.folder);
  if (arguments.json) {
    std::fputs(text.c_str(), stdout);
    return;
  }
  const auto is_ok = [](const auto& record) { return record.status == model::Status::ok; };
  if (is_emulated(arguments.folder)) fmt::print("{}\n\n", machines::emulated_note);
  std::fputs(roof_table(roofs).c_str(), stdout);
  std::fputs(validation_table(roofs.validation).c_str(), stdout);
  std::fputs(pairs_table(hybrid).c_str(), stdout);
  std::fputs(missing_table(roofs, hybrid.missing).c_str(), stdout);
  std::printf(
      "%td roofs and %td steps of the ladder from %td valid samples: %s\n"
      "%s, n the repetitions behind a figure; 1 GB/s = 1e9 bytes/s.\n",
      std::ranges::count_if(roofs.roofs, is_ok), std::ranges::count_if(roofs.ladder, is_ok),
      std::ranges::count_if(samples, is_ok), path.c_str(), model::interval_rule);
}

// The hybrid model stands on the bandwidth of each transfer alone: a grid that tells none of them tells
// nothing.
void check_bandwidths(const model::HybridFit& fit, const std::string& path) {
  for (const model::Transfer x : model::transfers) {
    if (fit.bandwidths[x].gb_per_s) return;
  }
  throw UsageError(
      path +
      ": no row moves one transfer alone, so no bandwidth is known; add rows in which three of the four "
      "columns of bytes are 0");
}

void fit_grid(const FitArguments& arguments) {
  if (!std::filesystem::exists(arguments.grid)) throw UsageError(arguments.grid + ": no such file");
  model::CsvGrid grid = model::grid_from_csv(named_file(arguments.grid), arguments.grid);
  const model::HybridFit fit = model::fit_hybrid(std::move(grid.cells));
  check_bandwidths(fit, arguments.grid);
  if (arguments.json) {
    nlohmann::ordered_json out;
    out["schema"] = model::schema;
    out["rows"] = grid.rows;
    out.update(model::fit_to_json(fit));
    std::puts(out.dump(1, ' ').c_str());
    return;
  }
  std::fputs(hybrid_table(fit).c_str(), stdout);
  std::printf(
      "%d rows, %d cells. theta is the share of a transfer that the dominating one does not hide, +- its "
      "standard error; 1 GB/s = 1e9 bytes/s.\n",
      grid.rows, fit.cells);
}

}  // namespace

void fit(const FitArguments& arguments) {
  if (arguments.folder.empty() == arguments.grid.empty())
    throw UsageError("gable fit: name either the folder DIR of a recorded machine or --grid FILE.csv");
  arguments.grid.empty() ? fit_folder(arguments) : fit_grid(arguments);
}

}  // namespace gable::cli

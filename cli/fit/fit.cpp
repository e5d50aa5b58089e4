#include "cli/fit/fit.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "base/reading.hpp"
#include "cli/fit/tables.hpp"
#include "cli/folder.hpp"
#include "cli/points_file.hpp"
#include "cli/text/columns.hpp"
#include "machines/host.hpp"
#include "model/hybrid/grid_csv.hpp"
#include "model/hybrid/pairs.hpp"
#include "model/json/hybrid.hpp"
#include "model/json/hybrid_fit.hpp"
#include "model/json/lines.hpp"
#include "model/records/names.hpp"
#include "model/records/records.hpp"
#include "model/roofs/interval.hpp"

namespace gable::cli {

namespace {

using model::Roof;
using model::Status;

// The claims for each cluster, because caches differ between kinds of cores; for the machine if the file
// lists none of clusters.
std::vector<model::CacheClaim> claims_of(const std::string& folder) {
  const std::optional<RecordedMachine> machine = recorded_machine(folder);
  if (!machine) return {};
  std::vector<model::CacheClaim> claims, of_machine;
  for (const machines::Cache& cache : recorded_caches(*machine, folder))
    of_machine.push_back({cache.level, cache.bytes});
  for (const machines::Cluster& cluster : machine->clusters) {
    for (const machines::Cache& cache : cluster.caches)
      claims.push_back({cache.level, cache.bytes, cluster.index});
  }
  return claims.empty() ? of_machine : claims;
}

// Why the files could not be written; empty on success.
std::string write_files(const std::string& folder, const std::string& roofs, const model::Hybrid& hybrid) {
  const std::string hybrid_path = file_in(folder, "hybrid.json");
  try {
    write_whole(file_in(folder, "roofs.json"), roofs);
    if (!hybrid.pairs.empty() || !hybrid.missing.empty()) {
      write_whole(hybrid_path, model::hybrid_to_json(hybrid));
    } else {
      std::filesystem::remove(hybrid_path);  // it belongs to other samples
    }
    refresh_points(folder);
  } catch (const std::filesystem::filesystem_error& error) {
    return fmt::format("cannot remove {}: {}", error.path1().string(), error.code().message());
  } catch (const std::system_error& error) {
    return error.what();
  }
  return {};
}

void print_fit(const model::Roofs& roofs, const model::Hybrid& hybrid, const std::string& folder) {
  if (is_emulated(folder)) fmt::print("{}\n\n", machines::emulated_note);
  const std::optional<RecordedMachine> machine = recorded_machine(folder);
  std::fputs(fit_tables(roofs, hybrid, machine ? &*machine : nullptr).c_str(), stdout);
}

void fit_folder(const FitArguments& arguments) {
  const std::vector<model::Sample> samples = samples_of(arguments.folder);
  const auto [roofs, hybrid] = fit_samples(samples, arguments.folder);
  const std::string text = model::roofs_to_json(roofs);
  const std::string failure = write_files(arguments.folder, text, hybrid);
  if (arguments.json) {
    std::fputs(text.c_str(), stdout);
  } else if (!arguments.quiet) {
    print_fit(roofs, hybrid, arguments.folder);
    const auto is_ok = [](const auto& record) { return record.status == model::Status::ok; };
    fmt::print(
        "{} roofs and {} steps of the ladder from {} valid samples{}\n"
        "{}, n the repetitions behind a figure; 1 GB/s = 1e9 bytes/s.\n",
        std::ranges::count_if(roofs.roofs, is_ok), std::ranges::count_if(roofs.ladder, is_ok),
        std::ranges::count_if(samples, is_ok),
        failure.empty() ? ": " + file_in(arguments.folder, "roofs.json") : "", model::interval_rule);
  }
  if (failure.empty()) return;
  std::fflush(stdout);
  throw Error::failed(failure + "; these figures are not in the folder");
}

// The hybrid model needs the bandwidth of each transfer alone: a grid without any of them is
// useless.
void check_bandwidths(const model::HybridFit& fit, const std::string& path) {
  for (const model::Transfer x : model::transfers) {
    if (fit.bandwidths[x].gb_per_s) return;
  }
  throw Error::usage(
      path +
      ": no row has one transfer alone, so no bandwidth is known; add rows in which three of the four "
      "byte columns are 0");
}

void fit_grid(const FitArguments& arguments) {
  if (!std::filesystem::exists(arguments.grid)) throw Error::usage(arguments.grid + ": no such file");
  model::CsvGrid grid = reading(
      arguments.grid, [&] { return model::grid_from_csv(named_file(arguments.grid), arguments.grid); });
  const model::HybridFit fit = model::fit_hybrid(std::move(grid.cells));
  check_bandwidths(fit, arguments.grid);
  if (arguments.json) {
    Json out = Json::object();
    out["schema"] = model::schema;
    out["rows"] = grid.rows;
    out.update(model::fit_to_json(fit));
    std::puts(json_text(out, 1).c_str());
    return;
  }
  std::fputs(hybrid_table(fit).c_str(), stdout);
  const std::string legend = folded(fmt::format(
      "{} rows, {} cells. theta is the share of a transfer that the dominating one does not hide, "
      "± its standard error; 1 GB/s = 1e9 bytes/s.",
      grid.rows, fit.cells));
  std::fputs(legend.c_str(), stdout);
}

// The same as text, each with its first few cases. Empty if nothing is missing.
std::string missing_table(const std::vector<Missing>& missing) {
  constexpr std::size_t shown = 3;
  std::string text;
  for (const auto& [status, reason, cases] : missing) {
    const std::vector<std::string> first(cases.begin(), cases.begin() + std::min(shown, cases.size()));
    text += folded(fmt::format("  {} {}: {}", cases.size(), model::name_of(status), reason), 4) +
            folded(fmt::format("      {}{}", fmt::join(first, "; "), cases.size() > shown ? "; ..." : ""), 6);
  }
  return text.empty() ? "" : "Not measured\n" + text + "\n";
}

}  // namespace

std::vector<Missing> missing_of(const model::Roofs& roofs, const std::vector<Roof>& cells) {
  std::vector<Roof> points;
  for (const model::Validation& validation : roofs.validation) {
    for (const model::ValidationPoint& point : validation.points) points.push_back(point.measured);
  }
  std::map<std::pair<Status, model::Note>, std::pair<model::AlikeNotes, std::vector<std::string>>> reasons;
  for (const std::vector<Roof>* list :
       std::initializer_list<const std::vector<Roof>*>{&roofs.roofs, &roofs.ladder, &points, &cells}) {
    for (const Roof& roof : *list) {
      if (roof.status == Status::ok) continue;
      auto& [reason, cases] = reasons[{roof.status, model::AlikeNotes::kind_of(roof.reason)}];
      reason.add(roof.reason);
      cases.push_back(name_of(roof.spec, model::Style::cell));
    }
  }
  std::vector<Missing> missing;
  for (auto& [why, befell] : reasons)
    missing.push_back({why.first, befell.first.text(), std::move(befell.second)});
  return missing;
}

Fitted fit_samples(const std::vector<model::Sample>& samples, const std::string& folder) {
  return {model::fit(samples, claims_of(folder)), model::fit_pairs(samples)};
}

std::optional<Fitted> fit_unfitted(const std::string& folder) {
  const std::string path = file_in(folder, "samples.jsonl");
  if (!std::filesystem::exists(path)) return std::nullopt;
  const std::vector<model::Sample> samples = model::read_lines<model::Sample>(path);
  if (samples.empty()) return std::nullopt;
  Fitted fitted = fit_samples(samples, folder);
  if (const auto machine = recorded_machine(folder)) add_topology(*machine, fitted.roofs);
  return fitted;
}

std::string fit_tables(const model::Roofs& roofs, const model::Hybrid& hybrid,
                       const RecordedMachine* machine) {
  return roof_table(roofs) + core_table(roofs, machine) + validation_table(roofs) + pairs_table(hybrid) +
         missing_table(missing_of(roofs, hybrid.missing));
}

void fit(const FitArguments& arguments) {
  if (arguments.folder.empty() == arguments.grid.empty())
    throw Error::usage("gable fit: name either the folder DIR of a recorded machine or --grid FILE.csv");
  arguments.grid.empty() ? fit_folder(arguments) : fit_grid(arguments);
}

}  // namespace gable::cli

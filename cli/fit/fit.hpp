#pragma once

// gable fit: samples.jsonl -> roofs.json and hybrid.json; or the hybrid model of a grid that another tool
// measured.

#include <optional>
#include <string>
#include <vector>

#include "cli/recorded_machine.hpp"
#include "model/hybrid/hybrid.hpp"
#include "model/records/records.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::cli {

// Skipped and invalid figures, by reason.

/// Cases whose reasons differ only in numbers.
struct Missing {
  model::Status status = model::Status::skipped;
  std::string reason;              ///< with the range of each number
  std::vector<std::string> cases;  ///< each in words
};

/// The missing figures of the roofs, the ladder, the validation and `cells` (of a grid): skipped ones first.
std::vector<Missing> missing_of(const model::Roofs& roofs, const std::vector<model::Roof>& cells);

struct FitArguments {
  std::string folder;  ///< of a recorded machine; empty with a grid
  std::string grid;    ///< CSV file; empty with a folder
  bool json = false;   ///< print JSON instead of tables
  bool quiet = false;  ///< write the files and print nothing
};

/// Writes roofs.json and hybrid.json of the folder, or fits the grid, and prints the result. If it cannot
/// write, it still prints, with an error. Throws Error::usage, Error::format, std::runtime_error.
void fit(const FitArguments& arguments);

/// The figures from samples and their tables, for the commands that show them.
struct Fitted {
  model::Roofs roofs;
  model::Hybrid hybrid;
};

/// Fits the samples of DIR, with the cache sizes in its machine.json. Writes nothing. Throws Error::format.
Fitted fit_samples(const std::vector<model::Sample>& samples, const std::string& folder);

/// What gable fit would write for a folder without roofs.json, with what the models need of the topology;
/// nothing without samples. Throws Error::format.
std::optional<Fitted> fit_unfitted(const std::string& folder);

/// Roofs, instructions a cycle, cache levels, validation, pairs of memories, and missing figures. `machine`
/// may be null.
std::string fit_tables(const model::Roofs& roofs, const model::Hybrid& hybrid,
                       const RecordedMachine* machine);

}  // namespace gable::cli

#pragma once

// The figures from samples and their tables, for the commands that show them.

#include <optional>
#include <string>
#include <vector>

#include "cli/recorded_machine.hpp"
#include "model/hybrid/hybrid.hpp"
#include "model/records/records.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::cli {

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

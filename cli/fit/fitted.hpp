#pragma once

// What samples amount to, and its tables, for the commands that show them.

#include <string>
#include <vector>

#include "model/hybrid/hybrid.hpp"
#include "model/records/records.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::cli {

struct Fitted {
  model::Roofs roofs;
  model::Hybrid hybrid;
};

/// Of the samples of DIR, whose machine.json claims the caches. Writes nothing. Throws FormatError.
Fitted fit_samples(const std::vector<model::Sample>& samples, const std::string& folder);

/// Roofs, cache levels, validation, pairs of memories, and what was not measured.
std::string fit_tables(const model::Roofs& roofs, const model::Hybrid& hybrid);

}  // namespace gable::cli

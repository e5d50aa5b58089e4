#pragma once

// The objects of a point as text for people.

#include <string>

#include "model/records/records.hpp"

namespace gable::cli {

/// The objects of a point that matter most: their size, and the bytes that pass between each level and the
/// caches before it; of the memory also the share of the point and of reads and writes. Empty without
/// objects.
std::string object_table(const model::Point& point);

}  // namespace gable::cli

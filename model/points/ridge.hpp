#pragma once

// The share of a Point's roof that programs reach at its arithmetic intensity.

#include "model/points/binding.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {

/// The share of the reading's roof that the validation programs reached at its intensity, from 0 to 1. It is
/// less than 1 where loads and FMAs slow each other down (model/roofs/attainable.hpp), and 1 where nothing
/// was measured. A peak is reached if the data come from the cache that lets programs reach
/// most of it.
double attainable_share(const Roofs& roofs, const Reading& reading);

}  // namespace gable::model

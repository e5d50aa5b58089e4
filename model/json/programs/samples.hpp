#pragma once

// The measured time of functions as the fields of JSON objects.

#include <string>

#include "base/json.hpp"
#include "model/points/binding.hpp"
#include "model/records/records.hpp"

namespace gable::model {

/// What contradicts itself in the samples of a Point and of its functions; empty: nothing.
std::string wrong_samples(const Point& point);

/// Adds to the object of a function its time and what explains it. `reading`: nothing if its needs are not
/// known.
void add_time_to_json(const Point& point, const FunctionWork& work, const FunctionReading* reading,
                      Json& out);

}  // namespace gable::model

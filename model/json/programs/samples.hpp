#pragma once

// The measured time of functions as the fields of JSON objects.

#include <string>

#include "base/json.hpp"
#include "model/points/binding.hpp"
#include "model/records/records.hpp"

namespace gable::model {

/// Why a Point and its functions cannot have these samples; empty: they can.
std::string wrong_samples(const Point& point);

/// Adds the time of a function and its largest need to the function's object. `reading`: nullptr if its needs
/// are not known.
void add_time_to_json(const Point& point, const FunctionWork& work, const FunctionReading* reading,
                      Json& out);

}  // namespace gable::model

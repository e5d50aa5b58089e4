#pragma once

// points.json: the points of a recorded machine, one per line, each with its reading under the roofs.

#include <string>
#include <vector>

#include "base/json.hpp"
#include "model/points/binding.hpp"
#include "model/records/point.hpp"

namespace gable::model {

/// Adds the time of a function and its largest need to the function's object. `reading`: nullptr if its needs
/// are not known.
void add_time_to_json(const Point& point, const FunctionWork& work, const FunctionReading* reading,
                      Json& out);

/// Why no point can have this name; empty if one can.
std::string wrong_name(const std::string& name);

/// Why this point cannot be stored: no name, no time, nothing counted, ...; empty if it can.
std::string contradiction(const Point& point);

/// Why these points cannot be stored in one file: a name occurs twice, or `from` of a point is missing or
/// leads back to the point; empty if they can.
std::string contradiction(const std::vector<Point>& points);

/// points.json. `readings` belong to the points in their order; a reading without a roof is written as null.
/// Throws Error::format for a point that contradicts itself, so that the file can always be read again.
std::string points_to_json(const std::vector<Point>& points, const std::vector<Reading>& readings);

/// The points of a points.json in file order. Readings are computed again from the roofs, not read. Throws
/// Error::format that names `path` and the line, also for points that contradict each other.
std::vector<Point> points_from_json(const std::string& text, const std::string& path);

}  // namespace gable::model

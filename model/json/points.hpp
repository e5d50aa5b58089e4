#pragma once

// points.json: the points of a recorded machine, one a line, each with what it means under the roofs.

#include <string>
#include <vector>

#include "model/points/binding.hpp"
#include "model/records/records.hpp"

namespace gable::model {

/// Why this cannot be a point of a file: no name, no time, nothing counted, ...; empty when it can.
std::string contradiction(const Point& point);

/// Why these cannot be the points of one file: two of a name, or one that is from a point that is not there
/// or, through others, from itself; empty when they can.
std::string contradiction(const std::vector<Point>& points);

/// points.json. `readings` are those of the points, in their order; a reading without a roof is written as
/// null. Throws FormatError for a point that contradicts itself: nothing is written that could not be read.
std::string points_to_json(const std::vector<Point>& points, const std::vector<Reading>& readings);

/// The points of a points.json in file order; readings are made anew from the roofs, not read. Throws
/// FormatError that names `path` and the line; also for points that contradict each other.
std::vector<Point> points_from_json(const std::string& text, const std::string& path);

}  // namespace gable::model

#pragma once

// DIR/points.json as the commands change it: one at a time, whole, and with the readings under DIR's roofs.

#include <string>
#include <vector>

#include "model/points/binding.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

/// What the points of a folder are read under. A folder without roofs.json has none, and its points no
/// reading.
struct Background {
  model::Roofs roofs;
  model::MixModel hybrid;
};

/// Of DIR. Throws UsageError when it is no folder, FormatError for a broken file.
Background background_of(const std::string& folder);

/// The points of DIR/points.json; none when it is absent. Throws as above.
std::vector<model::Point> points_of(const std::string& folder);

/// The point of that name. Throws UsageError that lists the names there are.
const model::Point& point_named(const std::vector<model::Point>& points, const std::string& name,
                                const std::string& folder);

std::vector<model::Reading> readings_of(const std::vector<model::Point>& points,
                                        const Background& background);

/// Throws UsageError where no file can be made in DIR, before hours of work that could not be kept.
void require_writable(const std::string& folder);

/// Throws UsageError where the point's `from` is no point of the folder, or is itself through others.
void require_from(const std::string& folder, const model::Point& point);

/// Adds the point, or replaces the one of its name. Waits for other commands that change the same file.
/// Throws as require_from.
void put_point(const std::string& folder, const model::Point& point);

/// Those that are from it are from it no longer. Throws UsageError where there is none of that name.
void remove_point(const std::string& folder, const std::string& name);

/// Makes the readings in the file anew, as after a fit; does nothing where there is no file.
void refresh_points(const std::string& folder);

}  // namespace gable::cli

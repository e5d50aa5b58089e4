#pragma once

// How commands change DIR/points.json: one at a time, as a whole, and with the readings under DIR's roofs.

#include <string>
#include <vector>

#include "model/points/binding.hpp"
#include "model/records/point.hpp"
#include "model/records/profile.hpp"

namespace gable::cli {

/// The roofs under which the points of a folder are read: those of roofs.json or, where there is none, what
/// gable fit would write. Without samples there are none, and the points have no readings.
struct Background {
  model::Roofs roofs;
  model::MixModel hybrid;
};

/// Adds what DIR/c2c.jsonl has of lines that other cores have changed.
void add_changed_lines(const std::string& folder, model::Roofs& roofs);

/// Reads the background of DIR. Throws Error::usage when it is no folder, Error::format for a broken file.
Background background_of(const std::string& folder);

/// The points of DIR/points.json; none when it is absent. Throws as above.
std::vector<model::Point> points_of(const std::string& folder);

/// The point with that name. Throws Error::usage, which lists the existing names.
const model::Point& point_named(const std::vector<model::Point>& points, const std::string& name,
                                const std::string& folder);

/// The verdicts of points of DIR, with what they say of other places for the data.
std::vector<model::Reading> readings_of(const std::string& folder, const std::vector<model::Point>& points,
                                        const Background& background);

/// Throws Error::usage if DIR is no folder, std::runtime_error if no file can be created in it; called before
/// work that could not be saved.
void require_writable(const std::string& folder);

/// Throws Error::usage if the point's `from` is missing in the folder, or leads back to the point.
void require_from(const std::string& folder, const model::Point& point);

/// Adds the point, or replaces the point of the same name. Waits for other commands that change the file.
/// Throws as require_from.
void put_point(const std::string& folder, const model::Point& point);

/// Does so with all of them at once, and keeps the profile that they share, if there is one, in DIR/profiles.
/// A profile to which no point refers any longer is removed.
void put_points(const std::string& folder, std::vector<model::Point> added, const model::Profile* profile);

/// Removes the point, its profile, and the `from` of points that refer to it. Throws Error::usage if there is
/// none of that name.
void remove_point(const std::string& folder, const std::string& name);

/// Recomputes the readings in the file, as after a fit; does nothing if there is no file.
void refresh_points(const std::string& folder);

// The profiles that gable point run keeps beside the points.

inline constexpr std::size_t most_profile_bytes = 2 << 20;  ///< of a kept profile, as a file

/// Writes the profile into DIR/profiles, in a file that is named after the point and is not there yet. Of a
/// profile of more than `most_profile_bytes`, what matters least is added up (model::bounded). Returns the
/// name of the file. Throws std::system_error.
std::string keep_profile(const std::string& folder, const std::string& point, const model::Profile& profile);

/// DIR/profiles/FILE.
std::string profile_path(const std::string& folder, const std::string& file);

}  // namespace gable::cli

#pragma once

// What `gable profile show` prints: on the screen (screen.cpp), and as JSON and CSV (export.cpp).

#include <string>
#include <vector>

#include "cli/profile/caches.hpp"
#include "cli/profile/level_times.hpp"
#include "cli/profile/profile.hpp"
#include "model/profile/levels.hpp"
#include "model/records/profile.hpp"

namespace gable::cli {

/// A table of a profile.
struct ShownRows {
  const char* name;  ///< in options and in JSON
  const char* title;
  const char* column;
  model::ProfileKey key;
};

/// The tables that `by` names, or those for which the profile has rows if it is empty.
std::vector<ShownRows> shown_rows(const model::Profile& profile, const std::string& by);

/// Bytes without the errors of sums of probabilities, and without the sign of a zero.
double whole_bytes(double bytes);

/// "62 %" of 0.62, and "< 1 %" of what is not 0 and would be rounded to it.
std::string short_percent(double part);

/// What is shown of a profile.
struct ShownProfile {
  const model::Profile& profile;
  const ProfileMachine& machine;
  const LevelTimes& levels;
  const ProfileTimes& times;
};

/// Whether `by` asks for the table of levels, alone or with all others.
bool shows_levels(const std::string& by);

void print_profile(const ShownProfile& shown, const ProfileShowArguments& arguments);
void print_profile_json(const ShownProfile& shown, const std::string& by);
void print_profile_csv(const ShownProfile& shown, const std::string& by);

}  // namespace gable::cli

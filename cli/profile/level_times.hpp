#pragma once

// What each level of a recorded machine takes of the time of a profile's program there: the figures of
// `gable predict` for this machine.

#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/tables/table.hpp"
#include "cli/predict/elsewhere.hpp"
#include "cli/profile/caches.hpp"
#include "cli/profile/profile.hpp"
#include "model/predict/machine_parts.hpp"

namespace gable::cli {

class LevelTimes {
 public:
  /// Nothing is known without `arguments.machine`. With the point of the profile, the time is the measured
  /// one, or is predicted from it. What the machine lacks becomes a reason.
  LevelTimes(const ProfileShowArguments& arguments, const ProfilePoint& of, ProfileFiles& files);

  /// The caches that the program uses, with a memory-side cache; nothing if they are not known.
  std::optional<ProfileMachine> machine(const std::string& folder) const;

  /// Levels, and what else takes a hundredth of the time; with `all`, every part of the machine. Without a
  /// time, the reason is a note. Empty without a machine.
  Table table(bool all) const;
  Json json() const;
  /// One line for each part of the machine.
  Table csv() const;

 private:
  std::string time_text() const;

  std::string point_;  // its name; empty: none
  std::optional<PredictedOn> on_;
  std::vector<model::MachinePart> parts_;
  std::string reason_;         // why there is no time; empty: there is
  bool is_asked_for_ = false;  // by the user, who then reads the reason
};

}  // namespace gable::cli

#pragma once

// The measured time of the functions of a profile, from the point of the program that left it.

#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/tables/table.hpp"
#include "model/points/binding.hpp"
#include "model/profile/levels.hpp"
#include "model/records/profile.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

/// Adds the times to the rows of `gable profile show`.
class ProfileTimes {
 public:
  /// `point` is the point of the profile. If it is not known, the point of the folder `machine` (empty: none)
  /// counts that has the command and the build of the profile. Throws if the points of the folder are broken.
  ProfileTimes(const model::Profile& profile, const std::optional<model::Point>& point,
               const std::string& machine);

  /// Puts functions with more time first, if it was measured.
  void sort(std::vector<model::ProfileRow>& rows) const;
  /// Adds columns with the time, the largest need and what remains of each row, and a note with the reason if
  /// the time was not measured.
  void add_columns(const std::vector<model::ProfileRow>& rows, Table& table) const;
  /// Adds the same to the JSON object of a row.
  void add_fields(const model::ProfileRow& row, Json& out) const;

 private:
  double samples_of(const model::ProfileRow& row) const;
  std::optional<std::size_t> function_of(const model::ProfileRow& row) const;

  std::optional<model::Point> point_;
  model::Reading reading_;
  std::string other_build_;  // the name of a point of another build
};

}  // namespace gable::cli

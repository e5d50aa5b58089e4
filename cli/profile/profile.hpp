#pragma once

// gable profile: a program's memory profile, recorded and shown.

#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/tables/table.hpp"
#include "model/points/binding.hpp"
#include "model/profile/levels.hpp"
#include "model/records/point.hpp"
#include "model/records/profile.hpp"

namespace gable::cli {

struct ProfileArguments {
  std::string output;  ///< file; empty: the program's name with ".profile"
  bool by_line = false;
  std::vector<std::string> command;
};

struct ProfileShowArguments {
  std::string file;     ///< a profile, or the folder of a machine that has one of a point
  std::string point;    ///< the point of that folder; empty: the only one with a profile
  std::string machine;  ///< folder of a recorded machine, or a published name; empty: this machine
  int cluster = -1;     ///< on whose cores the threads run; -1: those of the point, or cluster 0
  std::optional<double>
      huge_pages;    ///< percent of the data on pages of 2 MiB; nothing: that of the point, or 0
  std::string by;    ///< "function", "line", "object", "region"; empty: functions and objects
  bool all = false;  ///< every row instead of the first ones
  bool json = false, csv = false;
};

/// Records and shows. Throws Error::usage, Error::program if the program failed, Error::failed.
void record_profile(const ProfileArguments& arguments);

/// Throws Error::usage, Error::format.
void show_profile(const ProfileShowArguments& arguments);

/// The measured time of the functions of a profile, from the point of the program that left it. Adds the
/// times to the rows of `gable profile show`.
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

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
  std::string by;    ///< "level", "function", "line", "object", "region"; empty: all that are known
  bool all = false;  ///< every row instead of the first ones
  bool json = false, csv = false;
};

/// Records and shows. Throws Error::usage, Error::program if the program failed, Error::failed.
void record_profile(const ProfileArguments& arguments);

/// Throws Error::usage, Error::format.
void show_profile(const ProfileShowArguments& arguments);

/// The point of a profile's program, if there is one.
struct ProfilePoint {
  std::optional<model::Point> point;
  std::string folder;       ///< of the machine where the point was timed
  std::string other_build;  ///< the name of a point of another build
};

/// The measured time of the functions of a profile, on the machine where its point was timed.
class ProfileTimes {
 public:
  /// Nothing is known without a point, and if `machine` is another one. Throws if files of the folder are
  /// broken.
  ProfileTimes(const ProfilePoint& of, const std::string& machine);

  /// Puts functions with more time first, if it was measured.
  void sort(std::vector<model::ProfileRow>& rows) const;
  /// The time, the largest need and what remains of each function, as for points; a note with the reason if
  /// the time was not measured. `most`: rows.
  Table table(std::size_t most) const;
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

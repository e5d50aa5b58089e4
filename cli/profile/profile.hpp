#pragma once

// gable profile: a program's memory profile, recorded and shown.

#include <string>
#include <vector>

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
  std::string by;       ///< "function", "line", "object", "region"; empty: functions and objects
  bool all = false;     ///< every row instead of the first ones
  bool json = false, csv = false;
};

/// Records and shows. Throws Error::usage, Error::program if the program failed, Error::failed.
void record_profile(const ProfileArguments& arguments);

/// Throws Error::usage, Error::format.
void show_profile(const ProfileShowArguments& arguments);

}  // namespace gable::cli

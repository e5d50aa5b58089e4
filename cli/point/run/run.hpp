#pragma once

// gable point run: what is asked, and whether it can be done, before anything runs.

#include <optional>
#include <string>
#include <vector>

#include "cli/point/point.hpp"

namespace gable::cli {

struct PointRunArguments {
  PointArguments point;
  std::vector<std::string> command;  ///< the program and its arguments
  std::string counter = "auto";      ///< "auto", "marker" or the name of a points::Backend
  std::string policy = "first-touch";
  std::string wrapper;     ///< a command that runs the program, but for the count; empty: none
  std::string counted;     ///< a command that does the same work and is counted; empty: the program itself
  int repetitions = 0;     ///< timed runs; 0: as many as seem worth their time
  bool smt = false;        ///< all hardware threads of a core, not one
  bool functions = false;  ///< count what each function did, too
  bool regions = false;    ///< a point of each region that the program marks
  std::optional<double> flops, load_bytes, store_bytes;  ///< as known: not counted

  bool given() const { return flops && load_bytes; }
  std::vector<std::string> managed;  ///< policies of gable kmaf run: a point of each, too

  bool marked() const { return regions || counter == "marker"; }
};

/// Runs the program and records what it did. Throws Error::usage, Error::usage, Error::program,
/// Error::failed.
void run_point(const PointRunArguments& arguments);

}  // namespace gable::cli

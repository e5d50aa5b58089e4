#pragma once

// gable point run: what is asked, and whether it can be done, before anything runs.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/point/point.hpp"
#include "cli/points_file.hpp"
#include "machines/machine.hpp"
#include "model/records/point.hpp"
#include "model/records/records.hpp"

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

/// Runs the program and records what it did. Throws Error::usage, Error::program,
/// Error::failed.
void run_point(const PointRunArguments& arguments);

/// What a user calls the program that a command runs: the file name of the program; behind launchers (env,
/// numactl, mpirun, ...) that of the program that they start, behind an interpreter (bash, python3, ...) that
/// of the script. Where these cannot be found among the arguments, the file name of the launcher or
/// interpreter.
std::string program_name(std::span<const std::string> command);

/// Runs kernels with known flops under the hardware counters and prints their errors on stderr. Throws
/// Error::failed if an error exceeds 1 %; such counters are not used.
void require_true_pmu();

/// Whether the roofs that decide about a program still hold: a virtual machine's may change within an hour.
/// Measures the roofs of the Point's two largest needs again, a third of a second each, and returns a note on
/// each whose interval is now another one: both values and what to do. Peaks, random loads, latencies, and
/// roofs of one cluster's caches and of one memory node can be measured so. Nothing of a roof where other
/// processes disturbed the measurement.
model::Notes stale_roofs(const machines::Machine& machine, const Background& background,
                         const model::Point& point);

/// Whether the roof is another one now: the intervals are apart, the values differ by more than 5 %, and the
/// new interval is narrow: a tenth of its value, or no wider than the gap to the old one. Otherwise a
/// disturbance may come and go.
bool has_changed(const model::Roof& before, const model::Roof& now);

}  // namespace gable::cli

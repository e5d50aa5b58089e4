#pragma once

// The runs behind a point: one observed, one counted, and several timed.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/point/input.hpp"
#include "machines/machine.hpp"
#include "model/records/mapped_range.hpp"
#include "model/records/point.hpp"
#include "points/counters/counts.hpp"

namespace gable::cli {

struct RunPlan {
  std::vector<std::string> command;
  std::vector<std::string> wrapper;  ///< through which the program runs, but for the count; empty: by itself
  std::vector<std::string> counted;  ///< does the same work, and is counted in its place; empty: itself
  const points::Backend* backend = nullptr;  ///< nullptr: no counting
  std::string folder;                        ///< whose machine's caches a profile is computed for
  bool bytes_given = false;                  ///< only flops are taken from the backend
  bool functions = false;                    ///< count per function too
  bool samples = false;  ///< sample the instructions in the observed run, for the time of functions
  bool regions = false;  ///< a point of each marked region, with the work that was counted or stated
  int repetitions = 0;   ///< timed runs; 0: as many as seem worth their time
  bool again = false;    ///< the program ran before: it reads the same input, and its output is dropped
  std::optional<points::Counts> counts;  ///< of an earlier run, instead of counting
  /// It is called after each run that is not counted; returns the program's seconds without those of the
  /// wrapper. Empty: they are the command's.
  std::function<double()> program_seconds;
  std::vector<machines::Cluster> clusters;  ///< of the machine; a point of all of them becomes one of each
  std::vector<unsigned> watch_cpus;         ///< CPUs for observing its pages; empty: those of the program
};

struct MadePoints {
  std::vector<model::Point> points;
  std::optional<points::Counts> counts;    ///< none where the work is given or stated
  std::vector<model::MappedRange> ranges;  ///< where the data lay (points::Residence)
};

/// Runs the program: first as the user would see it, while its pages are observed; then counted; then timed,
/// without output. Timed runs with competing processes are repeated, at most as often as planned, and of all
/// runs the least disturbed count. Returns `program` with the results, or a copy of it for every cluster or
/// every marked region. Throws
/// Error::program, Error::failed.
MadePoints run_points(const RunPlan& plan, const model::Point& program, RepeatedInput& input);

/// The policies of gable kmaf run under which a program can run too, for a point of each: all but the OS's
/// own.
std::vector<std::string> managed_policies();

/// Runs the program under a policy as `plan` says; under the oracle's after one more run, of which it knows.
/// Points have the accesses that the policy saw. `unmanaged` is the point that it is from, as it was before
/// its runs, but for `huge_pages_percent`. No points where a run could not be managed to its end; standard
/// error then says why. Throws as run_points().
std::vector<model::Point> run_managed_points(RunPlan plan, const model::Point& unmanaged,
                                             const std::string& policy, RepeatedInput& input);

}  // namespace gable::cli

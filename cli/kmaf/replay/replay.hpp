#pragma once

// gable kmaf replay: a trace on a simulated machine, under every policy.

#include <optional>
#include <string>
#include <vector>

#include "cli/output_file.hpp"
#include "kmaf/replay/replay.hpp"
#include "kmaf/replay/result.hpp"
#include "model/records/point.hpp"

namespace gable::cli {

struct KmafReplayArguments {
  std::vector<std::string> traces;
  std::string suite;    ///< folder whose traces are all replayed, beside the paper's figures; empty: `traces`
  std::string knowing;  ///< trace of another run that the oracle knows, or folder of such; empty: none
  std::string machine;  ///< folder with topology.xml, and replay.json or what was measured
  std::string plot;     ///< folder for the pictures; empty: none
  PictureArguments pictures;
  std::vector<std::string> policies = {"all"};
  int runs = 20;        ///< of each random policy
  int iterations = 0;   ///< passes over the steady part; 1: the whole trace once; 0: as the trace suggests
  int jobs = 0;         ///< parallel runs; 0: one per CPU
  bool json = false;    ///< print JSON
  bool points = false;  ///< add simulated points to the machine's folder
  std::optional<double> seconds;  ///< of the program under the OS; absent: those of its point, or 30
  kmaf::ReplayOptions replay;
};

/// Throws Error::usage, Error::format, Error::interrupted.
void replay_traces(KmafReplayArguments arguments);

/// Every policy compared with the OS, for one trace.
void print_table(const kmaf::ReplayResult& result);
/// Time of every program under every policy relative to the OS, and the means of every measure; `with_paper`:
/// beside those that the kMAF paper prints.
void print_programs(const std::vector<kmaf::ReplayResult>& programs, bool with_paper);

/// A single result as an object, several as a list with their means; docs/formats/traces.md describes it.
void print_json(const std::vector<kmaf::ReplayResult>& programs, bool with_paper);

// Simulated points: where a program's own point would stand under the policies of a replay.

/// The points of DIR/points.json with these names, from which simulated ones can be derived. Throws
/// Error::usage where there is none, std::runtime_error where DIR cannot be written.
std::vector<model::Point> unmanaged_points(const std::string& folder, const std::vector<std::string>& names);

/// How long a program runs under the OS: as long as its point, or as a replay assumes.
double seconds_under_os(const std::vector<model::Point>& unmanaged, const std::string& program);

/// Adds points to DIR/points.json: for every policy, a copy of the program's own point, with the time
/// multiplied by the policy's ratio to the OS. A point for the OS itself is added only if the program's point
/// does not say which memories it accesses. The two intervals count as independent errors. Prints the
/// readings of the points unless `quiet`. Reports on standard error which programs have none, and why.
void record_simulated(const std::string& folder, const std::vector<kmaf::ReplayResult>& programs,
                      const std::vector<model::Point>& unmanaged, bool quiet);

}  // namespace gable::cli

#pragma once

// gable kmaf replay: a trace on a simulated machine, under every policy.

#include <optional>
#include <string>
#include <vector>

#include "cli/draw.hpp"
#include "kmaf/replay/replay.hpp"

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

}  // namespace gable::cli

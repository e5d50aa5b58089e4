#pragma once

// What gable kmaf left in a recorded folder: DIR/kmaf/*.json, each the report of `gable kmaf run --json` or
// the output of `gable kmaf replay --json`.

#include <optional>
#include <string>
#include <vector>

#include "model/records/note.hpp"
#include "plots/charts/kmaf/charts.hpp"

namespace gable::cli {

struct KmafRunRecord {
  std::string name;  ///< of the file
  std::string policy;
  bool managed = false;
  double seconds = 0, cpu_seconds = 0;
  std::optional<double> local_before, local_last;  ///< share of the sampled accesses, 0 to 1
  std::uint64_t pages_moved = 0, threads_bound = 0;
  double overhead = 0;  ///< share of the CPU time, 0 to 1
  model::Notes notes;
};

struct KmafRecords {
  std::vector<KmafRunRecord> runs;
  std::vector<charts::ReplayRatios> replays;
};

/// The records in the order of the files' names; none where there is no such folder. Throws Error::format for
/// a file that is neither.
KmafRecords kmaf_records(const std::string& folder);

}  // namespace gable::cli

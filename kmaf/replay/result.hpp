#pragma once

// What replaying gave, and how it is shown.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kmaf/replay/replay.hpp"
#include "kmaf/replay/summary.hpp"

namespace gable::cli {

struct ReplayResult {
  struct OfPolicy {
    std::string name;
    bool deterministic = false;
    std::vector<kmaf::Outcome> outcomes;  ///< by seed; one where every run is the same
  };

  std::string trace, name, machine;  ///< name: see program_names
  int threads = 0;
  std::uint64_t accesses = 0, pages = 0;
  int runs = 0;
  double program_seconds = 0, scale = 0;
  bool has_energy = false;
  std::string no_mapper;           ///< why threads could not be mapped; empty when they could
  std::vector<OfPolicy> policies;  ///< the first is the OS
};

/// One measure of every policy as a share of the OS's, run by run with the same seed. Where the OS has none
/// of it, nothing can be said.
struct RatioToOs {
  std::string name;
  std::vector<std::optional<kmaf::Summary>> of_policy;
};
/// Time, L3 misses, link traffic and, where the machine has energies, energy.
std::vector<RatioToOs> ratios_to_os(const ReplayResult& result);
/// The same as means over several programs, each of which counts alike; of one machine, policies and runs.
std::vector<RatioToOs> mean_ratios_to_os(const std::vector<ReplayResult>& programs);

/// What traces are called in tables over several and in charts: their files' names without the ending, and
/// with as much more of the path as tells them apart ("a-g", "b-g"; "g.csv", "g.trace"). Throws UsageError
/// where a file is named twice.
std::vector<std::string> program_names(const std::vector<std::string>& traces);

/// "20 runs with 95 % intervals"; of one run that it has none.
std::string runs_text(int runs);

void print_table(const ReplayResult& result);
/// Time of every program under every policy relative to the OS, and the means of every measure.
void print_programs(const std::vector<ReplayResult>& programs);
/// One result as it is, several as a list with their means; docs/formats.md describes it.
void print_json(const std::vector<ReplayResult>& programs);

}  // namespace gable::cli

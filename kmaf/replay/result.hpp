#pragma once

// The result of replaying a trace under several policies, and the comparison of the policies with the OS.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kmaf/replay/replay.hpp"

namespace gable::kmaf {

struct Summary {
  double value = 0;
  double lo = 0, hi = 0;  ///< the value itself for a single run or identical runs
  int runs = 0;

  /// A single run does not show the variation between runs.
  bool has_interval() const { return runs > 1; }
};

/// `values` must not be empty.
Summary summarize(const std::vector<double>& values);

struct ReplayResult {
  struct OfPolicy {
    std::string name;
    bool deterministic = false;     ///< all runs are identical
    std::vector<Outcome> outcomes;  ///< of each run; only one if it is deterministic
  };

  std::string trace, name,
      machine;  ///< `trace`: the file; `name`: the name of the program in tables and charts
  int threads = 0;
  std::uint64_t accesses = 0, steady_accesses = 0, pages = 0;
  double bytes_of_access = 0;  ///< that one of the accesses requests, mean
  int runs = 0;
  double program_seconds = 0, scale = 0;
  int iterations = 1;  ///< simulated passes over the steady part; 1: the trace is not looped
  bool has_energy = false;
  int last_cache = 3;                      ///< its level, whose misses are counted
  std::string no_mapper;                   ///< why threads could not be mapped; empty if they could
  std::vector<OfPolicy> policies;          ///< the first is the OS
  std::vector<std::string> between_cores;  ///< what figures between cores are used for
  std::vector<std::string> derived;  ///< figures of the machine that were derived, and from what; empty: none
  std::vector<unsigned> unused;      ///< memory nodes without figures, where no page lies
  std::string oracle_knows;  ///< trace of another run by which the oracle mapped threads; empty: this one
};

/// "L3 misses", or "L2 misses" on a machine without an L3.
std::string misses_name(const ReplayResult& result);

/// Means over the runs of one policy.
struct OutcomeMeans {
  double seconds = 0, misses = 0, link_bytes = 0, joules = 0;
  double local_percent = 0;  ///< share of the misses served by memory that is local to the thread
  double cpu_seconds = 0, overhead_percent = 0;
  Overhead overhead;
  double samples = 0, pages_moved = 0, tasks_moved = 0;
  std::vector<model::NodeAccess> access;  ///< bytes of the trace
};
OutcomeMeans means_of(const ReplayResult::OfPolicy& policy);

/// Returns the accesses of the run with the median time. A mean over the runs would hide contention if each
/// run contends for a different memory.
const std::vector<model::NodeAccess>& typical_access(const ReplayResult::OfPolicy& policy);

/// The run time under a policy. For a deterministic policy the interval has width 0, whatever `runs` is.
Summary seconds_of(const ReplayResult::OfPolicy& policy, int runs);

/// One quantity for every policy relative to the OS, run by run. Empty if
/// the quantity is 0 under the OS.
struct RatioToOs {
  std::string name;
  std::vector<std::optional<Summary>> of_policy;
};
/// "time", "L3 misses" (misses_name()), "link traffic" and, where the machine has energies, "energy".
std::vector<RatioToOs> ratios_to_os(const ReplayResult& result);
/// The same as means over several programs with equal weights. All results must have the same machine,
/// policies and number of runs.
std::vector<RatioToOs> mean_ratios_to_os(const std::vector<ReplayResult>& programs);

/// "20 runs with 95 % intervals"; for a single run, that there is no interval.
std::string runs_text(int runs);

inline constexpr int paper_programs = 27;
inline constexpr double paper_overhead_percent = 1.8;  ///< of kMAF, mean over the programs: section 5.4

/// The printed means of one quantity (a name of `ratios_to_os`) relative to the OS, for these policies
/// (sections 5.1 to 5.3). Empty for a policy or quantity of which the paper prints none.
RatioToOs paper_means(const std::string& measure, const std::vector<ReplayResult::OfPolicy>& policies);

}  // namespace gable::kmaf

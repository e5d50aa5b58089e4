#pragma once

// One visit to a run of the plan: place the buffers, run bursts, verify, and report the result.

#include <atomic>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/buffers/kept.hpp"
#include "bench/buffers/placement.hpp"
#include "bench/plan/plan.hpp"
#include "bench/threads/core_probe.hpp"
#include "bench/threads/team.hpp"
#include "bench/visit/watch.hpp"
#include "model/records/records.hpp"

namespace gable::bench {

/// Relative half-width of the 95 % interval of a visit's rates. The caller passes the function of model/.
using HalfWidth = std::function<double(const std::vector<double>&)>;

/// What visits share: the threads and the memory.
class Bench {
 public:
  Bench(const machines::Machine& machine, const machines::Host& host, const Options& options,
        HalfWidth half_width, const std::atomic<bool>& stop);

  /// One Sample per Case of the run, in order.
  std::vector<model::Sample> visit(const Run& run, int round);

  /// Memory that is not touched by then is not touched any more: its Cases are skipped.
  void end_by(double when) { end_ = when; }

 private:
  struct Visit;
  struct Refusal {
    std::uint64_t bytes = 0;  ///< per thread: this amount or more is not available
    model::Note reason;
  };

  std::vector<model::Sample> skipped(const Run& run, int round, const model::Note& reason) const;
  std::vector<model::Sample> measure(const Run& run, int round);
  void place(const Run& run, int round);
  void* next_start();
  void set_up(const Run& run, Visit& visit);
  void run_bursts(const Run& run, Visit& visit);
  void watch_cores(const Visit& visit, std::vector<Timeline>& timelines);
  void look_for_strays(Visit& visit) const;
  model::Note see_pages(const Run& run, std::size_t share, std::uint64_t used_bytes,
                        model::Sample& sample) const;
  model::Sample conclude(const Run& run, std::size_t share, const Visit& visit) const;

  const machines::Machine& machine_;
  std::optional<std::uint64_t> available_bytes_;
  Timekeeping time_;
  const Options& options_;
  HalfWidth half_width_;
  const std::atomic<bool>& stop_;
  Team team_;
  KeptBuffers kept_;
  double end_ = std::numeric_limits<double>::infinity();  // monotonic_seconds()
  std::unique_ptr<Placement> placement_;                  ///< of the current visit
  Watch watch_;
  CoreWidth width_;
  std::uint64_t starts_ = 0;                ///< of generators of random lines so far
  std::map<std::string, Refusal> refused_;  ///< by placement: failed allocations are not tried again
};

}  // namespace gable::bench

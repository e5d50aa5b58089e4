#pragma once

// Visits to lines between cores.

#include <atomic>
#include <map>
#include <memory>

#include "bench/c2c/c2c_cells.hpp"
#include "bench/c2c/exchange.hpp"
#include "bench/threads/core_probe.hpp"
#include "bench/visit/seen.hpp"

namespace gable::bench {

/// Keeps the threads, the pages of the lines, and what its cores do when they are alone.
class C2cBench {
 public:
  /// `places` and `nodes`: of the machine. All arguments must outlive it.
  C2cBench(const machines::Host& host, const std::vector<machines::Place>& places, std::size_t nodes,
           const std::atomic<bool>& stop)
      : host_(host), time_(host), places_(places), nodes_(nodes), stop_(stop) {}

  /// One visit, which measures for `seconds`. A visit that could not be made is skipped, a disturbed one
  /// invalid.
  model::C2cSample visit(const model::C2cCase& spec, int round, double seconds);

 private:
  C2cLines& lines_on(int node);
  void conclude(const std::vector<ExchangeTrace>& traces, double seconds, Seen& seen,
                model::C2cSample& sample);
  void judge_cores(const std::vector<ExchangeTrace>& traces, model::C2cSample& sample);

  const machines::Host& host_;
  const Timekeeping time_;
  const std::vector<machines::Place>& places_;
  const std::size_t nodes_;
  const std::atomic<bool>& stop_;
  Team team_;
  Watch watch_;
  CoreWidth width_;
  std::map<int, std::unique_ptr<C2cLines>> lines_;  // by node
};

}  // namespace gable::bench

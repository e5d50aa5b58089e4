#pragma once

// Visits to runs in which all clusters work at the same time, each with its private resources. The first
// visit is compared with one cluster alone. If rate or clock differ by more than 1 %, the clusters are
// measured one after another.

#include <functional>
#include <map>
#include <vector>

#include "bench/plan/plan.hpp"
#include "model/records/records.hpp"

namespace gable::bench {

class AtOnce {
 public:
  using Visit = std::function<std::vector<model::Sample>(const Run&, int round)>;

  /// Without `compare` they are always measured at once.
  AtOnce(Visit visit, bool compare) : visit_(std::move(visit)), compare_(compare) {}

  /// One Sample per Case of the run, in order; of any run.
  std::vector<model::Sample> visit(const Run& run, int round);

 private:
  std::vector<model::Sample> first(const Run& run, int round);
  std::vector<model::Sample> one_by_one(const Run& run, int round);

  Visit visit_;
  bool compare_;
  std::map<const Run*, bool> differs_;
  std::size_t next_ = 0;  ///< the cluster that is compared takes turns
};

}  // namespace gable::bench

#pragma once

// The expected time of visits, in the order in which they are made: memory is touched once, and a chase is
// linked again only where its length changes.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bench/plan/plan.hpp"

namespace gable::bench {

struct Cost {
  double visit = 0;   ///< seconds of measuring
  double set_up = 0;  ///< seconds of touching, linking and warming
  double total() const { return visit + set_up; }
};

class Costs {
 public:
  /// The cost of a visit to this run after all visits of the previous calls.
  Cost next(const Run& run);

 private:
  std::map<const Run*, std::vector<std::string>> names_;  ///< of the regions of its shares
  std::map<std::string, std::uint64_t> touched_, linked_;
  std::set<const Run*> compared_;  ///< with a cluster alone
  const Run* split_ = nullptr;     ///< the last one whose pages are split between two nodes
};

/// Sets the expected seconds of each run, on average over its visits, and of the plan.
void set_costs(Plan& plan);

}  // namespace gable::bench

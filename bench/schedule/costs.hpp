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
  std::uint64_t fresh_of_split(const Run& run, std::size_t share);

  struct Names {
    std::string streams, chase;  ///< of the regions
  };
  std::map<const Run*, std::vector<Names>> names_;  ///< of its shares
  std::map<std::string, std::uint64_t> touched_, linked_;
  std::set<const Run*> compared_;  ///< with a cluster alone
  std::string split_;              ///< the last placement whose pages are split between two nodes, ...
  std::vector<std::uint64_t> split_touched_;  ///< ... and of each share the bytes of a thread touched there
};

/// Sets the expected seconds of each run, on average over its visits, and of the plan.
void set_costs(Plan& plan);

}  // namespace gable::bench

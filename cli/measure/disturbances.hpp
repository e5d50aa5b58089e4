#pragma once

// What disturbed a measurement, in words for its last line.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/records/records.hpp"

namespace gable::cli {

class Disturbances {
 public:
  void add(const model::Sample& sample);

  /// ", other hardware threads used the cores in 23 % of the time, 8 invalid (5 of them: other processes kept
  /// 0.5 to 1.2 CPUs busy; `gable fit DIR` shows all reasons)"; empty if nothing did.
  std::string words(const std::string& folder) const;

 private:
  std::string invalid_words(const std::string& folder) const;

  struct Visit {
    double adds_per_cycle, kept, dropped;  // repetitions; dropped: those with crowded cores
  };
  struct Cores {
    double most_adds = 0;
    std::vector<Visit> visits;
  };

  int invalid_ = 0;
  model::NotesByKind reasons_;  // of invalid samples
  std::map<int, Cores> cores_;  // by cluster
};

}  // namespace gable::cli

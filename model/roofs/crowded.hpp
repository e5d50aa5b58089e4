#pragma once

// Visits during which another hardware thread used a core: of another process, or of another guest of the
// same host, which no accounting of a guest shows. A roof is what cores do that are not shared.

#include <map>
#include <vector>

#include "model/records/records.hpp"

namespace gable::model {

class Crowded {
 public:
  /// A core that nothing else uses does as many additions per cycle as in the best ok visit of its cluster.
  explicit Crowded(const std::vector<const Sample*>& samples);

  bool is_crowded(const Sample& visit) const;

  /// The visits of one Case that are not crowded, if there are at least 3; otherwise all. Samples that are
  /// not ok stay.
  std::vector<const Sample*> without(const std::vector<const Sample*>& visits) const;

 private:
  std::map<int, double> most_;  // additions per cycle, by cluster
};

}  // namespace gable::model

#pragma once

// What a visit measured, and which visits count.

#include <map>
#include <vector>

#include "model/records/records.hpp"

namespace gable::model {

/// One value per repetition, in the Case's unit.
std::vector<double> repetitions_of(const Sample& sample);

/// The quantile of a visit's repetitions that is its figure. The roof of a cluster alone is the reachable
/// rate, which one repetition in ten exceeds. Other processes only slow repetitions down, and with a median,
/// applications would be above the roof half of the time. If clusters run together, one is fast while another
/// is slow, so the roof is the median. Latencies are medians too.
double quantile_of(const Case& spec);

/// This figure, of a visit with repetitions.
double visit_figure(const Sample& visit);

// Visits during which another hardware thread used a core: of another process, or of another guest of the
// same host, which no accounting of a guest shows. A roof is what cores do that are not shared.

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

/// What a reader of the visits' figure must know of caches that may serve a part of its data, a remark each:
/// memory-side caches, a working set smaller than the default one, and buffers that were smaller than
/// requested.
Notes remarks_on_caches(const std::vector<const Sample*>& visits);

/// Drops Roofs in memory whose Case was also measured with a larger working set: caches hold less of that. An
/// earlier measurement with `--memory-set`, or with the smaller working sets that time budgets once had, does
/// not win because it was faster.
void drop_smaller_sets(std::vector<Roof>& roofs);

}  // namespace gable::model

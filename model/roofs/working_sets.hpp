#pragma once

// Working sets in memory of which caches may hold a part.

#include <string>
#include <vector>

#include "model/records/records.hpp"

namespace gable::model {

/// What a reader of the visits' figure must know of caches that may serve a part of its data, a remark each:
/// memory-side caches, a working set smaller than the default one, and buffers that were smaller than
/// requested.
Notes remarks_on_caches(const std::vector<const Sample*>& visits);

/// Drops Roofs in memory whose Case was also measured with a larger working set: caches hold less of that. An
/// earlier measurement with `--memory-set`, or with the smaller working sets that time budgets once had, does
/// not win because it was faster.
void drop_smaller_sets(std::vector<Roof>& roofs);

}  // namespace gable::model

#pragma once

// The roofs that count. Everything that shows, exports, draws or judges roofs chooses them here.

#include <functional>
#include <vector>

#include "model/records/records.hpp"

namespace gable::model {

/// The best of the roofs that satisfy `wanted` (model/records/question.hpp); the first of equal ones. nullptr
/// if none is ok.
const Roof* best(const std::vector<Roof>& roofs, const std::function<bool(const Roof&)>& wanted);

/// The best of these, all of which are ok; the first of equal ones. nullptr for none.
const Roof* best(const std::vector<const Roof*>& roofs);

/// The best of those with the given fields: kind, cluster, level, pattern and load_percent are always
/// compared. A node of -1, no threads, no bytes, and an empty tier, operation, kernel, precision or size of
/// pages match any value; SMT is never compared.
const Roof* best_roof(const std::vector<Roof>& roofs, const Case& like);

/// Whether the roof was measured with so many threads, or its threads are not known.
bool has_threads(const Roof& roof, int least);

/// The best roof of each question among those that satisfy `wanted`, in the order of the questions' first
/// roofs. If none of a question is ok, the first.
std::vector<Roof> best_of_each(const std::vector<Roof>& roofs,
                               const std::function<bool(const Roof&)>& wanted);

}  // namespace gable::model

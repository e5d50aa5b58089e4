#pragma once

// What a Case asks, apart from how it is measured. The figures of one question are measured with several
// kernels, page sizes, numbers of threads and working sets, of which the best counts.

#include "model/records/records.hpp"

namespace gable::model {

/// The Case without kernel, pages, threads and working set. Steps of a ladder ask for their working sets.
Case question_of(Case spec);

/// Whether the Case asks for the bandwidth of a cache that its operation bypasses. It is no roof, so fit and
/// the reader of roofs.json leave it out: early versions of Gable measured it.
bool bypasses_its_cache(const Case& spec);

/// What decides which of the figures of one question counts.
struct Rank {
  Status status = Status::ok;
  bool other_state = false;  ///< as of a Roof
  bool lower_is_better = false;
  double value = 0;
};
Rank rank_of(const Roof& roof);

/// Whether `a` counts more than `b`: figures that are ok; then those of the reported state of the machine
/// (model/roofs/states.hpp); then the lower time or the higher rate.
bool is_better(const Rank& a, const Rank& b);
bool is_better(const Roof& a, const Roof& b);

}  // namespace gable::model

#pragma once

// Which figures of two folders answer the same question.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/compare/figure.hpp"

namespace gable::model {

/// Two figures, both ok, by their indices.
struct Matched {
  std::size_t first = 0, other = 0;
  std::string note;  ///< what was asked differently: kernel, pages, working set; empty if nothing
};

/// A figure without a counterpart; of a figure that is ok in neither folder both indices are set.
struct Lone {
  std::optional<std::size_t> first, other;
  Note reason;  ///< why the other folder, or both, have no figure for it
  Status there =
      Status::ok;  ///< why it has none: skipped or invalid there, for this reason; ok: another reason
};

struct Matching {
  std::vector<Matched> matched;  ///< in the order of the first folder's figures
  std::vector<Lone> lone;        ///< those of the first folder, then those of the other one
};

/// Figures are matched by their question; among those with the same question by variant and working set, then
/// by variant alone if there is only one on each side. If a question has no such pair, the best figures are
/// matched, because a roof is the best over kernels and page sizes. Every figure that is ok is in the result,
/// once; one that is not ok is there only if the other folder has asked the same.
Matching match_figures(const std::vector<Figure>& first, const std::vector<Figure>& other);

}  // namespace gable::model

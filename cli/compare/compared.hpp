#pragma once

// Several folders compared with the first one, before it is printed.

#include <string>
#include <vector>

#include "cli/compare/side.hpp"
#include "model/compare/compare.hpp"

namespace gable::cli {

/// One folder beside the first one.
struct Versus {
  std::vector<model::Figure> first, other;  ///< those of the first folder are the same in every Versus but
                                            ///< for `no_partner`
  model::Comparison comparison;
  std::string matched;  ///< how clusters and nodes were matched, in a sentence
};

struct Compared {
  std::vector<Side> sides;
  std::vector<Change> changes;
  std::vector<Versus> versus;  ///< one for each side but the first

  const Side& other(std::size_t i) const { return sides[i + 1]; }
};

/// The difference of the first folder's figure number `index`; nullptr if that has no counterpart.
const model::Difference* difference_of(const Versus& versus, std::size_t index);

}  // namespace gable::cli

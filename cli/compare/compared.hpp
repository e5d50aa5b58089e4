#pragma once

// Several folders compared with the first one, and what gable compare shows of it.

#include <optional>
#include <string>
#include <vector>

#include "base/tables/table.hpp"
#include "cli/compare/side.hpp"
#include "model/compare/compare.hpp"
#include "plots/charts/chart.hpp"

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

/// Figures without a counterpart by their reasons; `all` names each of them.
Table lone_table(const Compared& compared, bool all);

/// The same for a screen, on which its last column has no room.
std::string lone_text(const Table& table);

/// Every figure of every comparison as one JSON document; docs/many-machines/comparing.md lists its fields.
/// `fail_above`: percent, if asked for.
std::string compared_json(const Compared& compared, std::optional<double> fail_above);

/// The name, CPU and time of each folder.
Table sides_table(const Compared& compared);

/// What differs in hardware, system, settings and run.
Table changes_table(const Compared& compared);

/// The significant differences; with `all`, or where nothing can be judged, every figure that two folders
/// have.
Table differences_table(const Compared& compared, bool all);

/// "B beside A: 83 figures compared, 5 significantly different (3 worse, 2 better)", with the drift.
std::vector<std::string> summary(const Compared& compared);

/// "-5.2 %"; "+0.08" of a share.
std::string change_text(const model::Difference& difference, bool is_share);

/// What virtualization costs in several folders, beside each other: environments; overheads in per cent with
/// intervals and significance; run times (as in the Palacios paper's figure 13); noise. Empty where no folder
/// has anything of virtualization; where only some have, a note says how to get the rest.
std::vector<Table> compared_virt_tables(const Compared& compared);

/// Page walks, noise, and relative performance (figure 12), of the folders that have them.
std::vector<charts::Chart> virt_charts(const Compared& compared);

}  // namespace gable::cli

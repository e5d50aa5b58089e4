#pragma once

// What gable compare shows, as tables that a screen or a page can show.

#include <string>
#include <vector>

#include "base/tables/table.hpp"
#include "cli/compare/compared.hpp"

namespace gable::cli {

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

}  // namespace gable::cli

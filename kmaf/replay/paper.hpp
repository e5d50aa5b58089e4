#pragma once

// Results printed in the kMAF paper, to be shown beside those of a suite of programs.

#include <vector>

#include "kmaf/replay/result.hpp"

namespace gable::kmaf {

inline constexpr int paper_programs = 27;
inline constexpr double paper_overhead_percent = 1.8;  ///< of kMAF, mean over the programs: section 5.4

/// The printed means of one quantity (a name of `ratios_to_os`) relative to the OS, for these policies
/// (sections 5.1 to 5.3). Empty for a policy or quantity of which the paper prints none.
RatioToOs paper_means(const std::string& measure, const std::vector<ReplayResult::OfPolicy>& policies);

}  // namespace gable::kmaf

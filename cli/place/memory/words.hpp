#pragma once

// What the memory benchmarks' tables, charts and remarks say in words.

#include <string>
#include <vector>

#include "model/tiers/tiers.hpp"

namespace gable::cli {

/// "1 thread", "4 threads".
std::string threads_text(int threads);

/// "0.38 (0.37 to 0.39)": of two ok figures, with the 95 % interval where they have any.
std::string ratio_text(const model::TierFigure& of, const model::TierFigure& to);

/// In the order in which they appear.
std::vector<std::string> tiers_in(const std::vector<model::TierFigure>& figures);

/// That figures were asked with; 0 where there are none.
int most_threads(const std::vector<model::TierFigure>& figures, bool smt);

/// Sentences: how the tiers stand to the first one, what becomes of writes made in the worst way, how near
/// all come to what their vendors claim; how each tier was had, what was not measured, and why.
std::string memory_remarks(const std::vector<model::TierFigure>& figures);

}  // namespace gable::cli

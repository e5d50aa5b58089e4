#pragma once

// What a prediction cannot know, in sentences.

#include <string>
#include <vector>

#include "model/predict/forecast.hpp"

namespace gable::model {

/// `explained_percent`: of the time here, by the roofs.
std::vector<std::string> remarks_on(const Setting& here, const Setting& there, double explained_percent);

/// Whether the data lies in a mix of memories whose bandwidth is known between two bounds alone; otherwise
/// empty.
std::string remark_on_mix(const Setting& there);

}  // namespace gable::model

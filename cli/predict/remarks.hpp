#pragma once

// Notes beside predictions: on the profile that they are from, and on the machines.

#include <string>
#include <vector>

#include "cli/predict/setting.hpp"
#include "model/predict/forecast.hpp"
#include "model/records/profile.hpp"

namespace gable::cli {

/// Whether the program has changed since, as far as it is still there, and what the profile lacks.
std::vector<std::string> remarks_on_profile(const model::Profile& profile);

/// What differs on the machine from where the program was profiled.
std::vector<std::string> remarks_on_machine(const PredictMachine& machine, const model::Profile& profile,
                                            const model::Setting& setting);

}  // namespace gable::cli

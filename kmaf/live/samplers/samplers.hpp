#pragma once

// The list of samplers: each is a file that defines its entry.

#include "kmaf/live/samplers/sampler.hpp"

namespace gable::kmaf::live {

extern const SamplerEntry hint_faults_sampler;
extern const SamplerEntry hardware_sampler;

}  // namespace gable::kmaf::live

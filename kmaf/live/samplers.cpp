#include "kmaf/live/samplers.hpp"

namespace gable::kmaf::live {

const std::vector<SamplerEntry>& samplers() {
  static const std::vector<SamplerEntry> all = {hint_faults_sampler};
  return all;
}

}  // namespace gable::kmaf::live

#include "kmaf/live/samplers/sampler.hpp"

#include <cerrno>
#include <cstring>

namespace gable::kmaf::live {

Missing perf_missing(const Settings& settings, int error) {
  const bool refused = error == EACCES || error == EPERM;
  return {std::string("perf may not observe programs here (") + std::strerror(error) +
              ", kernel.perf_event_paranoid is " + settings.read(perf_event_paranoid).value_or("missing") +
              ")",
          refused ? "sudo sysctl kernel.perf_event_paranoid=2" : ""};
}

const std::vector<SamplerEntry>& samplers() {
  static const std::vector<SamplerEntry> all = {hint_faults_sampler, hardware_sampler};
  return all;
}

}  // namespace gable::kmaf::live

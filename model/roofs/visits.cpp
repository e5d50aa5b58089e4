#include "model/roofs/visits.hpp"

#include "model/statistics/statistics.hpp"

namespace gable::model {

std::vector<double> repetitions_of(const Sample& sample) {
  std::vector<double> values;
  for (std::size_t i = 0; i < sample.seconds.size(); ++i)
    values.push_back(in_unit(sample.spec.kind, sample.work[i], sample.seconds[i]));
  return values;
}

double quantile_of(const Case& spec) {
  constexpr double reachable = 0.9, typical = 0.5;
  const bool together = busy_everywhere(spec.pattern);
  return is_latency(spec.kind) || together ? typical : reachable;
}

double visit_figure(const Sample& visit) {
  return quantile(repetitions_of(visit), quantile_of(visit.spec));
}

}  // namespace gable::model

#include "model/roofs/visits.hpp"

#include "model/statistics/statistics.hpp"

namespace gable::model {

bool is_latency(const Case& asked) {
  return asked.kind == "latency" || asked.kind == "loaded_latency";
}

std::string unit_of(const Case& asked) {
  if (is_latency(asked)) return "ns";
  return asked.kind == "flops" || asked.kind == "validation" ? "GFlop/s" : "GB/s";
}

std::vector<double> repetitions_of(const Sample& sample) {
  std::vector<double> values;
  for (std::size_t i = 0; i < sample.seconds.size(); ++i) {
    const double giga_per_second = sample.work[i] / sample.seconds[i] / 1e9;
    values.push_back(is_latency(sample.asked) ? 1 / giga_per_second : giga_per_second);
  }
  return values;
}

double quantile_of(const Case& asked) {
  constexpr double reachable = 0.9, typical = 0.5;
  const bool together =
      asked.pattern == "local_all" || asked.pattern == "contended" || asked.pattern == "congested";
  return is_latency(asked) || together ? typical : reachable;
}

double visit_figure(const Sample& visit) {
  return quantile(repetitions_of(visit), quantile_of(visit.asked));
}

}  // namespace gable::model

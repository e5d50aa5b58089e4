#include "model/points/needs/instruction_rates.hpp"

#include <algorithm>

#include "model/points/threads.hpp"
#include "model/roofs/per_cycle.hpp"

namespace gable::model {
namespace {

std::optional<Limit> limit_of_rate(Limit::Kind kind, const char* target, double per_core, int cores) {
  if (per_core <= 0 || cores <= 0) return std::nullopt;
  Limit limit;
  limit.kind = kind;
  limit.target = target;
  limit.threads = cores;
  limit.value = limit.lo = limit.hi = per_core * cores;
  return limit;
}

// In 1e9 per second.
double vector_loads_of_core(const Roofs& roofs, int cluster) {
  double most = 0;
  for (const Roof& roof : roofs.roofs) {
    const bool is_of_loads = roof.spec.kind == Kind::bandwidth && roof.spec.op == operations::load;
    if (roof.spec.cluster == cluster && is_of_loads)
      most = std::max(most, instructions_per_cycle(roof).value_or(0) * roof.clock_ghz);
  }
  return most;
}

}  // namespace

std::optional<Limit> integer_limit(const Roofs& roofs, const Point& point, int cluster) {
  double per_core = 0;
  for (const Roof& roof : roofs.roofs) {
    if (roof.spec.cluster == cluster && roof.status == Status::ok)
      per_core = std::max(per_core, roof.adds_per_cycle * roof.clock_ghz);
  }
  return limit_of_rate(Limit::Kind::integer, "integer instructions", per_core,
                       cores_used(roofs, point, cluster));
}

std::vector<InstructionRate> instruction_rates(const Roofs& roofs, const Point& point, int cluster) {
  const int cores = cores_used(roofs, point, cluster);
  const Instructions& counts = point.instructions;
  std::vector<InstructionRate> rates;
  const auto add = [&](const std::optional<Limit>& limit, double instructions) {
    if (limit) rates.push_back({*limit, instructions});
  };
  add(integer_limit(roofs, point, cluster), counts.integer);
  add(limit_of_rate(Limit::Kind::loads, "vector loads", vector_loads_of_core(roofs, cluster), cores),
      counts.vector_loads);
  add(limit_of_rate(Limit::Kind::iterations, "iterations", cluster_clock(roofs, cluster), cores),
      counts.iterations);
  return rates;
}

}  // namespace gable::model

#include "model/roofs/per_cycle.hpp"

namespace gable::model {

int vector_bytes(const std::string& kernel) {
  if (kernel.ends_with("_avx512")) return 64;
  if (kernel.ends_with("_avx2") || kernel.ends_with("_avx")) return 32;
  return kernel.ends_with("_sse2") ? 16 : 0;
}

std::optional<double> instructions_per_cycle(const Roof& roof) {
  const Case& spec = roof.spec;
  const int width = vector_bytes(spec.kernel);
  if (roof.status != Status::ok || roof.clock_ghz <= 0 || spec.smt || spec.threads < 1 || width == 0)
    return std::nullopt;
  const double giga_per_core_and_cycle = roof.value / spec.threads / roof.clock_ghz;
  if (spec.kind == Kind::bandwidth && is_first_cache(spec.level) &&
      (spec.op == operations::load || spec.op == operations::store))
    return giga_per_core_and_cycle / width;
  if (!is_peak(spec.kind) || is_slow(spec.op) || !is_known(spec.precision)) return std::nullopt;
  const double lanes = static_cast<double>(width) / row_of(spec.precision).bytes;
  return giga_per_core_and_cycle / (lanes * (spec.op == operations::fma ? 2 : 1));
}

}  // namespace gable::model

#include "model/roofs/per_cycle.hpp"

namespace gable::model {

int vector_bytes(const std::string& kernel) {
  if (kernel.ends_with("_avx512")) return 64;
  if (kernel.ends_with("_avx2") || kernel.ends_with("_avx")) return 32;
  return kernel.ends_with("_sse2") ? 16 : 0;
}

std::optional<double> instructions_per_cycle(const Roof& roof) {
  const Case& asked = roof.asked;
  const int width = vector_bytes(asked.kernel);
  if (roof.status != Status::ok || roof.clock_ghz <= 0 || asked.smt || asked.threads < 1 || width == 0)
    return std::nullopt;
  const double giga_per_core_and_cycle = roof.value / asked.threads / roof.clock_ghz;
  if (asked.kind == Kind::bandwidth && is_first_cache(asked.level) &&
      (asked.op == operations::load || asked.op == operations::store))
    return giga_per_core_and_cycle / width;
  if (!is_peak(asked.kind) || is_slow(asked.op) || !is_known(asked.precision)) return std::nullopt;
  const double lanes = static_cast<double>(width) / row_of(asked.precision).bytes;
  return giga_per_core_and_cycle / (lanes * (asked.op == operations::fma ? 2 : 1));
}

}  // namespace gable::model

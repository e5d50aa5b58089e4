#include <algorithm>
#include <cstddef>

#include "kernels/isa.hpp"
#include "kernels/kernel.hpp"

// The bounds of the section filled by the assembler (kernels/table.inc); the linker defines them.
extern "C" const gable::kernels::Kernel __start_gable_kernels[];
extern "C" const gable::kernels::Kernel __stop_gable_kernels[];

namespace gable::kernels {

// kernels/table.inc reads Arguments by these offsets and writes Kernel in this layout.
static_assert(offsetof(Arguments, load) == 0);
static_assert(offsetof(Arguments, store) == 16);
static_assert(offsetof(Arguments, iterations) == 24);
static_assert(offsetof(Arguments, iterations_per_pass) == 32);
static_assert(offsetof(Arguments, position) == 40);
static_assert(offsetof(Arguments, scalar) == 48);
static_assert(offsetof(Arguments, cursor) == 56);
static_assert(offsetof(Arguments, result) == 64);
static_assert(offsetof(Arguments, order) + offsetof(Order, multiplier) == 320);
static_assert(offsetof(Arguments, order) + offsetof(Order, curve) == 328);
static_assert(offsetof(Arguments, order) + offsetof(Order, shift) == 336);
static_assert(offsetof(Kernel, features) == 40);
static_assert(offsetof(Kernel, stream_bytes) == 64);
static_assert(offsetof(Kernel, additions) == 80);
static_assert(offsetof(Kernel, unit) == 84);
static_assert(sizeof(Kernel) == 88);

Kernel in_bytes(Kernel kernel, std::uint32_t sve_bytes, std::uint32_t zva_bytes) {
  const bool vectors = kernel.unit == Unit::sve_vectors;
  const std::uint32_t times = (vectors ? sve_bytes : kernel.unit == Unit::zva_blocks ? zva_bytes : 0) / 16;
  kernel.unit = Unit::bytes;
  if (times <= 1) return kernel;
  if (vectors) kernel.vector_bytes *= times;
  for (std::uint32_t* count : {&kernel.load_bytes, &kernel.store_bytes, &kernel.flops}) *count *= times;
  for (std::uint32_t& bytes : kernel.stream_bytes) bytes *= times;
  return kernel;
}

double usual_operand(const Kernel& kernel) {
  std::string_view op = kernel.op;
  constexpr std::string_view chain = "chain_";
  if (op.starts_with(chain)) op.remove_prefix(chain.size());
  return op.starts_with("div_") || op.starts_with("sqrt_") ? 1.3 : 1;
}

std::span<const Kernel> all() {
  static const std::vector<Kernel> kernels = [] {
    const Cpu& cpu = this_cpu();
    std::vector<Kernel> counted;
    for (const Kernel& kernel : std::span(__start_gable_kernels, __stop_gable_kernels))
      counted.push_back(in_bytes(kernel, cpu.sve_bytes, cpu.zva_bytes));
    return counted;
  }();
  return kernels;
}

const Kernel* find(std::string_view op, std::string_view isa) {
  for (const Kernel& kernel : all()) {
    if (op == kernel.op && (isa == kernel.isa || kernel.isa == general_isa)) return &kernel;
  }
  return nullptr;
}

bool exists(std::string_view op) {
  return std::ranges::any_of(all(), [&](const Kernel& kernel) { return op == kernel.op; });
}

const Kernel* named(std::string_view name) {
  for (const Kernel& kernel : all()) {
    if (name == kernel.name) return &kernel;
  }
  return nullptr;
}

const Kernel* best(std::string_view op) {
  const Kernel* widest = nullptr;
  for (const Kernel& kernel : all()) {
    if (op != kernel.op || !runs(kernel)) continue;
    if (widest == nullptr || kernel.vector_bytes > widest->vector_bytes) widest = &kernel;
  }
  return widest;
}

}  // namespace gable::kernels

#include <cstddef>

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
static_assert(offsetof(Arguments, result) == 192);
static_assert(offsetof(Arguments, order) + offsetof(Order, multiplier) == 256);
static_assert(offsetof(Arguments, order) + offsetof(Order, curve) == 264);
static_assert(offsetof(Arguments, order) + offsetof(Order, shift) == 272);
static_assert(offsetof(Kernel, features) == 40);
static_assert(offsetof(Kernel, stream_bytes) == 64);
static_assert(offsetof(Kernel, cycles) == 80);
static_assert(sizeof(Kernel) == 88);

std::span<const Kernel> all() {
  return {__start_gable_kernels, __stop_gable_kernels};
}

const Kernel* find(std::string_view op, std::string_view isa) {
  for (const Kernel& kernel : all()) {
    if (op == kernel.op && (isa == kernel.isa || kernel.isa == std::string_view("x86"))) return &kernel;
  }
  return nullptr;
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

// count_kernels ITERATIONS FEATURES: runs every kernel for which these CPU features suffice, and prints what
// the table claims of an iteration. The features are an argument because what the CPU says of itself under
// Valgrind is Valgrind's own.

#include <cstdio>

#include "kernels/kernel.hpp"

using namespace gable::kernels;

int main(int count, char** arguments) {
  if (count != 3) return 2;
  alignas(512) static char memory[3][2 * 64 * 1024];
  static void* self = &self;  // a chase with one step
  for (const Kernel& kernel : all()) {
    if (!runs(kernel, static_cast<std::uint32_t>(std::atol(arguments[2])))) continue;
    Arguments asked;
    asked.load[0] = memory[0];
    asked.load[1] = memory[1];
    asked.store = memory[2];
    asked.iterations = static_cast<std::uint64_t>(std::atol(arguments[1]));
    asked.iterations_per_pass = 2;
    asked.scalar = 1;
    asked.cursor = &self;
    for (const std::uint32_t bytes : kernel.stream_bytes) {
      if (2 * bytes > sizeof memory[0]) return 1;
    }
    kernel.code(&asked);
    std::printf("%s %u %u %u %u\n", kernel.name, unsigned(kernel.load_bytes), unsigned(kernel.store_bytes),
                unsigned(kernel.flops), unsigned(kernel.vector_bytes));
  }
}

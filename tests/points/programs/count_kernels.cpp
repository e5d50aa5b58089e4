// count_kernels ITERATIONS FEATURES: runs every kernel for which these CPU features suffice, and prints what
// the table claims of an iteration. The features are an argument because what the CPU says of itself under
// Valgrind is Valgrind's own.

#include <cstdio>

#include "kernels/kernel.hpp"

using namespace gable::kernels;

int main(int count, char** words) {
  if (count != 3) return 2;
  alignas(512) static char memory[3][2 * 64 * 1024];
  static void* self = &self;  // a chase with one step
  for (const Kernel& kernel : all()) {
    if (!runs(kernel, static_cast<std::uint32_t>(std::atol(words[2])))) continue;
    Arguments arguments;
    arguments.load[0] = memory[0];
    arguments.load[1] = memory[1];
    arguments.store = memory[2];
    arguments.iterations = static_cast<std::uint64_t>(std::atol(words[1]));
    arguments.iterations_per_pass = 2;
    arguments.scalar = 1;
    arguments.cursor = &self;
    for (const std::uint32_t bytes : kernel.stream_bytes) {
      if (2 * bytes > sizeof memory[0]) return 1;
    }
    kernel.code(&arguments);
    std::printf("%s %u %u %u %u\n", kernel.name, unsigned(kernel.load_bytes), unsigned(kernel.store_bytes),
                unsigned(kernel.flops), unsigned(kernel.vector_bytes));
  }
}

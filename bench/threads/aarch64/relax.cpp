#include "bench/threads/relax.hpp"

namespace gable::bench {

void relax() {
  __asm__ volatile("yield");
}

}  // namespace gable::bench

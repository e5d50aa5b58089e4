#include "bench/threads/relax.hpp"

namespace gable::bench {

void relax() {
  __builtin_ia32_pause();
}

}  // namespace gable::bench

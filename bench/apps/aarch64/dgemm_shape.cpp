#include "bench/apps/dgemm_shape.hpp"

namespace gable::bench {

Shape widest_shape() {
  return plain_shape;
}

}  // namespace gable::bench

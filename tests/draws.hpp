#pragma once

#include <cstdlib>

namespace gable::tests {

/// The number of random draws: `few` in a normal run, `many` in tests labelled slow (`./run.sh test --slow`).
inline int draws(int few, int many) {
  return std::getenv("GABLE_SLOW") ? many : few;
}

}  // namespace gable::tests

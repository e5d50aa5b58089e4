#pragma once

#include <cstdlib>

namespace gable::tests {

/// How much is drawn: `few` in a usual run, `many` in the tests labelled slow (`./run.sh test --slow`).
inline int draws(int few, int many) {
  return std::getenv("GABLE_SLOW") ? many : few;
}

}  // namespace gable::tests

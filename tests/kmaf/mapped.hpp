#pragma once

// A fixture, matrices and loads for the tests of mappings.

#include <gtest/gtest.h>

#include <vector>

#include "kmaf/engine/mapping.hpp"
#include "random.hpp"

namespace gable::kmaf {

class WithMapper : public testing::Test {
 protected:
  void SetUp() override {
    if (!mapper().available) GTEST_SKIP() << mapper().missing;
  }
};

inline AffinityMatrix random_matrix(int threads, int percent, test::Random& random) {
  AffinityMatrix matrix(threads);
  for (int i = 0; i < threads; ++i) {
    for (int j = 0; j < i; ++j) {
      if (random.chance(percent)) matrix.add(i, j, static_cast<std::uint32_t>(1 + random.below(1000)));
    }
  }
  return matrix;
}

inline std::vector<int> load_of(const Mapping& mapping, const Hierarchy& hierarchy) {
  std::vector<int> load(hierarchy.leaves.size());
  for (const int leaf : mapping) ++load.at(static_cast<std::size_t>(leaf));
  return load;
}

}  // namespace gable::kmaf

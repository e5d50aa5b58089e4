#pragma once

// Deterministic random numbers for tests.

#include <cstdint>
#include <random>

namespace gable::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  /// 0 to below `end`.
  std::uint64_t below(std::uint64_t end) { return engine_() % end; }
  bool chance(int percent) { return below(100) < static_cast<std::uint64_t>(percent); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace gable::test

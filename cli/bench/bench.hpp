#pragma once

// gable bench OP SIZE: one figure, with the meters and checks of gable measure; nothing is written to disk.

#include "bench/single/single.hpp"

namespace gable::cli {

struct BenchArguments {
  bench::Single single;
  bench::Options options;  ///< ISA, page size, threads, SMT; the preset is set from single.seconds
  bool json = false;
};

/// Measures and prints. Throws Error::usage, Error::interrupted, and std::runtime_error with the reason where
/// no visit was valid.
void measure_single(BenchArguments arguments);

}  // namespace gable::cli

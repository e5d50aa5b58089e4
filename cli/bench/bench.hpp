#pragma once

// gable bench OP SIZE: one figure, with the meters and checks of gable measure; nothing is written to disk.

#include "bench/single/single.hpp"
#include "cli/bench/figure.hpp"
#include "machines/machine.hpp"

namespace gable::cli {

struct BenchArguments {
  bench::Single single;
  bench::Options options;  ///< ISA, page size, threads, SMT; the preset is set from single.seconds
  bool json = false;
};

/// What the visits to the operation amount to. `options` as in BenchArguments; without page sizes, huge pages
/// where they can be had. Throws Error::usage for what the machine lacks, Error::interrupted.
SingleFigure measured_figure(const machines::Machine& machine, bench::Options options,
                             const bench::Single& single);

/// Measures and prints. Throws Error::usage, Error::interrupted, and std::runtime_error with the reason where
/// no visit was valid.
void measure_single(BenchArguments arguments);

}  // namespace gable::cli

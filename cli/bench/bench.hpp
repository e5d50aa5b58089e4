#pragma once

// gable bench OP SIZE: one figure, with the meters and checks of gable measure; nothing is written to disk.

#include <map>
#include <string>
#include <vector>

#include "bench/single/single.hpp"
#include "machines/machine.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

/// What the visits to a single run amount to, and how that is told.
struct SingleFigure {
  model::Roof roof;                 ///< the best of all ISAs and variants
  std::vector<model::Roof> others;  ///< those of the others, as far as there are
  model::Sample seen;  ///< of all valid visits together: CPUs, pages, clock, steal, notes, disturbed
  int ok_visits = 0;
  std::map<std::string, int> spoilt;  ///< visits by the reason that made them invalid or skipped them
};

/// The same arithmetic as that of the roofs. `samples` are of one operation on one working set and not empty.
SingleFigure single_figure(std::vector<model::Sample> samples);

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

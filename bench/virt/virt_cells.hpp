#pragma once

// What `gable measure --only virt` measures. Deterministic: the same machine and options give the same cells.

#include <vector>

#include "machines/host.hpp"
#include "machines/machine.hpp"
#include "model/records/virt.hpp"

namespace gable::bench {

struct VirtOptions {
  int level = 1;                       ///< 0 quick, 1 standard, 2 full
  std::vector<model::VirtKind> kinds;  ///< of the cells; empty: all
};

struct VirtCell {
  model::VirtCase spec;
  int rounds = 1;
  double seconds = 0;  ///< expected, of one visit with its setup; 0: without such pages, one try tells
};

/// The cells in the order in which a round visits them: environment, mapping, noise, walks by page size,
/// programs. The cells of noise are visited together, on one hardware thread of every core.
std::vector<VirtCell> virt_cells(const machines::Machine& machine, const machines::Host& host,
                                 const VirtOptions& options);

/// The table of GUPS by HPC Challenge's rules (bench/apps/gups.hpp) on this host; 0: its memory is not known.
std::uint64_t gups_bytes_by_rules(const machines::Host& host);

}  // namespace gable::bench

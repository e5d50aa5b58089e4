#pragma once

// Runs on this host for the tests of placements.

#include <cstdint>

#include "bench/buffers/placement.hpp"
#include "tests/bench/machines.hpp"

namespace gable::bench::tests {

/// A run of one cluster on this machine's first node.
inline Run run_of(std::uint64_t bytes, model::Kind kind = model::Kind::bandwidth, int threads = 1) {
  Run run;
  auto& spec = run.cases.emplace_back();
  spec.kind = kind;
  spec.pages = *model::pages_named("4k");
  spec.bytes = bytes;
  spec.threads = threads;
  if (has_load(kind)) run.loader_bytes = bytes;
  run.shares = {{0, {static_cast<unsigned>(first_node())}}};
  return run;
}

/// The first hardware thread of this host's first cluster.
inline unsigned first_cpu() {
  return machines::this_machine().clusters.at(0).cores.at(0).pus.at(0);
}

}  // namespace gable::bench::tests

#pragma once

// What the simulated machine did in the passes of a trace: means over the passes, each weighted by the share
// of the program that it represents.

#include <array>
#include <cstdint>
#include <vector>

#include "kmaf/replay/machine/memory_system.hpp"
#include "model/records/point.hpp"

namespace gable::kmaf {

class TrafficMeans {
 public:
  /// `memory` and its `machine` must outlive this.
  TrafficMeans(const MemorySystem& memory, const SimulatedMachine& machine);

  /// A pass begins.
  void begin();
  /// It ends, and represents this share of the program.
  void end(double share);

  AccessCounts counts() const;
  /// Bytes on all links.
  double link_bytes() const { return link_bytes_; }
  /// Bytes by cluster and node, where there are any.
  std::vector<model::NodeAccess> access() const;
  /// Energy of accesses, in nJ.
  double access_nj() const;

 private:
  using Numbers = std::array<std::uint64_t, sizeof(AccessCounts) / sizeof(std::uint64_t)>;
  struct Totals {
    Numbers numbers;
    double link_bytes = 0;
    MemorySystem::Lines lines;
  };
  Totals totals() const;

  const MemorySystem& memory_;
  const SimulatedMachine& machine_;
  Totals before_;
  std::array<double, std::tuple_size_v<Numbers>> counts_{};
  double link_bytes_ = 0;
  MemorySystem::Lines lines_;
};

}  // namespace gable::kmaf

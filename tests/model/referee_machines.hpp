#pragma once

// The machines on which the referee judges all laws: each adds one property of a mix of two
// memories.

#include <vector>

#include "tests/model/simulator.hpp"

namespace gable::model {

inline std::vector<SimulatedMachine> referee_machines() {
  const SimulatedMemory dram = {2, 4, 4, 0, 80}, hbm = {8, 4, 4, 0, 100}, wide = {4, 4, 4, 0, 80};
  const SimulatedMemory vast = {16, 4, 4, 0, 100};
  const SimulatedMemory remote = {1, 3, 3, 0, 180}, cxl = {1, 4, 4, 0, 250}, nvm = {2, 6, 18, 0, 300};
  const auto turning = [](SimulatedMemory memory, double ns, int batch) {
    memory.turnaround_ns = ns;
    memory.batch = batch;
    return memory;
  };
  const SimulatedCores cores = {16, 16, 16, 0.3, 0};
  const SimulatedCores ahead = {16, 16, 16, 0.3, 1}, stores = {16, 16, 3, 0.3, 0};
  const SimulatedCores fewer = {16, 12, 12, 0.3, 0};
  const SimulatedCores few = {4, 10, 10, 0.3, 0}, starved = {8, 4, 4, 0.3, 0}, single = {1, 12, 12, 0.3, 0};
  return {
      {"HBM, 4 times as fast as DRAM", dram, hbm, cores},
      {"two equal memories", dram, dram, cores},
      {"remote DRAM", remote, dram, cores},
      {"CXL", cxl, dram, cores},
      {"NVM, stores 3 times as slow", nvm, dram, cores},
      {"turnaround 8 ns", turning(dram, 8, 16), turning(hbm, 8, 16), cores},
      {"turnaround 15 ns", turning(dram, 15, 16), turning(hbm, 15, 16), cores},
      {"turnaround 15 ns, 4 writes at a time", turning(dram, 15, 4), turning(hbm, 15, 4), cores},
      {"turnaround 15 ns, 1 write at a time", turning(dram, 15, 1), turning(hbm, 15, 1), cores},
      {"NVM, turnaround 8 ns", turning(nvm, 8, 16), turning(dram, 8, 16), cores},
      {"two pages at once", dram, hbm, ahead},
      {"few stores outstanding", dram, hbm, stores},
      {"few cores", dram, wide, few},
      {"latency bound: few misses", cxl, dram, starved},
      {"a single core", cxl, dram, single},
      {"HBM beyond the misses, 1 write at a time", turning(wide, 15, 1), turning(vast, 15, 1), fewer},
  };
}

}  // namespace gable::model

#pragma once

// Traces and policies for the tests of replays.

#include <stdexcept>
#include <string>
#include <vector>

#include "kmaf/replay/oracle.hpp"
#include "kmaf/traces/workloads.hpp"
#include "machines.hpp"

namespace gable::kmaf {

inline ParallelOrder order_of(const std::vector<Access>& trace) {
  ParallelOrder order;
  for (const Access& access : trace) order.take(access);
  return order;
}

inline PreparedTrace prepared(const std::vector<Access>& accesses, int iterations = 0) {
  ParallelOrder order = order_of(accesses);
  return PreparedTrace(order, iterations);
}

inline PreparedTrace prepared(const std::string& kernel, const WorkloadShape& shape) {
  for (const Workload& workload : workloads()) {
    if (kernel != workload.name) continue;
    ParallelOrder order;
    workload.generate(shape, [&](const Access& access) { order.take(access); });
    return PreparedTrace(order, 0);
  }
  throw std::invalid_argument(kernel);
}

inline const PolicyEntry& policy(const std::string& name) {
  for (const PolicyEntry& entry : policies()) {
    if (name == entry.name) return entry;
  }
  throw std::invalid_argument(name);
}

// A run; the oracle knows all about it.
inline Outcome replayed(const PreparedTrace& trace, const SimulatedMachine& machine, const std::string& name,
                        double scale, std::uint64_t seed, ReplayOptions options) {
  if (name == "oracle") {
    const OracleChoice best = best_for({{&trace, scale}}, trace, machine, options, 1);
    options.mapping = best.mapping;
    options.pages = best.pages;
  }
  return replay(trace, machine, policy(name), scale, seed, options);
}

inline ReplayOptions still() {
  ReplayOptions options;
  options.swaps_per_second = 0;
  return options;
}

// The x7550's machine, and two nodes with `cores` of two hardware threads each.
inline SimulatedMachine x7550() {
  return simulated_machine(test::x7550(), {2, 4.5, 27.9, 160, 222, 12.8, 25.6}, {});
}
inline SimulatedMachine two_nodes(int cores) {
  return simulated_machine(
      machines::from_synthetic("package:2 [numa(memory=1073741824)] l3:1(size=65536) core:" +
                               std::to_string(cores) + " l2:1(size=8192) l1d:1(size=2048) pu:2"),
      test::timing, {});
}

// Knights Landing in SNC-4: four nodes of DRAM, and MCDRAM beside each.
inline const MemoryFigures mcdram{170, 179, 90, 0, std::uint64_t{4} << 30};
inline SimulatedMachine knights_landing(const MemoryFigures& fast = mcdram) {
  Timing timing{3, 13, 0, 143, 147, 100, 40};
  timing.core_transfer_ns = 90;
  timing.all_memory_gb_per_s = 80;
  return simulated_machine(machines::from_xml(GABLE_SOURCE_DIR "/machines/knl-snc4-flat/topology.xml"),
                           timing, {}, {{model::Tier::hbm, fast}});
}

inline std::vector<Record> records_of(const PreparedTrace& trace) {
  std::vector<Record> records;
  trace.replay(PreparedTrace::Part::steady, [&](const Record* block, std::size_t count) {
    records.insert(records.end(), block, block + count);
  });
  return records;
}

// A program with parallel loops, as OpenMP runs it: the threads take turns, and meet at the end of each loop.
class ParallelProgram {
 public:
  explicit ParallelProgram(std::uint32_t threads) : threads_(threads) {}
  void access(std::uint32_t thread, std::uint64_t address, bool write, std::uint32_t instructions = 3) {
    accesses.push_back({address, thread, 8, write, instructions});
  }
  void work(std::uint32_t thread, std::uint64_t instructions) {
    accesses.push_back({instructions, thread, 0, false, 0, Event::work});
  }
  void barrier() {
    for (std::uint32_t thread = 0; thread + 1 < threads_; ++thread)
      accesses.push_back({77, thread, 0, false, 0, Event::wait});
    accesses.push_back({77, threads_ - 1, 0, false, 0, Event::wake_all});
  }

  std::vector<Access> accesses;

 private:
  std::uint32_t threads_;
};

inline PreparedTrace prepared(const ParallelProgram& program, int iterations) {
  return prepared(program.accesses, iterations);
}

// A start-up by one thread, then loops over data of each pair of threads.
inline ParallelProgram pairs(int loops) {
  ParallelProgram program(8);
  constexpr std::uint64_t lines = 2048;
  for (std::uint32_t thread = 0; thread < 8; ++thread) program.access(thread, thread, false);
  for (std::uint64_t line = 0; line < 4 * lines; ++line) program.access(0, 4096 + line * 64, true);
  program.barrier();
  for (int loop = 0; loop < loops; ++loop) {
    for (std::uint64_t line = 0; line < lines; ++line) {
      for (std::uint32_t thread = 0; thread < 8; ++thread)
        program.access(thread, 4096 + (thread % 4 * lines + (line + thread * 16) % lines) * 64,
                       (line + thread) % 2 == 0);
    }
    program.barrier();
  }
  return program;
}

}  // namespace gable::kmaf

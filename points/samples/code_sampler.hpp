#pragma once

// Samples the instructions that a program and its children execute, at equal steps of their CPU time, with
// the kernel's own clock: without hardware counters, and without code in the program.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/perf/descriptor.hpp"
#include "base/perf/ring.hpp"
#include "points/samples/code_records.hpp"
#include "points/samples/code_samples.hpp"

namespace gable::points {

class CodeSampler {
 public:
  /// Samples the process from its next exec on. Throws std::system_error if the kernel does not permit it.
  explicit CodeSampler(pid_t program);

  /// Takes what came; to be called twice a second.
  void read();
  /// What was sampled. The program must have ended.
  CodeSamples finish();

 private:
  struct Ring {
    Descriptor event;
    PerfRing buffer;
    int cpu = 0;
  };
  struct MoreEvents {  // they write into the ring
    Descriptor event;
    std::uint64_t period = 0;
  };
  bool open_more(pid_t program, std::uint64_t period);
  void take_until(std::uint64_t time);

  std::vector<Ring> rings_;
  std::vector<MoreEvents> more_;
  int clocks_ = 1;  // of each hardware thread
  std::vector<std::byte> bytes_;
  CodeRecords records_;
  MappedCode code_;
  CodeSamples samples_;
  double in_user_ = 0;
};

}  // namespace gable::points

#pragma once

// Samples the instructions that a program and its children execute, at equal steps of their CPU time, with
// the kernel's own clock: without hardware counters, and without code in the program.

#include <sys/types.h>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/perf/ring.hpp"
#include "base/programs/program.hpp"
#include "points/samples/code_records.hpp"

namespace gable::points {

/// Takes samples while the program runs.
class CodeSampler {
 public:
  /// Samples the process from its next exec on. Throws std::system_error if the kernel does not permit it.
  explicit CodeSampler(pid_t program);

  /// Takes the samples since the last call. Call it twice a second: the buffers hold those of two seconds.
  void read();
  /// Returns all samples. The program must have ended.
  CodeSamples finish();

 private:
  struct Ring {
    Descriptor event;
    PerfRing buffer;
    int cpu = 0;
  };
  struct MoreEvents {  // of the other clocks; they write into the ring of the first one
    Descriptor event;
    std::uint64_t period = 0;  // nanoseconds
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
  double in_user_ = 0;  // samples in user mode
};

struct SampledRun {
  Ending ending;
  CodeSamples samples;
};

/// Runs the program like run(), and samples it. If the kernel does not permit that, the program runs without,
/// and `samples.missing` says why. Throws as run().
SampledRun run_sampled(const std::vector<std::string>& command, const std::vector<std::string>& environment);

}  // namespace gable::points

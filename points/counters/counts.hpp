#pragma once

// What a program did, as any counter tells it, and the seam behind which the counters stand.

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gable::points {

/// Floating-point arithmetic of one sort. What a counter cannot tell apart is `any`, or unknown_bits.
struct Flops {
  enum class Operation { any, add, mul, div, sqrt, fma };  ///< subtractions are additions
  enum class Precision { any, sp, dp, x87 };

  static constexpr int unknown_bits = -1;

  Operation operation = Operation::any;
  Precision precision = Precision::any;
  int vector_bits = unknown_bits;  ///< 0 (scalar), 128, 256, 512
  std::uint64_t count = 0;         ///< operations on one element each; an FMA counts 2

  bool operator==(const Flops&) const = default;
};

std::string_view name(Flops::Operation operation);  ///< "any", "add", ...
std::string_view name(Flops::Precision precision);  ///< "any", "sp", ...

/// Work done by a thread, a function, a process or all of them.
struct Work {
  std::vector<Flops> flops;                 ///< one entry a sort that occurred, in the order of Flops' fields
  std::optional<std::uint64_t> load_bytes;  ///< that the instructions asked for; nullopt: not counted
  std::optional<std::uint64_t> store_bytes;  ///< likewise

  std::uint64_t flop_count() const;
  /// Adds up sort by sort. Bytes that one side did not count are not known of the sum.
  Work& operator+=(const Work& other);

  bool operator==(const Work&) const = default;
};

/// One program image: after fork() or exec() another begins.
struct ProcessCounts {
  int pid = 0;
  int parent = 0;                    ///< pid of the process that started it
  std::vector<std::string> command;  ///< argv
  std::vector<Work> threads;         ///< in the order in which they began; the first is the main thread
};

/// What a function did itself, without what it called, in all threads and processes.
struct FunctionCounts {
  std::string function;  ///< demangled; empty where the object has no symbol
  std::string object;    ///< path of the program or library; empty for generated code
  Work work;
};

/// What a program did in a region that it marks (points/include/gable-marker.h), in all processes.
struct RegionCounts {
  std::string region;
  int threads = 0;          ///< that mark it
  std::uint64_t calls = 0;  ///< times that a thread entered it
  /// Of the threads that mark it, while they were inside; in a process where one thread alone does, of all
  /// its threads meanwhile: it calls what works in several (a library, an OpenMP construct).
  Work work;
  /// Of other threads than those that mark it, while any was inside.
  Work of_others;
};

struct Counts {
  std::string counter;                    ///< name of the backend
  Work total;                             ///< sum over the processes
  std::vector<ProcessCounts> processes;   ///< in the order in which they began
  std::vector<FunctionCounts> functions;  ///< empty unless asked for
  std::vector<RegionCounts> regions;      ///< in the order in which they were first entered
  std::optional<double> seconds;          ///< wall clock; nullopt where counting slows the program down
  std::vector<std::string> notes;         ///< what a reader of the figures has to know
};

/// A program to run and count. It inherits everything (descriptors, directory, affinity, memory policy).
struct Program {
  std::vector<std::string> command;      ///< the program, as a shell would find it, and its arguments
  std::vector<std::string> environment;  ///< "NAME=value", beside or instead of what is inherited
  bool functions = false;                ///< count per function too
};

/// Why there are no counts: one sentence that names what is at fault and says what to do.
struct CountError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The program could not be started, or it did not end well.
struct ProgramError : CountError {
  ProgramError(const std::string& what, int status) : CountError(what), status(status) {}
  int status;  ///< as a shell says it: exit status, 128 + signal, 126 cannot be run, 127 not found
};

/// One counter. A new one is one file and its row in a table.
struct Backend {
  std::string_view name;
  std::string (*unavailable)();  ///< why it cannot count here (package, permission, hardware); empty: it can
  Counts (*count)(const Program&);  ///< throws CountError
};

}  // namespace gable::points

#pragma once

// The work of a program in the form common to all counters, and the interface of a counter.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/records/profile.hpp"

namespace gable::points {

/// Floating-point operations of one kind. If a counter cannot distinguish kinds, the value is `any` or
/// unknown_bits.
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
  std::vector<Flops> flops;  ///< one entry for each kind that occurred, in the order of Flops' fields
  std::optional<std::uint64_t> load_bytes;   ///< requested by the instructions; nullopt: not counted
  std::optional<std::uint64_t> store_bytes;  ///< likewise
  model::Instructions instructions = {};     ///< by the counter `profile`

  std::uint64_t flop_count() const;
  /// Adds kind by kind. Bytes are unknown in the sum if one side did not count them.
  Work& operator+=(const Work& other);

  bool operator==(const Work&) const = default;
};

/// How many of these threads do at least a fiftieth of the work of the busiest one. Libraries start threads
/// that spin for a moment and have nothing to do.
int working_threads(const std::vector<Work>& threads);

/// The flops by kind; the x87 unit computes scalars. Empty if the counter does not tell every operation,
/// precision and width.
std::vector<model::Arithmetic> arithmetic_of(const Work& work);

/// One program image; fork() and exec() begin another one.
struct ProcessCounts {
  int pid = 0;
  std::vector<std::string> command;  ///< argv
  std::vector<Work> threads;         ///< in order of their start; the first is the main thread
};

/// Code of a function: offsets in its file.
struct CodeRange {
  std::uint64_t from = 0, to = 0;

  auto operator<=>(const CodeRange&) const = default;
};

/// The work of a function itself, without the functions that it called, in all threads and processes.
struct FunctionCounts {
  std::string function;  ///< demangled; empty if the object has no symbol
  std::string object;    ///< path of the program or library; empty for generated code
  Work work;
  std::vector<CodeRange> code = {};  ///< of its symbols; empty: not known
  std::uint64_t loop = 0;            ///< whose work this is, as model::FunctionWork::loop
  std::string line = {};             ///< which the loop executes most often, likewise
};

model::FunctionKey key_of(const FunctionCounts& function);

/// The work of a program in a region that it marks (points/include/gable-marker.h), in all processes.
struct RegionCounts {
  std::string region;
  int threads = 0;          ///< that mark the region
  std::uint64_t calls = 0;  ///< times that a thread entered it
  /// The work of the threads that mark the region while they were inside. If only one thread of a process
  /// marks it, the work of all its threads during that time, because the region may call code that uses
  /// several threads (a library, an OpenMP construct).
  Work work;
  /// The work of all other threads while any thread was inside.
  Work of_others;
};

struct Counts {
  std::string counter;                    ///< name of the backend
  Work total;                             ///< sum over the processes
  std::vector<ProcessCounts> processes;   ///< in order of their start
  std::vector<FunctionCounts> functions;  ///< empty unless requested
  /// What tells the file of a function's code from another build of it (code_identity), by its path.
  std::map<std::string, std::string> builds;
  std::vector<RegionCounts> regions;      ///< in order of their first entry
  std::optional<model::Profile> profile;  ///< of the counter `profile`: what reached which memory
  model::Notes notes;                     ///< remarks for readers of the figures
  double seconds = 0;                     ///< wall clock time of the counted run; 0: not known
  double user_seconds = 0;                ///< its CPU time, without that in the kernel; 0: not known
  std::uint64_t clock_reads = 0;          ///< times that the program asked for the time
  std::uint64_t timers = 0;               ///< times that it set one
};

/// A program to run and count. It inherits everything (descriptors, directory, affinity, memory policy).
struct Program {
  std::vector<std::string> command;  ///< the program, as a shell would find it, and its arguments
  bool functions = false;            ///< also count each function
};

/// One counter. To add one, write one file and its row in a table.
struct Backend {
  std::string_view name;
  std::string (
      *unavailable)();  ///< why it cannot count here (package, permission, hardware); empty if it can
  Counts (*count)(const Program&);  ///< throws Error::failed
};

std::span<const Backend> backends();

/// The counter with that name, or for "auto" the first that can count here. Throws Error::failed, which says
/// what is missing, and for a counter that was named which one works here; for "auto" it lists the reasons of
/// all counters. `of_regions`: no other counter can count those.
const Backend& choose_backend(const std::string& name, bool of_regions = false);

}  // namespace gable::points

#pragma once

// Records of applications to compare with the roofs: what was counted (Point), of each function, and of each
// object.

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/domain/access_source.hpp"
#include "model/domain/latency_class.hpp"
#include "model/domain/level.hpp"
#include "model/domain/operation.hpp"
#include "model/domain/precision.hpp"
#include "model/records/note.hpp"

namespace gable::model {

/// Bytes that a program moves between a level and the caches before it.
struct LevelBytes {
  Level level;           ///< from the second cache on: "L2", "L3", memory
  double read = 0;       ///< fetched from the level, for loads and for stores
  double written = 0;    ///< written back to it, or stored past the caches
  double irregular = 0;  ///< of `read`: lines at addresses without an order, which do not wait for each other
  double chained = 0;    ///< of `read`: lines whose addresses come from loads that wait for each other
  double streamed = 0;   ///< of `written`: stored past the caches, so that nothing was fetched for it
  /// The bytes of `read` and `written` that the cache before the level would transfer neither if lines were
  /// spread over its sets by chance nor if it had no sets.
  double conflicts = 0;
  /// Of `read`: lines that another core had changed and still had in a cache of its own. Known at the level
  /// behind a core's last own cache.
  double from_cores = 0;
  double written_more =
      0;  ///< that the cache before it may write back beyond `written`; 0: nothing, or not known
  /// Sums over the bytes of `irregular` and of `chained`, each times the binary logarithm of the bytes that
  /// its thread uses between two uses of the line; 0: not known.
  double irregular_spans = 0, chained_spans = 0;
  double irregular_stored = 0;  ///< of `irregular`: fetched for stores
  /// The most that `from_cores` may be: a line for each access to a line that another thread uses at the same
  /// time, where one of the two writes. Of these, `contested_apart` are accesses to other bytes of the line
  /// than those that the other thread uses (false sharing).
  double contested = 0, contested_apart = 0;
  double strided = 0;  ///< of `irregular`: at constant distances of more than 2 KiB
  /// Instructions near loads of `irregular`: for each those of its thread since the one before, at most 512;
  /// 0: not known.
  double near = 0;
  /// As the spans, with the squares and the cubes of the logarithms; 0: not known.
  double irregular_squares = 0, irregular_cubes = 0, chained_squares = 0, chained_cubes = 0;

  static constexpr double LevelBytes::*amounts[] = {&LevelBytes::read,
                                                    &LevelBytes::written,
                                                    &LevelBytes::irregular,
                                                    &LevelBytes::irregular_stored,
                                                    &LevelBytes::chained,
                                                    &LevelBytes::streamed,
                                                    &LevelBytes::conflicts,
                                                    &LevelBytes::from_cores,
                                                    &LevelBytes::written_more,
                                                    &LevelBytes::irregular_spans,
                                                    &LevelBytes::chained_spans,
                                                    &LevelBytes::contested,
                                                    &LevelBytes::contested_apart,
                                                    &LevelBytes::strided,
                                                    &LevelBytes::near,
                                                    &LevelBytes::irregular_squares,
                                                    &LevelBytes::irregular_cubes,
                                                    &LevelBytes::chained_squares,
                                                    &LevelBytes::chained_cubes};
  LevelBytes& operator+=(const LevelBytes& more);  ///< bytes of the same level
  LevelBytes& operator*=(double part);
  bool operator==(const LevelBytes&) const = default;
};

/// Bytes that threads moved between a memory node and the caches: lines, not what instructions requested.
struct NodeAccess {
  int node = 0;      ///< os index
  int cluster = -1;  ///< whose threads; -1: of all that the Point's threads use, together
  double load = 0;   ///< read from the node, for loads and for stores that fetch their line
  double store = 0;  ///< written to it

  bool operator==(const NodeAccess&) const = default;
};

/// Flops of one operation, precision and width.
struct Arithmetic {
  Operation op;                           ///< add (or subtract), mul, fma, div, sqrt
  Precision precision = Precision::none;  ///< dp or sp
  int vector_bits = 0;                    ///< 0: scalar
  double flops = 0;                       ///< on one element each; an FMA counts 2

  bool operator==(const Arithmetic&) const = default;
};

/// The numbers of operations, by LatencyClass, on the longest chain of those that wait for each other, if a
/// core executes everything else meanwhile (points/valgrind/profile/path/critical_path.h).
struct CriticalPath {
  std::array<double, std::size(latency_class_rows)> operations{};

  double& operator[](LatencyClass of) { return operations[static_cast<std::size_t>(of)]; }
  double operator[](LatencyClass of) const { return operations[static_cast<std::size_t>(of)]; }
  bool is_known() const {
    return std::ranges::any_of(operations, [](double of) { return of > 0; });
  }
  CriticalPath& operator+=(const CriticalPath& more);
  CriticalPath& operator*=(double part);
  bool operator==(const CriticalPath&) const = default;
};

/// Instructions that were executed. Of the branches a simulated predictor tells how many are mispredicted
/// (points/valgrind/profile/branches.h).
struct Instructions {
  double executed = 0;      ///< 0: not counted
  double integer = 0;       ///< that compute with integers in general registers
  double branches = 0;      ///< conditional and indirect ones
  double mispredicted = 0;  ///< of these
  CriticalPath path = {};   ///< the sum over all threads; estimated from pieces of the run
  /// Cycles for which mispredicted branches wait for the operations that decide them, estimated likewise; 0:
  /// not known.
  double resolving_cycles = 0;
  /// Loads whose address waited for at least three loads, one after the other, each from another cache line
  /// than the one before, estimated likewise; 0: none, or not known.
  double chained_loads = 0;
  /// Loads one after the other on the critical path, if only loads took time; 0: no chained loads, or not
  /// known. The chained loads over them are the chains side by side.
  double chain_steps = 0;
  double vector_loads = 0;          ///< loads into vector registers, scalar floating-point ones among them
  double iterations = 0;            ///< of loops: jumps back in the code
  double mispredicted_jumps = 0;    ///< of the mispredicted branches: indirect jumps and calls
  double mispredicted_entries = 0;  ///< by such jumps, from this or another part of the program
  double unordered_loads = 0;       ///< loads without an order, estimated as the path; 0: none, or not known
  double waited_loads = 0;          ///< for which mispredicted branches waited, one after the other, likewise
  double stores = 0;                ///< 0: none, or not known

  /// Mispredicted branches after which a core begins anew in this part of the program.
  double flushes() const { return mispredicted - mispredicted_jumps + mispredicted_entries; }

  static constexpr double Instructions::*amounts[] = {&Instructions::executed,
                                                      &Instructions::integer,
                                                      &Instructions::branches,
                                                      &Instructions::mispredicted,
                                                      &Instructions::resolving_cycles,
                                                      &Instructions::chained_loads,
                                                      &Instructions::chain_steps,
                                                      &Instructions::vector_loads,
                                                      &Instructions::iterations,
                                                      &Instructions::mispredicted_jumps,
                                                      &Instructions::mispredicted_entries,
                                                      &Instructions::unordered_loads,
                                                      &Instructions::waited_loads,
                                                      &Instructions::stores};
  /// Of these: those that are estimated from pieces of the run, as the path is.
  static constexpr double Instructions::*estimates[] = {
      &Instructions::resolving_cycles, &Instructions::chained_loads, &Instructions::chain_steps,
      &Instructions::unordered_loads, &Instructions::waited_loads};
  Instructions& operator+=(const Instructions& more);
  Instructions& operator*=(double part);
  bool operator==(const Instructions&) const = default;
};

/// Page walks: changes of the page to one that the TLB did not hold. Those that the figures of the memory's
/// lines contain are left out: one for each irregular or chained line, and one for each page of lines in
/// order.
struct PageWalks {
  double walks = 0;                       ///< of all threads
  double seconds_lo = 0, seconds_hi = 0;  ///< that they take if nothing overlaps: 95 % interval

  static constexpr double PageWalks::*amounts[] = {&PageWalks::walks, &PageWalks::seconds_lo,
                                                   &PageWalks::seconds_hi};
  PageWalks& operator+=(const PageWalks& more);
  bool operator==(const PageWalks&) const = default;
};

/// What address translation costs if all data is on small pages, and if all is on huge ones.
struct Translation {
  PageWalks small, huge;

  Translation& operator*=(double part);
  bool operator==(const Translation&) const = default;
};

/// The work of a function itself, without the functions that it called, in all threads.
struct FunctionWork {
  std::string function;  ///< demangled; empty if the object has no symbol
  std::string object;    ///< path of the program or library; empty for generated code
  double flops = 0;      ///< an FMA counts 2
  double load_bytes = 0;
  double store_bytes = 0;
  std::vector<LevelBytes> levels = {};          ///< as a Point's
  std::vector<Arithmetic> arithmetic = {};      ///< as a Point's
  Instructions instructions = {};               ///< as a Point's
  std::optional<Translation> translation = {};  ///< as a Point's
  double samples = 0;                           ///< of the Point's
  /// The place in its file of a loop that runs for long each time, whose work this is; 0: that of the rest of
  /// the function.
  std::uint64_t loop = 0;
  std::string line = {};  ///< which the loop executes most often: "app.c:12"; empty: not known

  bool operator==(const FunctionWork&) const = default;
};

/// What identifies it: function, object and loop.
using FunctionKey = std::tuple<std::string, std::string, std::uint64_t>;
FunctionKey key_of(const FunctionWork& work);

/// Samples of the instructions that a program executed, at equal steps of its CPU time.
struct Samples {
  double all = 0;      ///< in all threads, in the kernel too; 0: there are none
  double seconds = 0;  ///< CPU time for each sample, in seconds
  double kernel = 0;   ///< in the kernel
  /// In code that no counted function has, by its file; "": generated code.
  std::map<std::string, double> elsewhere;
  Note missing;  ///< why there are none; empty: there are, or nobody asked for them
  /// In loops that wait for other threads, by file; they are also those of a function or of `elsewhere`.
  std::map<std::string, double> spinning = {};

  bool operator==(const Samples&) const = default;
};

/// What a program moves of an object: a variable, the blocks of one allocation, the stacks, a file.
struct ObjectBytes {
  std::string name;                     ///< "p (cg.c:41)", "table", "stacks": as profiles name it
  std::uint64_t peak_bytes = 0;         ///< the most that lived at a time
  std::vector<LevelBytes> levels = {};  ///< as a Point's

  bool operator==(const ObjectBytes&) const = default;
};

/// An application, or a region of one, on the chart (LARM paper, section 2): its flops, the bytes that its
/// instructions accessed, and its wall clock time.
struct Point {
  std::string name;    ///< unique among the points of a folder
  std::string region;  ///< function or marked region; empty: the whole program
  std::string from;    ///< the point of the same program under another placement; empty: none
  int cluster = 0;     ///< the cluster of its threads; -1: all clusters, with an even share each
  bool alone = true;   ///< the other clusters were idle
  int threads = 0;     ///< in total; 0: not known
  int cores = 0;       ///< on which its threads could run at once, if they are fewer; 0: as many as threads
  double flops = 0;    ///< an FMA counts 2; all threads together, as are the bytes
  std::vector<Arithmetic> arithmetic;  ///< the flops by kind; empty: not known
  double load_bytes = 0;               ///< accessed by instructions, from any cache or memory
  double store_bytes = 0;
  double accesses = 0;  ///< loads and stores; 0: not known
  Instructions instructions;
  std::vector<LevelBytes> levels;          ///< from the inside out, the last is memory; empty: not known
  std::optional<Translation> translation;  ///< nothing: not known
  Precision precision = Precision::none;   ///< of the flops; none: not known
  Operation operation;  ///< add or mul if nearly all flops are of this kind; none: several, or not known
  std::optional<double>
      scalar_flops_percent;  ///< of the flops, computed without vectors; if the counter reports it
  std::optional<double>
      fma_flops_percent;  ///< of the flops, by fused multiply-adds; if the counter reports it
  double seconds = 0;     ///< wall clock; median of the repetitions
  double seconds_lo = 0;  ///< 95 % confidence interval; of a single repetition the value itself
  double seconds_hi = 0;
  int repetitions = 1;
  /// CPU time and page faults of a run, mean of the repetitions; all 0: not known.
  double user_seconds = 0, kernel_seconds = 0, page_faults = 0;
  bool simulated = false;  ///< `seconds` are those of `from`, times what a replay says of the placement
  std::string counter;     ///< source of flops and bytes: "valgrind", "pmu", "add", ...
  std::string policy;      ///< "first-touch", "interleave", "bind:0", ...; empty: not known
  std::map<int, std::uint64_t> node_bytes;  ///< resident bytes by the node's os index; empty: not known
  std::vector<NodeAccess> access;  ///< each node and cluster once, mean over the run; empty: not known
  AccessSource access_source = AccessSource::none;  ///< none only if `access` is empty
  double access_samples =
      0;  ///< effective number of samples that tell `access`; 0: of no samples, or not known
  std::optional<double> huge_pages_percent;  ///< of the resident bytes that are on huge pages; if known
  /// CPUs that other processes kept busy, or the hypervisor took away, while it was timed; 0: none, or not
  /// known.
  double other_cpus = 0;
  std::vector<std::string> command;
  std::map<std::string, std::string> environment;  ///< variables that affect the figures: OMP_*, ...
  std::vector<FunctionWork> functions;             ///< largest work first; empty: not counted
  Samples samples;                                 ///< they tell the time of its functions
  std::vector<ObjectBytes> objects;                ///< those that matter, the first most; empty: not known
  std::string profile;                             ///< its file in the folder's profiles/; empty: none
  std::string build;                               ///< the profile's; empty: there is none
  Notes notes;
  std::string started;  ///< UTC, ISO 8601
  /// Part of all instructions that comes one after the other, in the busiest thread or in threads that wait
  /// for each other; 0: not known.
  double span = 0;

  bool operator==(const Point&) const = default;
};

/// Whether a function has less than a thousandth of the Point's flops, bytes, instructions and samples: the
/// start and the end of any program take dozens of such functions.
bool is_small(const FunctionWork& work, const Point& point);

/// The function's work as a Point, which has everything else of `point`.
Point point_of(const Point& point, const FunctionWork& work);

}  // namespace gable::model

#pragma once

// The records that flow between the stages: the request (Case), a visit to it (Sample), the resulting figure
// (Roof), and an application to compare with it (Point). Skipped and invalid are results with a reason,
// never a missing record.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/domain/access_source.hpp"
#include "model/domain/kind.hpp"
#include "model/domain/level.hpp"
#include "model/domain/operation.hpp"
#include "model/domain/pages.hpp"
#include "model/domain/pattern.hpp"
#include "model/domain/precision.hpp"
#include "model/domain/status.hpp"
#include "model/domain/tier.hpp"
#include "model/records/note.hpp"

namespace gable::model {

inline constexpr int schema = 1;  ///< version of every format

/// A measurement to make. Two Cases with the same fields are the same Case; `key` is its identity in files.
struct Case {
  Kind kind = Kind::bandwidth;
  int cluster = 0;  ///< whose threads
  Level level;      ///< a memory-side cache has the patterns and the node of the memory behind it
  Pattern pattern = Pattern::local;
  int node = -1;  ///< os index of the memory node; -1: several (congested) or none (flops)
  Tiers tier;     ///< of the node or nodes; none for flops
  Operation op;
  std::string kernel;                     ///< "load_avx512"
  Precision precision = Precision::none;  ///< of flops
  Pages pages;                            ///< none for flops
  int threads = 0;                        ///< of this cluster
  bool smt = false;                       ///< one thread per hardware thread instead of per core
  std::uint64_t bytes = 0;   ///< working set of each thread, all its streams together; 0 for flops
  int load_percent = 0;      ///< loaded_latency: requested share of the full load
  int other_node = -1;       ///< hybrid: the node of the other pages; -1: not a hybrid
  int node_percent = 0;      ///< hybrid: the share of every stream's pages that lie on `node`
  int node_weight = 0;       ///< hybrid: pages interleaved N:M throughout, N on `node`, ...
  int other_weight = 0;      ///< ... M on `other_node`; 0: alternating while both last, the rest on one
  double flop_per_byte = 0;  ///< validation: arithmetic intensity; else 0

  bool operator==(const Case&) const = default;
};

/// The Case's identity: every field as `name=value`, on one line, the same in every run and version of
/// schema 1. The fields of hybrids and of validation appear only in keys of these.
std::string key(const Case& spec);

/// The result of one visit to a Case; a Case is visited once per round.
struct Sample {
  Case spec;
  int round = 0;
  Status status = Status::ok;
  Note reason;  ///< why it is not ok; none if it is

  // One entry per kept repetition.
  std::vector<double> seconds;
  std::vector<double> work;  ///< bytes (bandwidth), flops (flops, validation), dependent accesses (latencies)
                             ///< or lines (random)
  std::vector<double> load_bytes;  ///< loaded_latency: bytes moved by the other threads; otherwise empty

  int disturbed = 0;          ///< repetitions dropped because a thread was stopped
  int crowded = 0;            ///< repetitions dropped because another hardware thread used a core
  std::string stopped;        ///< "tight" (interval), "time" (cell's time was up), "interrupted"
  double clock_ghz = 0;       ///< measured beside the repetitions; 0: not measured
  double adds_per_cycle = 0;  ///< independent additions beside the kept repetitions, of the core that did the
                              ///< fewest (median; model/records/crowding.hpp); 0: not probed
  double steal_percent = 0;   ///< CPU time the hypervisor took away, of all CPUs used
  std::vector<unsigned> cpus;               ///< on which the threads ran
  std::map<int, std::uint64_t> node_bytes;  ///< location of the pages, by the node's os index
  Notes notes;          ///< differences from the request: smaller buffer, no huge pages, ...
  std::string started;  ///< UTC, ISO 8601

  bool operator==(const Sample&) const = default;
};

/// The figure from all Samples of a Case.
struct Roof {
  Case spec;
  double value = 0;  ///< in `unit`
  double lo = 0;     ///< 95 % confidence interval
  double hi = 0;
  std::string unit;          ///< "GB/s" (1e9 B/s), "GFlop/s", "ns", "M/s"
  int n = 0;                 ///< repetitions behind it
  double load_gb_per_s = 0;  ///< loaded_latency: the reached load
  Status status = Status::ok;
  Note reason;
  std::string source;         ///< of a published figure: the work and its table or equation; empty: measured
  double clock_ghz = 0;       ///< median of the visits' clocks; 0: not measured
  double adds_per_cycle = 0;  ///< the most independent additions of a core beside a visit; 0: not probed
  Notes remarks;              ///< what a reader of the value must know: a memory-side cache, an idle machine
  bool other_state = false;   ///< not measured in the state of the machine that other figures are of

  bool operator==(const Roof&) const = default;
};

/// Bytes that a program moves between a level and the caches before it.
struct LevelBytes {
  Level level;           ///< from the second cache on: "L2", "L3", memory
  double read = 0;       ///< fetched from the level, for loads and for stores
  double written = 0;    ///< written back to it, or stored past the caches
  double irregular = 0;  ///< of `read`: lines at addresses without an order, which do not wait for each other
  double chained = 0;    ///< of `read`: lines whose addresses come from loads that wait for each other
  double streamed = 0;   ///< of `written`: stored past the caches, so that nothing was fetched for it
  /// The bytes of `read` and `written` that the cache before the level would not transfer if lines were
  /// spread over its sets by chance.
  double conflicts = 0;
  /// Of `read`: lines that another core had changed and still had in a cache of its own. Known at the level
  /// behind a core's last own cache.
  double from_cores = 0;
  double written_more =
      0;  ///< that the cache before it may write back beyond `written`; 0: nothing, or not known
  /// Sums over the bytes of `irregular` and of `chained`, each times the binary logarithm of the bytes that
  /// its thread uses between two uses of the line; 0: not known.
  double irregular_spans = 0, chained_spans = 0;

  static constexpr double LevelBytes::*amounts[] = {
      &LevelBytes::read,         &LevelBytes::written,      &LevelBytes::irregular,
      &LevelBytes::chained,      &LevelBytes::streamed,     &LevelBytes::conflicts,
      &LevelBytes::from_cores,   &LevelBytes::written_more, &LevelBytes::irregular_spans,
      &LevelBytes::chained_spans};
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

/// Instructions that were executed. Of the branches a simulated predictor tells how many are mispredicted
/// (points/valgrind/profile/branches.h).
struct Instructions {
  double executed = 0;      ///< 0: not counted
  double integer = 0;       ///< that compute with integers in general registers
  double branches = 0;      ///< conditional ones
  double mispredicted = 0;  ///< of these

  static constexpr double Instructions::*amounts[] = {&Instructions::executed, &Instructions::integer,
                                                      &Instructions::branches, &Instructions::mispredicted};
  Instructions& operator+=(const Instructions& more);
  Instructions& operator*=(double part);
  bool operator==(const Instructions&) const = default;
};

/// Page walks: changes of the page to one that the TLB did not hold. Those of lines of memory that are
/// irregular or chained are left out, because the figures of such lines contain them.
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

  bool operator==(const FunctionWork&) const = default;
};

/// Samples of the instructions that a program executed, at equal steps of its CPU time.
struct Samples {
  double all = 0;      ///< in all threads, in the kernel too; 0: there are none
  double seconds = 0;  ///< CPU time for each sample, in seconds
  double kernel = 0;   ///< in the kernel
  /// In code that no counted function has, by its file; "": generated code.
  std::map<std::string, double> elsewhere;
  Note missing;  ///< why there are none; empty: there are, or nobody asked for them

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
  double other_cpus = 0;  ///< CPUs that other processes kept busy while it was timed; 0: none, or not known
  std::vector<std::string> command;
  std::map<std::string, std::string> environment;  ///< variables that affect the figures: OMP_*, ...
  std::vector<FunctionWork> functions;             ///< largest work first; empty: not counted
  Samples samples;                                 ///< they tell the time of its functions
  std::vector<ObjectBytes> objects;                ///< those that matter, the first most; empty: not known
  std::string profile;                             ///< its file in the folder's profiles/; empty: none
  std::string build;                               ///< the profile's; empty: there is none
  Notes notes;
  std::string started;  ///< UTC, ISO 8601

  bool operator==(const Point&) const = default;
};

/// Whether a function has less than a thousandth of the Point's flops, bytes, instructions and samples: the
/// start and the end of any program take dozens of such functions.
bool is_small(const FunctionWork& work, const Point& point);

/// The function's work as a Point, which has everything else of `point`.
Point point_of(const Point& point, const FunctionWork& work);

/// A part of a workload that was placed as a whole, and its location.
struct PlacedPart {
  std::string name;  ///< "graph", "temporary"
  std::string tier;  ///< as requested: "DRAM", "node:2", "/mnt/pmem"
  Tier kind = plain_tier;
  std::string how;  ///< "bound to node 0", "pmem_map_file on DAX", ...
  std::uint64_t bytes = 0;
  std::map<int, std::uint64_t> node_bytes;  ///< where the pages were seen to be; a file's on DAX are on none

  bool operator==(const PlacedPart&) const = default;
};

/// The result of a workload's variant under one placement of its parts (PMEM graph thesis, table 3.2).
struct Placed {
  std::string workload;  ///< "pagerank", "bfs"
  std::string variant;   ///< "16 ranks", "top-down", ...
  std::string graph;     ///< file or description
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  int cluster = 0;
  int threads = 0;
  bool smt = false;
  std::vector<PlacedPart> parts;
  std::string how;                         ///< the selected way, which was the fastest there
  std::map<std::string, double> ways;      ///< traversed edges per second of every way, from short trials
  std::vector<double> seconds;             ///< of each run
  std::vector<double> traversed;           ///< edges, of each run
  double flops = 0;                        ///< of the algorithm in each run; 0: none, or not known
  double load_bytes = 0, store_bytes = 0;  ///< of the algorithm in each run; 0: not known
  std::string verified;                    ///< the algorithm that verified each result
  int disturbed = 0;                       ///< runs dropped because other processes were busy
  Status status = Status::ok;
  Note reason;
  Notes notes;
  std::string started;        ///< UTC, ISO 8601
  std::string source;         ///< of a published figure: the work and its table; empty: measured
  double published_teps = 0;  ///< of a published figure, which has no `seconds` and no `traversed`
  int published_runs = 0;     ///< the runs behind a published figure; 0: not published

  bool operator==(const Placed&) const = default;
};

/// A memory benchmark of a tier (PMEM graph thesis, section 2.2, and writes in blocks).
struct TierCase {
  std::string tier;  ///< as it was asked for: "DRAM", "node:2", "/mnt/pmem"
  std::string what;  ///< "load", "store", "copy", "scale", "add", "triad"; "latency"
  std::string way;   ///< of stores: "store", "clwb", "clflushopt", "cvap", "nt"; otherwise empty
  std::uint64_t access_bytes = 0;  ///< stores in blocks of so many, each durable before the next (but for
                                   ///< plain stores); 0: one stream
  std::string order;               ///< "sequential"; "random": of the blocks, or of a latency's lines
  int cluster = 0;                 ///< whose threads
  int threads = 0;
  bool smt = false;         ///< one thread per hardware thread instead of per core
  std::uint64_t bytes = 0;  ///< working set of all threads together, at least

  bool operator==(const TierCase&) const = default;
};

/// The TierCase's identity, on one line.
std::string key(const TierCase& spec);

/// Whether it times dependent loads; otherwise it moves bytes: loads, stores, or both.
bool is_latency(const TierCase& spec);
bool is_load(const TierCase& spec);
bool is_store(const TierCase& spec);
/// "ns", "GB/s"
std::string_view unit_of(const TierCase& spec);
/// Whether stores in this way leave their data in the caches; others push it out to the memory.
bool stays_in_caches(std::string_view way);
/// Whether stores in this way are non-temporal.
bool is_non_temporal(std::string_view way);

/// The result of one visit to a TierCase.
struct TierSample {
  TierCase spec;
  int round = 0;
  std::string kernel;  ///< "block256_nt_avx512"
  Tier kind = plain_tier;
  std::string how;          ///< how its memory was allocated: "bound to node 0", "pmem_map_file on DAX", ...
  bool persistent = false;  ///< survives the loss of power
  double vendor_gb_per_s = 0;               ///< the vendor's claim for loads or stores; 0: not given
  std::vector<double> seconds;              ///< of each kept repetition
  std::vector<double> work;                 ///< bytes, or dependent accesses of a latency
  int disturbed = 0;                        ///< repetitions dropped because something else ran
  double clock_ghz = 0;                     ///< measured beside the repetitions; 0: not measured
  double steal_percent = 0;                 ///< CPU time the hypervisor took away, of all CPUs used
  std::vector<unsigned> cpus;               ///< on which the threads ran
  std::map<int, std::uint64_t> node_bytes;  ///< where the pages were seen to be; a file's on DAX are on none
  Status status = Status::ok;
  Note reason;
  Notes notes;
  std::string started;  ///< UTC, ISO 8601

  bool operator==(const TierSample&) const = default;
};

}  // namespace gable::model

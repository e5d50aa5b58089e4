#pragma once

// What a Case measures. One row per kind.

#include <span>

#include "model/domain/table.hpp"

namespace gable::model {

/// The unit in which a visit counts its work.
enum class Work { bytes, flops, accesses, lines, branches, operations, instructions };

struct WorkRow {
  Work value;
  std::string_view name;  ///< of the field of a Sample in files
  std::string_view unit;  ///< of its figures
  double per_second;      ///< pieces of work per second that are a rate of 1
  bool is_time;  ///< the figure is the time of a piece of work, the lower the better; otherwise a rate
};
inline constexpr WorkRow work_rows[] = {{Work::bytes, "bytes", "GB/s", 1e9, false},
                                        {Work::flops, "flops", "GFlop/s", 1e9, false},
                                        {Work::accesses, "accesses", "ns", 1e9, true},
                                        {Work::lines, "lines", "M/s", 1e6, false},
                                        {Work::branches, "branches", "ns", 1e9, true},
                                        {Work::operations, "operations", "ns", 1e9, true},
                                        {Work::instructions, "instructions", "G/s", 1e9, false}};
static_assert(is_in_order(work_rows));
constexpr std::span<const WorkRow> table(Work) {
  return work_rows;
}

enum class Kind { bandwidth, flops, latency, loaded_latency, validation, random, branch, operation, window };

struct KindRow {
  Kind value;
  std::string_view name;
  std::string_view words;  ///< on a screen
  Work work;
  bool uses_memory;  ///< false: it computes in registers alone
  bool streams;      ///< every thread reads or writes a working set of its own, without waiting for its loads
  bool has_load;     ///< one thread is measured while the others move bytes, in a requested share
  bool races;        ///< of several kernels and page sizes only the fastest counts
};
inline constexpr KindRow kind_rows[] = {
    {Kind::bandwidth, "bandwidth", "bandwidth", Work::bytes, true, true, false, true},
    {Kind::flops, "flops", "peak", Work::flops, false, false, false, false},
    {Kind::latency, "latency", "latency", Work::accesses, true, false, false, false},
    {Kind::loaded_latency, "loaded_latency", "loaded latency", Work::accesses, true, false, true, false},
    {Kind::validation, "validation", "validation", Work::flops, true, true, false, true},
    {Kind::random, "random", "random loads", Work::lines, true, true, false, false},
    {Kind::branch, "branch", "branches", Work::branches, false, false, false, false},
    {Kind::operation, "operation", "operations", Work::operations, false, false, false, false},
    {Kind::window, "window", "instructions with random loads", Work::instructions, true, true, false, false},
};
static_assert(is_in_order(kind_rows));
constexpr std::span<const KindRow> table(Kind) {
  return kind_rows;
}

/// "ns", "GFlop/s", "GB/s", "M/s"
constexpr std::string_view unit_of(Kind kind) {
  return row_of(row_of(kind).work).unit;
}
/// Its figures are times of one access, branch or operation, the lower the better.
constexpr bool is_latency(Kind kind) {
  return row_of(row_of(kind).work).is_time;
}
/// The figure of so much work in so many seconds, in its unit.
constexpr double in_unit(Kind kind, double work, double seconds) {
  const WorkRow& row = row_of(row_of(kind).work);
  const double rate = work / seconds / row.per_second;
  return row.is_time ? 1 / rate : rate;
}
constexpr bool counts_flops(Kind kind) {
  return row_of(kind).work == Work::flops;
}
/// It computes in registers alone.
constexpr bool in_registers(Kind kind) {
  return !row_of(kind).uses_memory;
}
/// Its figures are times that take the same number of cycles at any clock.
constexpr bool takes_cycles(Kind kind) {
  return is_latency(kind) && in_registers(kind);
}
/// It counts flops in registers alone.
constexpr bool is_peak(Kind kind) {
  return counts_flops(kind) && in_registers(kind);
}
constexpr bool streams(Kind kind) {
  return row_of(kind).streams;
}
constexpr bool has_load(Kind kind) {
  return row_of(kind).has_load;
}
constexpr bool races(Kind kind) {
  return row_of(kind).races;
}

}  // namespace gable::model

#pragma once

// Operations that wait for each other, by how long one takes. One row per class.

#include <optional>
#include <span>

#include "model/domain/table.hpp"

namespace gable::model {

/// What an instruction of a chain of dependent instructions does to the value that it waits for.
enum class LatencyClass {
  integer,         ///< additions, shifts and logic in general registers, which take one cycle
  integer_mul,     ///< multiplications of integers
  integer_div_32,  ///< divisions of integers of up to 32 bits
  integer_div_64,  ///< divisions of longer integers
  divider_32,      ///< the same of 32 bits, of which one does not wait for the other's result, but for the
                   ///< divider
  divider_64,      ///< the same of longer integers
  load,            ///< loads of an address that was loaded, from L1
  forward,         ///< a store, and a load of the same address that follows it at once
  add,             ///< additions and subtractions of floating-point numbers
  mul,             ///< multiplications of floating-point numbers
  fma,             ///< fused multiply-adds, through the addend
  div_sp,          ///< divisions in single precision
  div_dp,          ///< divisions in double precision
  sqrt_sp,         ///< square roots in single precision
  sqrt_dp,         ///< square roots in double precision
  convert,         ///< between integers and floating-point numbers
  atomic           ///< atomic operations on a line that the core has to itself, one after the other
};

struct LatencyClassRow {
  LatencyClass value;
  std::string_view name;
  std::string_view words;      ///< on a screen
  std::string_view operation;  ///< that measures it; empty: the clock tells it, or the latency of L1
  /// Cycles that it takes on the cores of the last ten years, where it was not measured (A. Fog, "Instruction
  /// tables"; Arm's software optimization guides of Neoverse).
  double least, most;
};
inline constexpr LatencyClassRow latency_class_rows[] = {
    {LatencyClass::integer, "integer", "integer operations", "", 1, 1},
    {LatencyClass::integer_mul, "integer_mul", "integer multiplications", "chain_integer_mul", 2, 4},
    {LatencyClass::integer_div_32, "integer_div_32", "integer divisions (32 bits)", "chain_integer_div_32", 5,
     30},
    {LatencyClass::integer_div_64, "integer_div_64", "integer divisions (64 bits)", "chain_integer_div_64", 5,
     90},
    {LatencyClass::divider_32, "divider_32", "turns of the integer divider (32 bits)", "chain_divider_32", 4,
     12},
    {LatencyClass::divider_64, "divider_64", "turns of the integer divider (64 bits)", "chain_divider_64", 4,
     90},
    {LatencyClass::load, "load", "loads from L1", "", 3, 5},
    {LatencyClass::forward, "forward", "loads of what was just stored", "chain_forward", 0, 7},
    {LatencyClass::add, "add", "additions", "chain_add", 2, 6},
    {LatencyClass::mul, "mul", "multiplications", "chain_mul", 3, 6},
    {LatencyClass::fma, "fma", "multiply-adds", "chain_fma", 2, 6},
    {LatencyClass::div_sp, "div_sp", "divisions (SP)", "chain_div_sp", 7, 24},
    {LatencyClass::div_dp, "div_dp", "divisions (DP)", "chain_div_dp", 7, 32},
    {LatencyClass::sqrt_sp, "sqrt_sp", "square roots (SP)", "chain_sqrt_sp", 7, 28},
    {LatencyClass::sqrt_dp, "sqrt_dp", "square roots (DP)", "chain_sqrt_dp", 7, 38},
    {LatencyClass::convert, "convert", "conversions", "chain_convert", 3, 8},
    {LatencyClass::atomic, "atomic", "atomic operations", "chain_atomic", 5, 25},
};
static_assert(is_in_order(latency_class_rows));
constexpr std::span<const LatencyClassRow> table(LatencyClass) {
  return latency_class_rows;
}

/// The class that an operation measures; nothing for operations of other kinds.
constexpr std::optional<LatencyClass> measured_by(std::string_view operation) {
  for (const LatencyClassRow& row : latency_class_rows) {
    if (!row.operation.empty() && row.operation == operation) return row.value;
  }
  return std::nullopt;
}
constexpr bool is_integer_division(LatencyClass of) {
  return of >= LatencyClass::integer_div_32 && of <= LatencyClass::divider_64;
}
/// Its measured figure contains a multiplication (kernels/ops_chains.inc).
constexpr bool contains_multiplication(LatencyClass of) {
  return of == LatencyClass::sqrt_sp || of == LatencyClass::sqrt_dp;
}

}  // namespace gable::model

#pragma once

// Operations that wait for each other, by how long one takes. One row per class.

#include <optional>
#include <span>

#include "model/domain/table.hpp"

namespace gable::model {

/// What an instruction of a chain of dependent instructions does to the value that it waits for.
enum class LatencyClass {
  integer,      ///< additions, shifts and logic in general registers, which take one cycle
  integer_mul,  ///< multiplications of integers
  load,         ///< loads of an address that was loaded, from L1
  forward,      ///< a store, and a load of the same address that follows it at once
  add,          ///< additions and subtractions of floating-point numbers
  mul,          ///< multiplications of floating-point numbers
  fma,          ///< fused multiply-adds, through the addend
  div_sp,       ///< divisions in single precision
  div_dp,       ///< divisions in double precision
  sqrt_sp,      ///< square roots in single precision
  sqrt_dp,      ///< square roots in double precision
  convert       ///< between integers and floating-point numbers
};

struct LatencyClassRow {
  LatencyClass value;
  std::string_view name;
  std::string_view words;      ///< on a screen
  std::string_view operation;  ///< that measures it; empty: the clock tells it, or the latency of L1
};
inline constexpr LatencyClassRow latency_class_rows[] = {
    {LatencyClass::integer, "integer", "integer addition", ""},
    {LatencyClass::integer_mul, "integer_mul", "integer multiplication", "chain_integer_mul"},
    {LatencyClass::load, "load", "load from L1", ""},
    {LatencyClass::forward, "forward", "load of what was just stored", "chain_forward"},
    {LatencyClass::add, "add", "addition", "chain_add"},
    {LatencyClass::mul, "mul", "multiplication", "chain_mul"},
    {LatencyClass::fma, "fma", "multiply-add", "chain_fma"},
    {LatencyClass::div_sp, "div_sp", "division (SP)", "chain_div_sp"},
    {LatencyClass::div_dp, "div_dp", "division (DP)", "chain_div_dp"},
    {LatencyClass::sqrt_sp, "sqrt_sp", "square root (SP)", "chain_sqrt_sp"},
    {LatencyClass::sqrt_dp, "sqrt_dp", "square root (DP)", "chain_sqrt_dp"},
    {LatencyClass::convert, "convert", "conversion", "chain_convert"},
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
/// Its measured figure contains a multiplication (kernels/ops_chains.inc).
constexpr bool contains_multiplication(LatencyClass of) {
  return of == LatencyClass::sqrt_sp || of == LatencyClass::sqrt_dp;
}

}  // namespace gable::model

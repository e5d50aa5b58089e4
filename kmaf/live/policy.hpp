#pragma once

// Policies of a running program. One row each.

#include <span>

#include "model/domain/table.hpp"

namespace gable::kmaf::live {

enum class Policy { os, compact, random, interleave, autonuma, oracle, kmaf };

struct PolicyRow {
  Policy value;
  std::string_view name;
  std::string_view summary;
  bool interleaves;  ///< pages, over all memory nodes
  bool binds;        ///< threads, as they start, in an order that is known before
};
inline constexpr PolicyRow policy_rows[] = {
    {Policy::os, "os", "nothing is changed", false, false},
    {Policy::compact, "compact", "threads bound in the machine's order as they start", false, true},
    {Policy::random, "random", "threads bound at random, pages round-robin over all memory nodes", true,
     true},
    {Policy::interleave, "interleave", "pages round-robin over all memory nodes", true, false},
    {Policy::autonuma, "autonuma", "the kernel's own balancing", false, false},
    {Policy::oracle, "oracle", "threads and pages placed from an earlier run's record (--knowing)", false,
     false},
    {Policy::kmaf, "kmaf", "threads and pages managed according to the sampled accesses", false, false},
};
static_assert(model::is_in_order(policy_rows));
constexpr std::span<const PolicyRow> table(Policy) {
  return policy_rows;
}
using model::name_of;
using model::row_of;

}  // namespace gable::kmaf::live

#pragma once

// Access patterns: which clusters run, and where their data lies (LARM paper, section 2, figure 2). One row
// per pattern, in the order of tables.

#include <span>

#include "model/domain/table.hpp"

namespace gable::model {

enum class Pattern {
  cache,
  local,
  local_all,
  remote,
  contended,
  congested,
  hybrid,
  hybrid_all,
  ladder,
  core,
  mix
};

/// Where the data of a cluster lies.
enum class Data {
  registers,   ///< nowhere: it computes in registers alone
  cache,       ///< in a cache
  any_size,    ///< in a cache or on its own node, by the working set
  own_node,    ///< on a node that is local to the cluster
  other_node,  ///< on a node that is not
  one_node,    ///< on a node that all clusters use
  all_nodes,   ///< interleaved over all nodes of a tier, or of all tiers
  shares       ///< on several nodes in given shares
};

struct PatternRow {
  Pattern value;
  std::string_view name;
  std::string_view words;  ///< on a screen
  std::string_view label;  ///< in a chart
  std::string_view brief;  ///< where there is little room
  Data data;
  bool all_clusters;         ///< run at once; otherwise one runs alone
  bool makes_roof;           ///< false: its figures are the steps of a curve, or the cells of a grid
  bool is_computed = false;  ///< from other figures: no record has it, only tables of charts
};
inline constexpr PatternRow pattern_rows[] = {
    {Pattern::cache, "cache", "cache", "cache", "cache", Data::cache, false, true},
    {Pattern::local, "local", "local", "local", "local", Data::own_node, false, true},
    {Pattern::local_all, "local_all", "local, all clusters busy", "local, all busy", "all local",
     Data::own_node, true, true},
    {Pattern::remote, "remote", "remote", "remote", "remote", Data::other_node, false, true},
    {Pattern::contended, "contended", "contended", "contended", "contended", Data::one_node, true, true},
    {Pattern::congested, "congested", "congested", "congested", "congested", Data::all_nodes, true, true},
    {Pattern::hybrid, "hybrid", "hybrid", "hybrid", "hybrid", Data::shares, false, false},
    {Pattern::hybrid_all, "hybrid_all", "hybrid, all clusters busy", "hybrid, all busy", "all hybrid",
     Data::shares, true, false},
    {Pattern::ladder, "ladder", "ladder", "ladder", "ladder", Data::any_size, false, false},
    {Pattern::core, "core", "core", "core", "core", Data::registers, false, true},
    {Pattern::mix, "mix", "mix", "mix", "mix", Data::shares, false, false, true},
};
static_assert(is_in_order(pattern_rows));
constexpr std::span<const PatternRow> table(Pattern) {
  return pattern_rows;
}

/// All clusters of the machine run at once; otherwise one runs alone.
constexpr bool busy_everywhere(Pattern pattern) {
  return row_of(pattern).all_clusters;
}
/// Its figures are roofs; otherwise the steps of a curve, or the cells of a grid.
constexpr bool makes_roof(Pattern pattern) {
  return row_of(pattern).makes_roof;
}
constexpr bool is_in_cache(Pattern pattern) {
  return row_of(pattern).data == Data::cache;
}
/// Its data is too large for caches.
constexpr bool is_in_memory(Pattern pattern) {
  return row_of(pattern).data >= Data::own_node;
}
/// The working set grows from step to step.
constexpr bool is_ladder(Pattern pattern) {
  return row_of(pattern).data == Data::any_size;
}
/// A cell of the grid of two memories.
constexpr bool is_grid(Pattern pattern) {
  return row_of(pattern).data == Data::shares;
}
/// Each cluster has its data on its own nodes.
constexpr bool is_local(Pattern pattern) {
  return row_of(pattern).data == Data::own_node;
}
/// Its node may be one that is not local to the cluster.
constexpr bool may_be_far(Pattern pattern) {
  return row_of(pattern).data == Data::other_node || row_of(pattern).data == Data::one_node;
}
/// A single cluster on one memory node: what it has of that memory by itself.
constexpr bool is_one_to_one(Pattern pattern) {
  return row_of(pattern).data == Data::other_node || (is_local(pattern) && !busy_everywhere(pattern));
}
/// A single cluster with what is its own: registers, caches or own nodes.
constexpr bool is_own(Pattern pattern) {
  return !busy_everywhere(pattern) && row_of(pattern).data <= Data::own_node && !is_ladder(pattern);
}

}  // namespace gable::model

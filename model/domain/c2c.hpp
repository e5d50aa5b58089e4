#pragma once

// What is measured between cores, and how two hardware threads are related. One row each.

#include <span>

#include "model/domain/table.hpp"

namespace gable::model {

enum class C2cMeasure { modified, shared, handoff, increments, lock };

struct C2cMeasureRow {
  C2cMeasure value;
  std::string_view name;
  std::string_view words;  ///< on a screen
  std::string_view unit;   ///< of its figures
  bool is_time;        ///< the figure is the time of a piece of work, the lower the better; otherwise a rate
  bool of_pairs;       ///< between two hardware threads; otherwise among any number of them
  bool has_direction;  ///< the first hardware thread has the line, the second reads it
};
inline constexpr C2cMeasureRow c2c_measure_rows[] = {
    {C2cMeasure::modified, "modified", "modified line", "ns", true, true, true},
    {C2cMeasure::shared, "shared", "shared line", "ns", true, true, true},
    {C2cMeasure::handoff, "handoff", "locked increment, one way", "ns", true, true, false},
    {C2cMeasure::increments, "increments", "contended increments", "M/s", false, false, false},
    {C2cMeasure::lock, "lock", "contended lock", "M/s", false, false, false},
};
static_assert(is_in_order(c2c_measure_rows));
constexpr std::span<const C2cMeasureRow> table(C2cMeasure) {
  return c2c_measure_rows;
}

/// The smallest part of the machine that two hardware threads share, from the inside out.
enum class Relation { core, l2, l3, node, package, machine };

struct RelationRow {
  Relation value;
  std::string_view name;
  std::string_view words;  ///< on a screen
};
inline constexpr RelationRow relation_rows[] = {
    {Relation::core, "core", "same core"},
    {Relation::l2, "L2", "same L2"},
    {Relation::l3, "L3", "same L3"},
    {Relation::node, "node", "same node"},
    {Relation::package, "package", "same package"},
    {Relation::machine, "machine", "other package"},
};
static_assert(is_in_order(relation_rows));
constexpr std::span<const RelationRow> table(Relation) {
  return relation_rows;
}

/// Whose local memory a line is in.
enum class Home { both, first, second, other };

struct HomeRow {
  Home value;
  std::string_view name;
  std::string_view words;  ///< on a screen
};
inline constexpr HomeRow home_rows[] = {
    {Home::both, "both", "node of both"},
    {Home::first, "first", "node of the first"},
    {Home::second, "second", "node of the second"},
    {Home::other, "other", "another node"},
};
static_assert(is_in_order(home_rows));
constexpr std::span<const HomeRow> table(Home) {
  return home_rows;
}
constexpr bool is_at_first(Home home) {
  return home == Home::both || home == Home::first;
}

}  // namespace gable::model

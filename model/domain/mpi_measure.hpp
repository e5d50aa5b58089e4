#pragma once

// What is measured among MPI processes. One row each.

#include <span>

#include "model/domain/table.hpp"

namespace gable::model {

enum class MpiMeasure {
  ping_pong,
  bidirectional,
  barrier,
  allreduce,
  broadcast,
  all_to_all,
  hpccg_weak,
  hpccg_strong
};

struct MpiMeasureRow {
  MpiMeasure value;
  std::string_view name;
  bool is_transfer = false;  ///< of messages between two processes, over their bytes, with a rate in GB/s
  bool is_solver = false;    ///< of a program, with a rate in GFlop/s; otherwise a collective operation
};
inline constexpr MpiMeasureRow mpi_measure_rows[] = {
    {MpiMeasure::ping_pong, "ping-pong", true},
    {MpiMeasure::bidirectional, "bidirectional", true},
    {MpiMeasure::barrier, "barrier"},
    {MpiMeasure::allreduce, "allreduce"},
    {MpiMeasure::broadcast, "broadcast"},
    {MpiMeasure::all_to_all, "all-to-all"},
    {MpiMeasure::hpccg_weak, "HPCCG weak", false, true},
    {MpiMeasure::hpccg_strong, "HPCCG strong", false, true},
};
static_assert(is_in_order(mpi_measure_rows));
constexpr std::span<const MpiMeasureRow> table(MpiMeasure) {
  return mpi_measure_rows;
}

/// Where the processes are.
enum class MpiPlaces { one_node, several_nodes };

struct MpiPlacesRow {
  MpiPlaces value;
  std::string_view name;
};
inline constexpr MpiPlacesRow mpi_places_rows[] = {
    {MpiPlaces::one_node, "inside a node"},
    {MpiPlaces::several_nodes, "between nodes"},
};
static_assert(is_in_order(mpi_places_rows));
constexpr std::span<const MpiPlacesRow> table(MpiPlaces) {
  return mpi_places_rows;
}

}  // namespace gable::model

#pragma once

// mpi.jsonl: what gable-mpi measured among the processes of a launch, a measurement a line.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/domain/mpi_measure.hpp"
#include "model/domain/status.hpp"
#include "model/records/note.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {

struct MpiFigure {
  MpiMeasure what = MpiMeasure::ping_pong;
  MpiPlaces where = MpiPlaces::one_node;
  std::uint64_t bytes = 0;  ///< of a message
  int ranks = 0, nodes = 0;
  int side = 0;                          ///< HPCCG: points along an edge
  std::optional<Estimate> microseconds;  ///< of a message, an operation, an iteration
  std::optional<Estimate> rate;          ///< GB/s of transfers, GFlop/s of HPCCG
  Status status = Status::ok;            ///< or invalid
  Note reason;
  std::string mpi;                  ///< the library
  std::vector<std::string> places;  ///< "n1:3": node and CPU of each process
};

/// A process's clock beside that of the first one.
struct MpiClock {
  std::string node;
  double offset_us = 0, error_us = 0, drift_ppm = 0;
};

struct MpiRecords {
  std::vector<MpiFigure> figures;  ///< the last of each measurement
  std::vector<MpiClock> clocks;    ///< of the last run
};

/// The file's content; nothing if there is no file. Throws Error::format.
MpiRecords read_mpi(const std::string& path);

}  // namespace gable::model

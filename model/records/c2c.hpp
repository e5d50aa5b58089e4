#pragma once

// Records of what it costs when a line moves between cores. `gable measure` writes them to c2c.jsonl.

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/domain/c2c.hpp"
#include "model/domain/status.hpp"
#include "model/records/note.hpp"

namespace gable::model {

/// A class of pairs of hardware threads that the topology describes as alike.
struct PairClass {
  Relation relation = Relation::core;
  double distance = 0;  ///< between their memory nodes, as the firmware says; 0: one node, or not known
  std::string kinds;    ///< of their cores where the machine has several: "P", "E and P"; else empty

  auto operator<=>(const PairClass&) const = default;
};

/// "same L3", "other package, distance 32", "same node, E and P"
std::string name_of(const PairClass& between);

/// A measurement of a line between hardware threads.
struct C2cCase {
  C2cMeasure measure = C2cMeasure::handoff;
  /// Os indices. Of a pair with a direction: the one that has the line, and the one that reads it.
  std::vector<unsigned> pus;
  int node = -1;           ///< the line's home: os index of its memory node; -1: anywhere
  Home home = Home::both;  ///< of a pair: whose node that is
  PairClass between;       ///< of a pair

  bool operator==(const C2cCase&) const = default;
};

/// The Case's identity, on one line.
std::string key(const C2cCase& spec);

/// "modified line, CPU 3 to 7, on node 1"
std::string words_of(const C2cCase& spec);

/// The result of one visit to a C2cCase.
struct C2cSample {
  C2cCase spec;
  int round = 0;
  Status status = Status::ok;
  Note reason;
  std::vector<double> seconds;     ///< of each kept repetition
  std::vector<double> work;        ///< lines read; hand-offs, one way; increments; acquisitions of the lock
  std::vector<double> by_threads;  ///< increments, lock: the work of each thread in the kept repetitions
  int disturbed = 0;               ///< repetitions dropped because a thread was stopped
  double clock_ghz = 0;            ///< measured beside the repetitions; 0: not measured
  double adds_per_cycle = 0;       ///< of the most crowded core (crowding.hpp); 0: not probed
  double steal_percent = 0;        ///< CPU time that the hypervisor took away, of all CPUs used
  std::vector<unsigned> cpus;      ///< on which the threads ran
  std::map<int, std::uint64_t> node_bytes;  ///< where the pages of the lines were seen to be
  Notes notes;
  std::string started;  ///< UTC, ISO 8601

  bool operator==(const C2cSample&) const = default;
};

}  // namespace gable::model

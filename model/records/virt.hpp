#pragma once

// Records of what virtualization costs: page walks, mapping, noise and programs. `gable measure --only virt`
// writes them to virt.jsonl.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/domain/hypervisor.hpp"
#include "model/domain/status.hpp"
#include "model/domain/virt_measure.hpp"
#include "model/domain/virt_pages.hpp"
#include "model/records/note.hpp"

namespace gable::model {

/// A measurement of the virtualization set.
struct VirtCase {
  VirtKind kind = VirtKind::environment;
  /// The measurement, as in virt_measures or of a later version. walk: "latency" is one line of each 4 KiB,
  /// dependent; "bandwidth" the same lines by several chains; "packed" as many lines, 32 of them in 4 KiB.
  std::string what;
  VirtPages pages = VirtPages::none;
  int cpu = -1;             ///< noise: the CPU; otherwise -1
  std::uint64_t bytes = 0;  ///< walk: spanned by the lines; program: of its arrays; map: of the mapping

  bool operator==(const VirtCase&) const = default;
};

/// An interruption of a thread that does nothing but read the clock.
struct Detour {
  double begin_us = 0;   ///< since the record began
  double length_us = 0;  ///< beyond the shortest pass of the loop

  bool operator==(const Detour&) const = default;
};

/// The result of one visit to a VirtCase.
struct VirtSample {
  VirtCase spec;
  int round = 0;
  Status status = Status::ok;
  Note reason;
  std::vector<double> seconds;  ///< of each repetition; noise: the length of the record
  /// walk: accesses; map: calls, pages of "first touch", switches; program: updates, bytes, flops;
  /// noise: passes of the loop
  std::vector<double> work;
  int disturbed = 0;                         ///< repetitions dropped because something else ran
  double steal_percent = 0;                  ///< CPU time that the hypervisor took away; noise: of this CPU
  double threshold_us = 0;                   ///< noise: shorter detours are not recorded
  double pass_ns = 0;                        ///< noise: the shortest pass of the loop
  std::vector<Detour> detours;               ///< noise: in order
  std::map<std::string, double> interrupts;  ///< noise: on this CPU during the record, by the kernel's name
  std::map<std::string, std::string> facts;  ///< environment: what the system tells; program: its parameters
  Hypervisor hypervisor = Hypervisor::unknown;  ///< environment
  std::string verified;                         ///< program: how the result was checked
  Notes notes;
  std::string started;  ///< UTC, ISO 8601

  bool operator==(const VirtSample&) const = default;
};

/// Its row; of what this version does not know, as far as its kind tells.
VirtMeasure measure_of(const VirtCase& spec);

/// The VirtCase's identity, on one line.
std::string key(const VirtCase& spec);

}  // namespace gable::model

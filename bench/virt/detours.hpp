#pragma once

// Selfish detour: a thread reads the clock without pause and records the gaps that are longer than a pass of
// its loop can be. Each is time that the kernel, an interrupt, another process or the hypervisor took.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/records/virt.hpp"

namespace gable::bench {

/// Times of a thread by its own clock.
struct DetourRecord {
  double seconds = 0;        ///< of the record
  std::uint64_t passes = 0;  ///< of the loop
  double pass_ns = 0;        ///< the shortest one
  double threshold_us = 0;
  std::vector<model::Detour> detours;
};

/// Longest record, in detours: what comes later ends the record early, so that files stay small.
inline constexpr std::size_t most_detours = 4096;

/// Records on this thread for `seconds`, or up to most_detours, or until `stop`. A detour is a gap longer
/// than `threshold` times the shortest pass, and at least 0.15 us.
DetourRecord record_detours(double seconds, double threshold, const std::atomic<bool>& stop);

/// Interrupts of this CPU since boot, by the kernel's name and description: "LOC Local timer interrupts".
std::map<std::string, double> interrupts_of(unsigned cpu);

/// Time that the hypervisor took from this CPU since boot, in seconds, in steps of 10 ms.
double stolen_seconds(unsigned cpu);

}  // namespace gable::bench

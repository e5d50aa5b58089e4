#pragma once

// What each part of a program needs of the parts of a machine, by the machine's roofs.

#include <array>
#include <string>
#include <vector>

#include "model/points/limits/limits.hpp"
#include "model/predict/work.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {

/// How the seconds are computed: from the values of the roofs, or from one end of their intervals (`fast`,
/// `slow`); or with as much overlap of waiting loads as possible (`overlapped`) or as little as possible
/// (`alone`). The overlap is a property of the program, so it is the same on every machine.
enum class RoofEnd { value, fast, slow, overlapped, alone };
inline constexpr int roof_ends = 5;

/// The time that one part of the machine needs by itself.
struct NeedTime {
  enum class Group {
    core,      ///< arithmetic, instructions, the first cache
    transfer,  ///< between caches, and with the memory
    random,    ///< lines of memory without an order; they are transfers, too
    chain,     ///< loads that wait for each other
    flush,     ///< mispredicted branches, which add to the core's time
    cores,     ///< lines that other cores have changed
    wait,      ///< loads that decide mispredicted branches, which add to the core's time, too
    walks      ///< of pages
  };
  Group group = Group::core;
  std::string what;                         ///< "local memory", "L3", "arithmetic"
  std::string unit;                         ///< the same for all memories: "memory", "L3", "arithmetic"
  std::array<double, roof_ends> seconds{};  ///< by RoofEnd
  bool of_peak = false;                     ///< arithmetic at its peak
};

/// What a part of a program needs.
struct PartNeeds {
  std::string name;
  std::vector<NeedTime> needs;
  double instruction_bytes = 0;  ///< loaded and stored by instructions
  std::uint64_t loop = 0;        ///< as WorkPart::loop
};

/// The needs of the same part of the program among others, or the end of these.
std::vector<PartNeeds>::iterator same_part(std::vector<PartNeeds>& among, const PartNeeds& part);

/// A machine, and how the program uses it.
struct Place {
  const Roofs* roofs = nullptr;
  MixModel hybrid;
};

/// The needs of each part at the roofs of the place. Of a program of all clusters those of the cluster that
/// takes longest.
std::vector<PartNeeds> needs_of_parts(const Place& place, const WorkParts& parts);

}  // namespace gable::model

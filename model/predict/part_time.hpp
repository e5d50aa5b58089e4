#pragma once

// The time of each part of a program on a machine, from what the machine's roofs say that it needs.

#include <array>
#include <map>
#include <string>
#include <vector>

#include "model/points/limits/limits.hpp"
#include "model/predict/parameters.hpp"
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
    wait,      ///< loads that decide mispredicted branches
    walks      ///< of pages
  };
  Group group = Group::core;
  std::string what;                         ///< "local memory", "L3", "arithmetic"
  std::string unit;                         ///< the same for all memories: "memory", "L3", "arithmetic"
  std::array<double, roof_ends> seconds{};  ///< by RoofEnd
};

/// What a part of a program needs.
struct PartNeeds {
  std::string name;
  std::vector<NeedTime> needs;
  double instruction_bytes = 0;  ///< loaded and stored by instructions
};

/// A machine, and how the program uses it.
struct Place {
  const Roofs* roofs = nullptr;
  MixModel hybrid;
};

/// The needs of each part at the roofs of the place. Of a program of all clusters those of the cluster that
/// takes longest.
std::vector<PartNeeds> needs_of_parts(const Place& place, const WorkParts& parts);

/// How the times of a part are combined.
struct Overlap {
  double exposed = PredictParameters().exposed;
  double core = PredictParameters().core;
  double chains = 1;  ///< that are followed at once
};

/// The largest need, and the part of the others that it does not hide. Lines of memory that have no order or
/// wait count with their own need instead of with the memory's bandwidth.
struct PartTime {
  double seconds = 0;
  std::string binds;  ///< the largest need
};
PartTime predicted_time(const PartNeeds& part, const Overlap& overlap, RoofEnd end);

/// The sum over the parts.
double predicted_time(const std::vector<PartNeeds>& parts, const Overlap& overlap,
                      RoofEnd end = RoofEnd::value);

/// The sum over the parts of each unit's time.
std::map<std::string, double> unit_times_of(const std::vector<PartNeeds>& parts);

/// Makes the core's needs the same on two machines. What only the second one has a roof for is taken out.
/// What only the first one has, is as long on the second one as `factor` says, at most `most` times longer or
/// shorter. Returns the units of these: "the divider".
std::vector<std::string> align_core(const std::vector<PartNeeds>& here, std::vector<PartNeeds>& there,
                                    double factor, double most);

/// The sum over the parts of their largest need of the core.
double core_time(const std::vector<PartNeeds>& parts);

}  // namespace gable::model

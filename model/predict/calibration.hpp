#pragma once

// What the time on one machine tells of a program, so that its time on another one follows.

#include <map>
#include <string>
#include <vector>

#include "model/predict/needs/part_time.hpp"

namespace gable::model {

struct Calibration {
  double chains = 1;  ///< that were followed at once
  double scale = 1;   ///< of the time that the roofs say, where the program took less
  double excess = 0;  ///< seconds in user mode that no roof explains
  double kernel = 0;  ///< seconds in the kernel
  double data = 0;    ///< seconds that the transfers need by themselves
  double least = 1;   ///< part of its largest need that each function took at the least: 1 if the roofs hold
  double explained = 1;  ///< part of the time
  /// Of units of the cores that need more than the whole time, such as loads of what was just stored: the
  /// part that they took at most.
  std::map<std::string, double> held;

  /// The needs, with the units of `held` as much shorter.
  std::vector<PartNeeds> held_back(std::vector<PartNeeds> parts) const;
  /// Seconds for needs that are held back. `core` is the time of the core as a part of that before. Of what
  /// is not explained, as much as the transfers need may wait for them (`waits`); the rest is the core's.
  double time(const std::vector<PartNeeds>& parts, double core, bool waits, RoofEnd end) const;
  /// The part of it that no roof explains.
  double excess_time(const std::vector<PartNeeds>& parts, double core, bool waits) const;
};

/// From the needs where the Point was timed. If they say more time than it took, several chains were followed
/// at once; if that does not suffice, everything takes less than the roofs say, but no function takes less
/// than its largest need, unless it did so here. `carried`: the part of the logarithm of the time, over what
/// the roofs say, that holds where it is used.
Calibration calibrated(const std::vector<PartNeeds>& parts, const Point& point, RoofEnd end,
                       double carried = 1);

}  // namespace gable::model

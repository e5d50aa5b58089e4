#pragma once

// The time of each part of a program on a machine, from what it needs there.

#include <map>
#include <string>
#include <vector>

#include "model/predict/needs/part_needs.hpp"
#include "model/predict/parameters.hpp"

namespace gable::model {

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
/// shorter. Returns one need of each of their units.
std::vector<NeedTime> align_core(const std::vector<PartNeeds>& here, std::vector<PartNeeds>& there,
                                 double factor, double most);

/// The sum over the parts of their largest need of the core.
double core_time(const std::vector<PartNeeds>& parts);

}  // namespace gable::model

#pragma once

// The times that a program may take: from its needs there alone, or also from its time here.

#include <vector>

#include "model/predict/calibration.hpp"
#include "model/predict/possible.hpp"

namespace gable::model {

class PossibleTimes {
 public:
  /// `here`: where it was timed; nullptr: nowhere. `by_clock`: core_speed(). `has_peaks`: whether the machine
  /// there has peaks.
  PossibleTimes(const Setting& there, const Setting* here, double by_clock, bool has_peaks)
      : there_(there), here_(here), by_clock_(by_clock), has_peaks_(has_peaks) {}

  /// All times that are possible with these ends of the roofs here and there.
  std::vector<double> of(const NeedsPair& pair, RoofEnd here, RoofEnd there) const;

  /// The most likely one of such times. Loads that wait for each other count as one chain, unless a measured
  /// time shows that there are several.
  double likely(const std::vector<double>& times) const;

  /// The core's time there, as parts of that here: by its needs and by the clock. Only with a time here.
  std::vector<double> core_ratios(const NeedsPair& pair) const;

  /// What the time here tells, with the most likely waiting. Only with a time here.
  Calibration calibration(const NeedsPair& pair) const;

 private:
  double carried() const;
  std::vector<double> waiting_that_ends() const;
  std::vector<double> kernel_parts(double kernel) const;

  const Setting& there_;
  const Setting* here_;
  double by_clock_;
  bool has_peaks_;
};

/// Between the least and the most of them.
double middle_of(const std::vector<double>& times);

}  // namespace gable::model

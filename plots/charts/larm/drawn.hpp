#pragma once

// What the Locality-Aware Roofline chart draws of one machine, and what follows from it for the axes.

#include <string>
#include <vector>

#include "model/records/records.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/larm/frame.hpp"
#include "plots/charts/recorded.hpp"

namespace gable::charts {

/// The roofs of flops; or those of accesses, where rates of random loads are bandwidths, in lines.
enum class RoofKinds { bandwidths_and_peaks, bandwidths_and_random_loads };

struct DrawnRoofs {
  std::string machine;               ///< that is drawn over the chart's own; empty: the chart's own
  std::vector<model::Roof> roofs;    ///< bandwidths by value, then peaks
  std::vector<model::Roof> oblique;  ///< the ok bandwidths
  Extremes bandwidth, peak;
  double ridge_peak = 0;  ///< GFlop/s: in double precision where it was measured; 0: no peak is known
  int missing = 0;        ///< roofs that are skipped or invalid

  /// How a roof is drawn: those of another machine all in one grey, dashed.
  Style style_of(const model::Roof& roof) const;
  /// "DRAM node 0, local"; of another machine "joe0: DRAM node 0, local".
  std::string name_of(const model::Roof& roof) const;
};

/// The roofs of the recorded machine's cluster, with those of applications whose data lies in several
/// memories.
DrawnRoofs drawn_roofs(const Recorded& recorded, int cluster,
                       RoofKinds kinds = RoofKinds::bandwidths_and_peaks);

/// Those of the overlay, of the cluster of the same number or, where it has none, of its first.
DrawnRoofs overlaid_roofs(const Recorded& recorded, int cluster,
                          RoofKinds kinds = RoofKinds::bandwidths_and_peaks);

}  // namespace gable::charts

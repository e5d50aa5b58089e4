#pragma once

// Latencies and rates of random loads that were measured for where a Point's data lies.

#include <functional>
#include <optional>

#include "model/records/records.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {

/// The least and the most of what was measured: with the sizes of pages that the data may be on, if there are
/// such figures.
struct MeasuredRange {
  double lo = 0, hi = 0;
  double value = 0;  ///< the most likely; 0: nothing between both is more likely
};

/// Which sizes of pages count; nothing: those that the Point's data may be on.
using PagesFilter = std::function<bool(Pages)>;

/// Whether it is an ok latency of the level for the cluster alone.
bool is_latency_of(const Roof& roof, int cluster, const Level& level);

/// Nanoseconds of a level for one cluster alone; that of memory comes from the nodes of the data.
std::optional<MeasuredRange> latency_of(const Roofs& roofs, const Point& point, int cluster,
                                        const Level& level, const PagesFilter& pages = {});

/// Million random lines per second, for the cores that the Point used. Where these lie between two measured
/// numbers of threads, the rate is at most in proportion to the fewer ones, which is most likely, and at
/// least on the straight line between both. Lines whose spans are shorter than what was measured
/// (latency_at()) may come as much faster as their latency is lower; 0: not known.
std::optional<MeasuredRange> random_rate(const Roofs& roofs, const Point& point, int cluster,
                                         const PagesFilter& pages = {}, double span = 0);

}  // namespace gable::model

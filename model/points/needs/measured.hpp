#pragma once

// Latencies and rates of random loads that were measured for where a Point's data lies.

#include <functional>
#include <optional>

#include "model/records/point.hpp"
#include "model/records/records.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {

/// The least and the most of what was measured: with the sizes of pages that the data may be on, if there are
/// such figures.
struct MeasuredRange {
  double lo = 0, hi = 0;
  double value = 0;  ///< the most likely value; 0: none is more likely than others
};

/// Which sizes of pages count; nothing: those that the Point's data may be on.
using PagesFilter = std::function<bool(Pages)>;

/// Whether it is an ok latency of the level for the cluster alone.
bool is_latency_of(const Roof& roof, int cluster, const Level& level);

/// Nanoseconds of a level for one cluster alone; that of memory, and of a cache in front of it, is the mean
/// of the nodes of the data, by their parts of it.
std::optional<MeasuredRange> latency_of(const Roofs& roofs, const Point& point, int cluster,
                                        const Level& level, const PagesFilter& pages = {});

/// Million random lines per second from the memory or a cache in front of it, for the cores that the Point
/// used; of data on several nodes, the time of a line is the mean of theirs. If their number lies between two
/// measured numbers of threads, the rate is at most, and most likely, in proportion to that of the smaller
/// number, and at least on the straight line between both. Lines with a shorter span than the size of the
/// measurement may be faster by the ratio of the latencies (latency_at()). A span of 0 is not known.
std::optional<MeasuredRange> random_rate(const Roofs& roofs, const Point& point, int cluster,
                                         const Level& level, const PagesFilter& pages = {}, double span = 0);

}  // namespace gable::model

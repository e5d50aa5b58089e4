#pragma once

// The time of lines that other cores have changed.

#include <optional>

#include "model/predict/needs/part_time.hpp"
#include "model/records/point.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {

/// Each of them takes a hand-off, and some are under way together, as loads of the memory are: lines in order
/// as many as random loads were measured to be, and lines without an order as many as are among the
/// instructions that a core works on (model/points/needs/stalls/window.hpp). Chained lines come one after the
/// other, and other work goes on meanwhile for at most half of their time. Nothing for a Point without such
/// lines, for fewer than one thread of the cluster, and if no hand-off was measured.
std::optional<NeedTime> changed_lines_need(const Roofs& roofs, const Point& point, int cluster);

/// Threads meet at barriers so many times. Each time takes some hand-offs, and half as many more for each
/// thread beyond two if they arrive one after the other. Nothing for one thread, and if no hand-off was
/// measured.
std::optional<NeedTime> meetings_need(const Roofs& roofs, const Point& point, double meetings);

}  // namespace gable::model

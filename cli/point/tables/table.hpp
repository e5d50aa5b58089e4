#pragma once

// Points as text for people.

#include <string>
#include <vector>

#include "base/tables/table.hpp"
#include "model/points/binding.hpp"
#include "model/records/point.hpp"

namespace gable::cli {

/// "cluster 0, 2 threads, interleave, counted by valgrind".
std::string who_text(const model::Point& point);

/// ", recorded 2026-11-25 07:23 UTC"; empty where the time is not known.
std::string recorded_clause(const model::Point& point);

/// Where its accesses to memory go; empty if that is not known.
std::string access_text(const model::Point& point);

/// How much faster it is than the point that it is from, one of `all`, or that flops or bytes differ by more
/// than 2 %; empty if that point is not among them.
std::string gain_text(const model::Point& point, const std::vector<model::Point>& all);

/// What a table of points lists besides.
struct Details {
  bool functions = false, objects = false;
  bool say_missing = false;  ///< also say of which points these are not known
  bool times = false;        ///< of functions: at least those that take most time, if that was measured
};

/// A table by point: what binds it and what to do, where it stands, what it gained over the point that it is
/// from, one of `all`, its roof with the headroom, the remarks of the verdict, and its notes. Points that
/// were made together, such as those of the regions of a program, have the notes of all of them once.
std::string point_table(const std::vector<model::Point>& points, const std::vector<model::Reading>& readings,
                        const std::vector<model::Point>& all, const Details& details = {});

/// A line for each point: where it stands, and the roof that binds it with the headroom.
std::string summary_table(const std::vector<model::Point>& points,
                          const std::vector<model::Reading>& readings);

/// The functions with a twentieth of the time or more, `most` at most, then the kernel and other code: time,
/// largest need, what remains. Empty if the functions' time was not measured; the reason is in the notes.
Table function_times(const model::Point& point, const model::Reading& reading, std::size_t most);

/// The functions of a point with their work and intensity, and what each needs most of the time, those of the
/// dynamic loader together; of many, the first. Empty where none were counted.
std::string function_table(const model::Point& point, const model::Reading& reading);

/// The objects of a point that matter most: their size, and the bytes that pass between each level and the
/// caches before it; of the memory also the share of the point and of reads and writes. Empty without
/// objects.
std::string object_table(const model::Point& point);

}  // namespace gable::cli

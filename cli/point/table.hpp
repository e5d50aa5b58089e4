#pragma once

// Points as text for people.

#include <string>
#include <vector>

#include "model/points/binding.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

/// "cluster 0, 2 threads, interleave, counted by valgrind".
std::string who_text(const model::Point& point);

/// ", recorded 2026-11-25 07:23 UTC"; empty where the time is not known.
std::string recorded_clause(const model::Point& point);

/// How much faster it is than the point that it is from, one of `all`, or that flops or bytes differ by more
/// than 2 %; empty if that point is not among them.
std::string gain_text(const model::Point& point, const std::vector<model::Point>& all);

/// For each point: where it stands, what it gained over the point that it is from, one of `all`, the roof
/// that binds it with the headroom, the cause, and its notes.
std::string point_table(const std::vector<model::Point>& points, const std::vector<model::Reading>& readings,
                        const std::vector<model::Point>& all);

/// The functions of a point with their work and intensity; of many, the first. Empty where none were counted.
std::string function_table(const model::Point& point);

}  // namespace gable::cli

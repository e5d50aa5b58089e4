#pragma once

// The functions and objects of a point as text for people.

#include <string>

#include "base/tables/table.hpp"
#include "model/points/binding.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

/// "62 % (59 to 65)": the share of the CPU time; "-" without samples.
Cell time_cell(const model::Samples& all, double samples);

/// "82 % local memory": what a function needs most, as a part of the program's time, with bounds that are far
/// apart; "-": not known.
std::string need_text(const model::FunctionReading* reading);

/// "9 % (binds)": the part of its time that the largest need does not take, and the verdict; "-": not known.
std::string remains_text(const model::FunctionReading* reading);

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

#pragma once

// The measured time of a point's functions as a table.

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

}  // namespace gable::cli

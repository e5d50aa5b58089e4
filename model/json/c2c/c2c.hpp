#pragma once

// c2c.jsonl: the visits to lines that move between cores, one per line, appended when measured.

#include <string>
#include <string_view>
#include <vector>

#include "model/c2c/classes.hpp"
#include "model/records/c2c.hpp"

namespace gable::model {

/// Writes one visit as a line of JSON without the newline, and reads it (`where` is "file:line" for the
/// error). Both throw Error::format for a visit that contradicts itself.
std::string c2c_sample_to_line(const C2cSample& sample);
C2cSample c2c_sample_from_line(std::string_view line, const std::string& where);

/// The visits of a c2c.jsonl in order; none if there is no file. Throws Error::format for any broken line.
std::vector<C2cSample> read_c2c_samples(const std::string& path);

/// An object with the figures of classes, of threads that contend, and the pairs that differ from their
/// class, as `gable show --json` prints it.
std::string c2c_figures_to_json(const std::vector<C2cFigure>& figures);

}  // namespace gable::model

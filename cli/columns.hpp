#pragma once

// Tables for people: figures and columns.

#include <string>
#include <vector>

namespace gable::cli {

using Cells = std::vector<std::string>;

/// Lines of equally many cells in columns as wide as their widest cell, indented by two; the first `left`
/// columns are flush left, as is the last one when `left_end`; the others flush right.
std::string aligned(const std::vector<Cells>& lines, std::size_t left, bool left_end = true);

/// Four digits, as many of them behind the point as fit, at most two.
std::string number(double value);

}  // namespace gable::cli

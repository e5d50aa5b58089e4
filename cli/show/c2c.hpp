#pragma once

// Figures between cores, for a screen or a page.

#include <string>
#include <vector>

#include "base/tables/table.hpp"
#include "model/c2c/classes.hpp"

namespace gable::cli {

/// "Between cores: same L3 18 ns, same node 92, other package 210 (locked increment, one way)": hand-offs of
/// each class, with the line on the node of the first. Empty without figures.
std::string c2c_sentence(const std::vector<model::C2cFigure>& figures);

/// A line for each class and home of the line, with all measures; the pairs that differ are in the notes.
Table c2c_table(const std::vector<model::C2cFigure>& figures);

/// Contended increments and locks by the number of threads.
Table c2c_groups_table(const std::vector<model::C2cFigure>& figures);

/// All of it for a screen; empty without figures.
std::string c2c_text(const std::vector<model::C2cFigure>& figures);

}  // namespace gable::cli

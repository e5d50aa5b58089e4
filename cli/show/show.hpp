#pragma once

// gable show DIR: what a recorded folder says, writing nothing.

#include <string>
#include <vector>

#include "base/tables/table.hpp"
#include "cli/show/recorded.hpp"
#include "model/c2c/classes.hpp"

namespace gable::cli {

// The first screen of gable show.

/// "Intel Xeon E5-2650L v4, 4 clusters of 7 cores, 4 memory nodes"; empty where it is not known.
std::string machine_text(const ShownFolder& shown);

/// "joe0: Intel Xeon E5-2650L v4, 4 clusters of 7 cores, 4 memory nodes", and what a reader must know.
std::string head_text(const ShownFolder& shown);

/// The matrices, the summary of the roofs and what was not measured; empty where there are no roofs.
std::string screen_text(const ShownFolder& shown);

// What gable show prints, as one JSON document.

/// The figures of the first screen with the fields of roofs.json; with `all` the records of every file.
std::string shown_json(const ShownFolder& shown, bool all);

struct ShowArguments {
  std::string folder;
  bool all = false;   ///< every table
  bool json = false;  ///< print JSON instead of tables
};

/// Prints the matrices of the memories and a summary of the roofs, or everything. Throws Error::usage,
/// Error::format.
void show(const ShowArguments& arguments);

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

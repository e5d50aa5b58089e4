#pragma once

// A table with a title and notes, for a screen or a page.

#include <string>
#include <vector>

#include "cli/text/columns.hpp"

namespace gable::cli {

/// Lines of equally many cells, the first of which are the names of the columns.
struct TitledTable {
  std::string title;
  std::vector<Cells> lines;
  std::size_t left = 1;            ///< columns that are flush left
  std::vector<std::string> notes;  ///< sentences below it
  bool left_end = true;            ///< the last column is flush left, too

  bool empty() const { return lines.size() < 2; }
};

/// The text for a screen, without the table if it has no lines; empty without lines and notes. `after`: a
/// blank line behind it.
std::string titled_text(const TitledTable& table, bool after = true);

}  // namespace gable::cli

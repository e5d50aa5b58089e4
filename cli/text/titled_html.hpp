#pragma once

// A titled table on a page.

#include <string>

#include "cli/text/titled_table.hpp"

namespace gable::cli {

/// The table, if it has lines, and its notes as paragraphs of this class.
std::string titled_html(const TitledTable& table);

}  // namespace gable::cli

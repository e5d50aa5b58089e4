#pragma once

// How gable kmaf replay shows its results: names, tables, JSON.

#include <string>
#include <vector>

#include "kmaf/replay/result.hpp"

namespace gable::cli {

/// A name for each trace, for tables over several traces and for charts: the file name without extension.
/// If names are equal, enough of the path is added to distinguish them ("a-g", "b-g"; "g.csv",
/// "g.trace"). Throws Error::usage if a file is named twice.
std::vector<std::string> program_names(const std::vector<std::string>& traces);

/// Every policy compared with the OS, for one trace.
void print_table(const kmaf::ReplayResult& result);
/// Time of every program under every policy relative to the OS, and the means of every measure; `with_paper`:
/// beside those that the kMAF paper prints.
void print_programs(const std::vector<kmaf::ReplayResult>& programs, bool with_paper);

/// A single result as an object, several as a list with their means; docs/formats/kmaf.md describes it.
void print_json(const std::vector<kmaf::ReplayResult>& programs, bool with_paper);

}  // namespace gable::cli

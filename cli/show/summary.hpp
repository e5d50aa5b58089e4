#pragma once

// The tables of the first screen, as gable show prints them and gable report writes them.

#include <string>
#include <vector>

#include "cli/show/blocks.hpp"
#include "cli/show/shown_roofs.hpp"

namespace gable::cli {

/// Tables with common rows.
struct ShownTable {
  std::string title;
  std::vector<std::string> labels;  ///< of the lines
  std::vector<std::string> places;  ///< the same without operation and unit: "DRAM, local"
  std::vector<Table> blocks;        ///< those without columns have no figure
  std::string note;                 ///< a sentence below it
};

/// Clusters by nodes; no labels where there is at most one figure of a kind.
ShownTable matrix_table(const ShownMatrix& matrix);

/// The lines of which a figure is known: a column for each cluster or, with many clusters, for each kind of
/// cores, with the range over its clusters.
ShownTable summary_table(const std::vector<ShownLine>& lines, const CoreKinds& kinds);

/// Whether any figure of the line is known.
bool is_known(const ShownLine& line);

/// "Peaks and bandwidths: 16 threads. The figures of LARM table 3. ± is as published."
std::string conditions_of(const ShownMatrix& matrix, const std::vector<ShownLine>& lines);

/// Lines and clusters without any figure.
std::vector<std::string> unknown_words(const ShownFolder& shown, const std::vector<ShownLine>& lines);

}  // namespace gable::cli

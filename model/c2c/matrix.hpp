#pragma once

// Figures of pairs as a matrix.

#include <vector>

#include "model/c2c/classes.hpp"

namespace gable::model {

/// Hardware threads that share a row and a column: those of a core, or of several.
using PuGroup = std::vector<unsigned>;

/// [i][j]: from group i, which has the line, to group j, in nanoseconds: the median of the pairs that were
/// measured with the line on the node of the first. Not a number where no pair was. Of a measure without a
/// direction the matrix is symmetric. The diagonal has pairs within a group.
std::vector<std::vector<double>> c2c_matrix(const std::vector<C2cFigure>& figures, C2cMeasure measure,
                                            const std::vector<PuGroup>& groups);

}  // namespace gable::model

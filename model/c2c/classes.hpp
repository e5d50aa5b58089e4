#pragma once

// Figures between cores: of every Case, of classes of pairs, and the pairs that differ from their class.

#include <string>
#include <vector>

#include "model/records/c2c.hpp"
#include "model/roofs/roofs.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {

/// The figure from all visits to a C2cCase, in the unit of its measure.
struct C2cFigure {
  C2cCase spec;
  Status status = Status::ok;
  Note reason;          ///< of the first visit that is not ok, if none is
  Estimate estimate;    ///< without a meaning if the status is not ok
  int visits = 0;       ///< that are ok
  double fairness = 0;  ///< increments, lock: Jain's index, 1 of equal shares, 1/N if one thread has all

  bool operator==(const C2cFigure&) const = default;
};

/// The figures of all measurements, in the order of their first visits.
std::vector<C2cFigure> c2c_figures(const std::vector<C2cSample>& samples);

/// Jain's fairness index of N shares: the square of their sum, divided by N times the sum of their squares
/// (Jain, Chiu and Hawe 1984).
double fairness_index(const std::vector<double>& shares);

/// The figure of a class of pairs, without the pairs that differ from it.
struct C2cClassFigure {
  PairClass between;
  C2cMeasure measure = C2cMeasure::handoff;
  Home home = Home::both;
  Estimate estimate;           ///< of the pairs' median; of one pair: both directions' intervals together
  double least = 0, most = 0;  ///< of the pairs
  int pairs = 0, visits = 0;   ///< visits: the most of a pair
};

/// By class, measure and home.
std::vector<C2cClassFigure> c2c_classes(const std::vector<C2cFigure>& figures);

/// A pair whose hand-offs leave the interval of its class: the median of all its pairs with the same home,
/// plus and minus six median absolute deviations or a tenth of the median, whichever is more. Fewer than four
/// pairs give no interval.
struct C2cOutlier {
  C2cFigure figure;
  double lo = 0, hi = 0;  ///< the interval of its class
};

/// The furthest outside first.
std::vector<C2cOutlier> c2c_outliers(const std::vector<C2cFigure>& figures);

/// Their Cases, from the visits.
std::vector<C2cCase> c2c_differing(const std::vector<C2cSample>& samples);

/// "CPU 3 and 77: 412 ns; same L3: 18 to 22"
std::string words_of(const C2cOutlier& outlier);

/// Hardware threads that share a row and a column: those of a core, or of several.
using PuGroup = std::vector<unsigned>;

/// [i][j]: from group i, which has the line, to group j, in nanoseconds: the median of the pairs that were
/// measured with the line on the node of the first. Not a number where no pair was. Of a measure without a
/// direction the matrix is symmetric. The diagonal has pairs within a group.
std::vector<std::vector<double>> c2c_matrix(const std::vector<C2cFigure>& figures, C2cMeasure measure,
                                            const std::vector<PuGroup>& groups);

/// Sets `line_in_cluster` and `line_between_clusters` of the roofs, where classes of hand-offs tell them: the
/// median of the classes, and the lowest and the highest of their intervals. A program that changes a line
/// after another core takes it away from that core, as a hand-off does.
void add_changed_lines(const std::vector<C2cClassFigure>& classes, Roofs& roofs);

/// The nanoseconds of a line for a program of this cluster, or of all `clusters` (-1), whose threads share
/// their data with all others alike.
std::optional<Estimate> changed_line(const Roofs& roofs, int cluster, int clusters);

}  // namespace gable::model

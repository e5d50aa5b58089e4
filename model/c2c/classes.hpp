#pragma once

// Figures between cores: of every Case, of classes of pairs, and the pairs that differ from their class.

#include <string>
#include <vector>

#include "model/records/c2c.hpp"
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
  Estimate estimate;           ///< of the pairs' median
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

}  // namespace gable::model

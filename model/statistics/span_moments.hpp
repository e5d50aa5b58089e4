#pragma once

// How far the spans of a level's lines spread. The span of a line is the number of bytes that a thread uses
// between two uses of it.

#include <cmath>

namespace gable::model {

/// Sums over bytes, each times a power of the binary logarithm of its line's span in bytes. Sums without
/// squares are of unknown spread.
struct SpanSums {
  double bytes = 0, logs = 0, squares = 0, cubes = 0;

  SpanSums& operator+=(const SpanSums& more) {
    return *this = {bytes + more.bytes, logs + more.logs, squares + more.squares, cubes + more.cubes};
  }
  SpanSums& operator*=(double part) {
    return *this = {part * bytes, part * logs, part * squares, part * cubes};
  }
  SpanSums operator-(const SpanSums& less) const {
    return {bytes - less.bytes, logs - less.logs, squares - less.squares, cubes - less.cubes};
  }
  void add(double more, double log) { *this += {more, more * log, more * log * log, more * log * log * log}; }
};

/// Mean and standard deviation of the binary logarithms, and their skewness: the third central moment over
/// the cube of the deviation.
struct SpanMoments {
  double mean = 0, deviation = 0, skewness = 0;
};

/// The sums must have bytes. The deviation is 0 if the spread is not known.
inline SpanMoments moments_of(const SpanSums& sums) {
  SpanMoments moments{sums.logs / sums.bytes};
  const double mean = moments.mean, variance = sums.squares / sums.bytes - mean * mean;
  constexpr double rounding = 1e-6;
  if (variance <= rounding) return moments;
  moments.deviation = std::sqrt(variance);
  moments.skewness =
      (sums.cubes / sums.bytes - 3 * mean * variance - mean * mean * mean) / (variance * moments.deviation);
  return moments;
}

inline SpanSums sums_of(double bytes, const SpanMoments& of) {
  const double square = of.deviation * of.deviation;
  return {bytes, bytes * of.mean, bytes * (of.mean * of.mean + square),
          bytes * (of.mean * of.mean * of.mean + 3 * of.mean * square + of.skewness * square * of.deviation)};
}

}  // namespace gable::model

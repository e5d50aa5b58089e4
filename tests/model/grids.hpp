#pragma once

// Grids of the hybrid model with known θ, from the paper's formulas.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "model/hybrid/hybrid.hpp"

namespace gable::model {

using Matrix4 =
    std::array<std::array<double, 4>, 4>;  // [dominating][other], both in the order ls, ss, lf, sf

// Table 6 of the LARM paper.
inline constexpr Matrix4 skylake_theta = {{{1, 0.373, 0.294, 0.465},    // ls: ss, lf, sf
                                           {0.293, 1, 0.54, 0.059},     // ss: ls, lf, sf
                                           {0.600, -0.102, 1, 0.966},   // lf: ls, ss, sf
                                           {0.067, 0.337, 0.912, 1}}};  // sf: ls, ss, lf
inline constexpr Matrix4 knl_theta = {
    {{1, 0.564, 0.611, 0.956}, {0.571, 1, 0.65, 0.726}, {0.722, 0.985, 1, 0.238}, {0.953, 0.797, 0.183, 1}}};

inline constexpr double grid_bytes = 4e9;

/// Loads and stores split over slow and fast memory alike.
inline Quantities mix(double load_share, double fast_share) {
  const double load = grid_bytes * load_share, store = grid_bytes * (1 - load_share);
  return {{load * (1 - fast_share), store * (1 - fast_share), load * fast_share, store * fast_share}};
}

/// Equation 5; `gb_per_s` in the order ls, ss, lf, sf.
inline double equation5(const Quantities& bytes, const Quantities& gb_per_s, const Matrix4& theta) {
  double seconds[4];
  for (std::size_t i = 0; i < 4; ++i) seconds[i] = bytes[i] / gb_per_s[i] / 1e9;
  const auto x = static_cast<std::size_t>(std::max_element(seconds, seconds + 4) - seconds);
  double sum = 0;
  for (std::size_t y = 0; y < 4; ++y) sum += theta[x][y] * seconds[y];
  return sum;
}

/// The alternating part and the rest, if loads and stores are split alike.
inline std::array<Quantities, 2> halves(const Quantities& bytes) {
  Quantities both = {}, rest = {};
  for (const std::size_t i : {0U, 1U}) {
    both[i] = both[i + 2] = std::min(bytes[i], bytes[i + 2]);
    rest[i] = bytes[i] - both[i];
    rest[i + 2] = bytes[i + 2] - both[i + 2];
  }
  return {both, rest};
}

/// Equation 5 of each of them.
inline double two_phases(const Quantities& bytes, const Quantities& gb_per_s, const Matrix4& theta) {
  const auto [both, rest] = halves(bytes);
  return equation5(both, gb_per_s, theta) + equation5(rest, gb_per_s, theta);
}

inline Cell cell(const Quantities& bytes, double seconds) {
  return {bytes, {seconds, seconds, seconds, 1}};
}

using Formula = std::function<double(const Quantities&, const Quantities&, const Matrix4&)>;
using Coefficients = std::array<double, 3>;  // of turnarounds in the slow and the fast memory, of contention

/// The terms of `turnaround` in one phase, each of coefficient 1.
inline Coefficients terms_of(const Quantities& bytes, const Quantities& gb_per_s) {
  double squares = 0, longest = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double seconds = bytes[i] / gb_per_s[i] / 1e9;
    squares += seconds * seconds;
    longest = std::max(longest, seconds);
  }
  const auto turns = [&](std::size_t load) {  // 1 / sqrt(1/l² + 1/s²), in seconds of the loads
    const double loads = bytes[load], stores = bytes[load + 1];
    return loads > 0 && stores > 0
               ? std::pow(std::pow(loads, -2) + std::pow(stores, -2), -0.5) / gb_per_s[load] / 1e9
               : 0;
  };
  return {turns(0), turns(2), std::sqrt(squares) - longest};
}

/// `two_phases` with these terms in both of them.
inline Formula with_turns(const Coefficients& coefficients) {
  return [coefficients](const Quantities& bytes, const Quantities& gb_per_s, const Matrix4& theta) {
    double seconds = two_phases(bytes, gb_per_s, theta);
    for (const Quantities& phase : halves(bytes)) {
      const Coefficients terms = terms_of(phase, gb_per_s);
      for (std::size_t i = 0; i < terms.size(); ++i) seconds += coefficients[i] * terms[i];
    }
    return seconds;
  };
}

/// steps+1 load shares times steps+1 fast shares; `noise` is the standard deviation of the relative error.
inline std::vector<Cell> grid(const Formula& formula, const Quantities& gb_per_s, const Matrix4& theta,
                              int steps, double noise = 0, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> error(0, 1);
  std::vector<Cell> cells;
  for (int i = 0; i <= steps; ++i) {
    for (int j = 0; j <= steps; ++j) {
      const Quantities bytes = mix(1.0 * i / steps, 1.0 * j / steps);
      cells.push_back(cell(bytes, formula(bytes, gb_per_s, theta) * (1 + noise * error(random))));
    }
  }
  return cells;
}

}  // namespace gable::model

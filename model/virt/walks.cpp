#include "model/virt/walks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/sorting.hpp"
#include "model/virt/random.hpp"

namespace gable::model {
namespace {

constexpr std::size_t most_levels = 3;
using Reaches = std::vector<double>;  // logarithms to base 2

double missed(double reach, double bytes, double shape) {
  return bytes <= reach ? 0 : 1 - std::pow(reach / bytes, shape);
}

// Offset and costs for given reaches, by weighted least squares; costs must not be negative.
struct Linear {
  double squares = std::numeric_limits<double>::infinity();  // weighted
  std::array<double, most_levels + 1> values = {};
};

// Solves a symmetric system of `n` equations in place; false if it is singular.
bool eliminate(double (&matrix)[most_levels + 1][most_levels + 2], std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    if (!(matrix[i][i] > 1e-12)) return false;
    for (std::size_t row = 0; row < n; ++row) {
      if (row == i) continue;
      const double factor = matrix[row][i] / matrix[i][i];
      for (std::size_t k = i; k <= n; ++k) matrix[row][k] -= factor * matrix[i][k];
    }
  }
  return true;
}

Linear solve_costs(const std::vector<WalkPoint>& points, const Reaches& reaches, double shape) {
  const std::size_t n = reaches.size() + 1;
  double matrix[most_levels + 1][most_levels + 2] = {};
  std::array<double, most_levels + 1> row = {1};
  std::array<double, most_levels> bytes = {};
  for (std::size_t k = 0; k + 1 < n; ++k) bytes[k] = std::exp2(reaches[k]);
  const auto fill = [&](const WalkPoint& point) {
    for (std::size_t k = 0; k + 1 < n; ++k) row[k + 1] = missed(bytes[k], point.bytes, shape);
  };
  for (const WalkPoint& point : points) {
    fill(point);
    const double weight = 1 / (point.error * point.error);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) matrix[i][j] += weight * row[i] * row[j];
      matrix[i][n] += weight * row[i] * point.ns;
    }
  }
  Linear linear;
  if (!eliminate(matrix, n)) return linear;
  for (std::size_t i = 0; i < n; ++i) linear.values[i] = matrix[i][n] / matrix[i][i];
  for (std::size_t i = 1; i < n; ++i) {
    if (linear.values[i] < 0) return linear;
  }
  linear.squares = 0;
  for (const WalkPoint& point : points) {
    fill(point);
    double value = 0;
    for (std::size_t i = 0; i < n; ++i) value += linear.values[i] * row[i];
    const double distance = (value - point.ns) / point.error;
    linear.squares += distance * distance;
  }
  return linear;
}

// The least reach, as a logarithm to base 2. If a level reaches less than the smallest working set, its cost
// is the same for all points, so they do not tell it.
double least_reach(const std::vector<WalkPoint>& points) {
  return std::log2(points.front().bytes);
}

// Moves one reach after the other by ever smaller steps, as long as that helps.
Linear refine(const std::vector<WalkPoint>& points, Reaches& reaches, double shape) {
  constexpr double first_step = 0.25, last_step = 0.01, enough = 1 - 1e-6;
  Linear best = solve_costs(points, reaches, shape);
  for (double step = first_step; step > last_step; step /= 2) {
    for (bool better = true; better;) {
      better = false;
      for (double& reach : reaches) {
        for (const double move : {-step, step}) {
          if (reach + move < least_reach(points)) continue;
          reach += move;
          const Linear moved = solve_costs(points, reaches, shape);
          if (moved.squares < best.squares * enough) {
            best = moved;
            better = true;
          } else {
            reach -= move;
          }
        }
      }
    }
  }
  return best;
}

struct Found {
  Reaches reaches;
  double shape = 1;
  Linear linear;
  double criterion = std::numeric_limits<double>::infinity();
};

// The best place of one more level beside those there are; each gap is tried in quarters of an octave.
Found with_one_more(const std::vector<WalkPoint>& points, const Found& known) {
  constexpr double step = 0.25;
  Found best = known;
  best.linear = {};
  const double first = least_reach(points), last = std::log2(points.back().bytes) - step;
  for (double at = first; at <= last; at += step) {
    Reaches reaches = known.reaches;
    reaches.push_back(at);
    const Linear linear = solve_costs(points, reaches, known.shape);
    if (linear.squares < best.linear.squares) {
      best.linear = linear;
      best.reaches = reaches;
    }
  }
  if (best.reaches.size() > known.reaches.size()) best.linear = refine(points, best.reaches, known.shape);
  return best;
}

Found best_fit(const std::vector<WalkPoint>& points) {
  const auto n = static_cast<double>(points.size());
  Found best;
  for (const double shape : {1.0, 2.0, 4.0}) {
    Found found;
    found.shape = shape;
    found.linear = solve_costs(points, {}, shape);
    for (std::size_t levels = 0; levels <= most_levels; ++levels) {
      if (levels > 0) found = with_one_more(points, found);
      if (found.reaches.size() < levels) break;
      // The size of the errors is uncertain: n log(squares / n) takes the place of the squares.
      const double parameters = 2.0 * static_cast<double>(levels) + 1;
      found.criterion = n * std::log(std::max(found.linear.squares / n, 0.5)) + parameters * std::log(n);
      if (found.criterion < best.criterion && n > parameters + 1) best = found;
    }
  }
  return best;
}

// Levels by reach, which were found in another order.
WalkFit to_fit(const Found& found) {
  WalkFit fit;
  fit.shape = found.shape;
  fit.offset = found.linear.values[0];
  for (std::size_t k = 0; k < found.reaches.size(); ++k) {
    const double reach = std::exp2(found.reaches[k]), cost = found.linear.values[k + 1];
    fit.levels.push_back({{reach, reach, reach, 0}, {cost, cost, cost, 0}});
  }
  sort_by(fit.levels, [](const TlbLevel& level) { return level.reach.value; });
  for (const TlbLevel& level : fit.levels) fit.beyond.value += level.cost.value;
  fit.beyond.lo = fit.beyond.hi = fit.beyond.value;
  return fit;
}

void set_interval(Estimate& estimate, const std::vector<double>& values, std::size_t n) {
  constexpr double low = 0.025, high = 0.975;
  estimate.lo = std::min(estimate.value, quantile(values, low));
  estimate.hi = std::max(estimate.value, quantile(values, high));
  estimate.n = static_cast<int>(n);
}

// Intervals from fits to disturbed points.
void add_intervals(WalkFit& fit, const std::vector<WalkPoint>& points, const Found& found) {
  constexpr int draws = 200;
  const double parameters = 2.0 * static_cast<double>(found.reaches.size()) + 1;
  const double freedom = std::max(1.0, static_cast<double>(points.size()) - parameters);
  const double inflation = std::sqrt(std::max(1.0, found.linear.squares / freedom));
  std::vector<std::vector<double>> reach(fit.levels.size()), cost(fit.levels.size());
  std::vector<double> beyond;
  Random random(1);
  for (int draw = 0; draw < draws; ++draw) {
    std::vector<WalkPoint> disturbed = points;
    for (std::size_t i = 0; i < points.size(); ++i)
      disturbed[i].ns = fit.at(points[i].bytes) + inflation * points[i].error * random.normal();
    Found again = found;
    again.linear = refine(disturbed, again.reaches, found.shape);
    if (!std::isfinite(again.linear.squares)) continue;
    const WalkFit other = to_fit(again);
    for (std::size_t k = 0; k < fit.levels.size(); ++k) {
      reach[k].push_back(other.levels[k].reach.value);
      cost[k].push_back(other.levels[k].cost.value);
    }
    beyond.push_back(other.beyond.value);
  }
  if (beyond.empty()) return;
  set_interval(fit.beyond, beyond, points.size());
  for (std::size_t k = 0; k < fit.levels.size(); ++k) {
    set_interval(fit.levels[k].reach, reach[k], points.size());
    set_interval(fit.levels[k].cost, cost[k], points.size());
  }
}

// Misses do not become rarer as the working set grows. Half of the largest fall that the errors do not
// explain is an error of the points that their noise does not show: for example lines that share a set of a
// cache.
double unexplained_error(const std::vector<WalkPoint>& points) {
  constexpr double sure = 3;
  double highest = -std::numeric_limits<double>::infinity(), fall = 0;
  for (const WalkPoint& point : points) {
    fall = std::max(fall, highest - (point.ns + sure * point.error));
    highest = std::max(highest, point.ns - sure * point.error);
  }
  return fall / 2;
}

}  // namespace

double WalkFit::misses(std::size_t level, double bytes) const {
  return missed(levels.at(level).reach.value, bytes, shape);
}

double WalkFit::at(double bytes) const {
  double ns = offset;
  for (std::size_t k = 0; k < levels.size(); ++k) ns += levels[k].cost.value * misses(k, bytes);
  return ns;
}

WalkFit fit_walks(const std::vector<WalkPoint>& given) {
  constexpr std::size_t least = 6;
  constexpr double least_error = 0.02, least_share = 0.01;  // ns, and of the value: no clock is better
  WalkFit none;
  if (given.size() < least) {
    none.unknown = {NoteCode::few_working_sets,
                    {static_cast<double>(least), static_cast<double>(given.size())}};
    return none;
  }
  std::vector<WalkPoint> points = given;
  sort_by(points, &WalkPoint::bytes);
  for (WalkPoint& point : points)
    point.error = std::max({point.error, least_error, least_share * std::abs(point.ns)});
  const double unexplained = unexplained_error(points);
  for (WalkPoint& point : points) point.error = std::hypot(point.error, unexplained);
  const Found found = best_fit(points);
  WalkFit fit = to_fit(found);
  for (const WalkPoint& point : points)
    fit.misfit += std::pow(point.ns - fit.at(point.bytes), 2) / static_cast<double>(points.size());
  fit.misfit = std::sqrt(fit.misfit);
  add_intervals(fit, points, found);
  if (fit.levels.empty()) fit.unknown = NoteCode::no_tlb_miss;
  return fit;
}

}  // namespace gable::model

#include "bench/apps/cg.hpp"

#include <algorithm>
#include <cmath>

#include "base/clocks.hpp"

namespace gable::bench {

namespace {

// Four sums, because one would wait for its own addition.
double dot(std::span<const double> a, std::span<const double> b) {
  double sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= b.size(); i += 4) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += a[i + k] * b[i + k];
  }
  for (; i < b.size(); ++i) sums[0] += a[i] * b[i];
  return sums[0] + sums[1] + sums[2] + sums[3];
}

// y = x + factor * y
void scale_and_add(std::span<double> y, double factor, std::span<const double> x) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] + factor * y[i];
}

// y += factor * x
void add_scaled(std::span<double> y, double factor, std::span<const double> x) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += factor * x[i];
}

}  // namespace

CgMatrix::CgMatrix(const CgBox& box) : box_(box) {
  const std::size_t plane = box.plane(), rows = box.rows();
  begin_.reserve(rows + 1);
  columns_.reserve(27 * rows);
  values_.reserve(27 * rows);
  begin_.push_back(0);
  const std::size_t from_below = rows, from_above = rows + (box.below ? plane : 0);
  for (int z = 0; z < box.nz; ++z) {
    for (int y = 0; y < box.ny; ++y) {
      for (int x = 0; x < box.nx; ++x) {
        for (int other_z = z - 1; other_z <= z + 1; ++other_z) {
          if ((other_z < 0 && !box.below) || (other_z >= box.nz && !box.above)) continue;
          const std::size_t layer = other_z < 0         ? from_below
                                    : other_z >= box.nz ? from_above
                                                        : plane * static_cast<std::size_t>(other_z);
          for (int other_y = std::max(0, y - 1); other_y <= std::min(box.ny - 1, y + 1); ++other_y) {
            for (int other_x = std::max(0, x - 1); other_x <= std::min(box.nx - 1, x + 1); ++other_x) {
              const bool diagonal = other_x == x && other_y == y && other_z == z;
              columns_.push_back(
                  static_cast<std::uint32_t>(layer + static_cast<std::size_t>(other_y * box.nx + other_x)));
              values_.push_back(diagonal ? 27 : -1);
            }
          }
        }
        begin_.push_back(static_cast<std::uint32_t>(values_.size()));
      }
    }
  }
}

void CgMatrix::multiply(std::span<const double> x, std::span<double> y) const {
  const std::uint32_t* const columns = columns_.data();
  const double* const values = values_.data();
  for (std::size_t row = 0; row + 1 < begin_.size(); ++row) {
    double sum = 0;
    for (std::uint32_t at = begin_[row]; at < begin_[row + 1]; ++at) sum += values[at] * x[columns[at]];
    y[row] = sum;
  }
}

std::vector<double> CgMatrix::right_side() const {
  std::vector<double> side(box_.rows());
  for (std::size_t row = 0; row < side.size(); ++row) side[row] = 28.0 - (begin_[row + 1] - begin_[row]);
  return side;
}

CgResult conjugate_gradient(const CgMatrix& matrix, int iterations, const CgParts& parts,
                            const std::function<bool()>& stop) {
  const std::size_t rows = matrix.box().rows(), columns = matrix.box().columns();
  const auto exchange = [&](std::span<double> vector) {
    if (parts.exchange) parts.exchange(vector);
  };
  const auto total = [&](double own) { return parts.sum ? parts.sum(own) : own; };
  const std::vector<double> b = matrix.right_side();
  std::vector<double> x(columns, 0), r = b, p(columns, 0), ap(rows);
  std::copy(b.begin(), b.end(), p.begin());
  const std::span<double> own_p(p.data(), rows), own_x(x.data(), rows);
  CgResult result;
  // A multiplication with its additions, two dot products and three scaled additions.
  result.flops = 2.0 * static_cast<double>(matrix.nonzeros()) + 10.0 * static_cast<double>(rows);
  const double b_squared = total(dot(b, b));
  double squared = b_squared;
  while (result.iterations < iterations && squared > 1e-200 * b_squared && !(stop && stop())) {
    const double begin = monotonic_seconds();
    exchange(p);
    matrix.multiply(p, ap);
    const double alpha = squared / total(dot(own_p, ap));
    add_scaled(own_x, alpha, own_p);
    add_scaled(r, -alpha, ap);
    const double before = squared;
    squared = total(dot(r, r));
    scale_and_add(own_p, squared / before, r);
    ++result.iterations;
    result.seconds.push_back(monotonic_seconds() - begin);
  }
  result.recurrence = std::sqrt(squared / b_squared);
  exchange(x);
  matrix.multiply(x, ap);
  for (std::size_t row = 0; row < rows; ++row) {
    ap[row] = b[row] - ap[row];
    result.error = std::max(result.error, std::abs(x[row] - 1));
  }
  result.residual = std::sqrt(total(dot(ap, ap)) / b_squared);
  // The two residuals agree to rounding, which 1e-12 is far above for boxes that fit into a memory. The
  // operator's smallest eigenvalue is above 1, so that no error of x is larger than |b - A x|.
  constexpr double rounding = 1e-12;
  result.verified = std::abs(result.residual - result.recurrence) <= rounding &&
                    result.error <= result.residual * std::sqrt(b_squared) + rounding;
  return result;
}

}  // namespace gable::bench

#include "bench/apps/dgemm.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "bench/apps/dgemm_shape.hpp"

namespace gable::bench {

namespace {

// Blocks (Goto and van de Geijn, 2008): depth x rows of a stay in the second-level cache, depth x a strip of
// b in the first-level one.
constexpr std::size_t depth_block = 256, rows_block = 192;

// Strips of `height` rows of a (depth x rows, columns n apart), one after the other, with zeros below.
void pack_rows(const double* a, std::size_t n, std::size_t rows, std::size_t depth, std::size_t height,
               double* to) {
  for (std::size_t i = 0; i < rows; i += height) {
    const std::size_t here = std::min(height, rows - i);
    for (std::size_t k = 0; k < depth; ++k, to += height) {
      std::copy_n(a + k * n + i, here, to);
      std::fill_n(to + here, height - here, 0.0);
    }
  }
}

void pack_columns(const double* b, std::size_t n, std::size_t depth, std::size_t columns, std::size_t width,
                  double* to) {
  for (std::size_t j = 0; j < columns; j += width) {
    for (std::size_t k = 0; k < depth; ++k) {
      for (std::size_t w = 0; w < width; ++w, ++to) *to = j + w < columns ? b[(j + w) * n + k] : 0.0;
    }
  }
}

// A block of a times a block of b; micro blocks that stick out go through a small one of their own.
void multiply_blocks(const Shape& shape, const double* a, const double* b, double* c, std::size_t n,
                     std::size_t rows, std::size_t columns, std::size_t depth) {
  alignas(64) double edge[24 * 8];
  for (std::size_t j = 0; j < columns; j += shape.columns) {
    const std::size_t width = std::min(shape.columns, columns - j);
    for (std::size_t i = 0; i < rows; i += shape.rows) {
      const std::size_t height = std::min(shape.rows, rows - i);
      const double *left = a + i * depth, *right = b + j * depth;
      double* const here = c + j * n + i;
      if (height == shape.rows && width == shape.columns) {
        shape.micro(depth, left, right, here, n);
        continue;
      }
      std::fill_n(edge, shape.rows * shape.columns, 0.0);
      shape.micro(depth, left, right, edge, shape.rows);
      for (std::size_t w = 0; w < width; ++w) {
        for (std::size_t h = 0; h < height; ++h) here[w * n + h] += edge[w * shape.rows + h];
      }
    }
  }
}

std::size_t padded(std::size_t count, std::size_t unit) {
  return (count + unit - 1) / unit * unit;
}

}  // namespace

const char* dgemm_isa() {
  return widest_shape().isa;
}

void dgemm(std::size_t n, const double* a, const double* b, double* c) {
  const Shape shape = widest_shape();
  std::vector<double> left(padded(rows_block, shape.rows) * depth_block);
  std::vector<double> right(padded(n, shape.columns) * depth_block);
  for (std::size_t k = 0; k < n; k += depth_block) {
    const std::size_t depth = std::min(depth_block, n - k);
    pack_columns(b + k, n, depth, n, shape.columns, right.data());
    for (std::size_t i = 0; i < n; i += rows_block) {
      const std::size_t rows = std::min(rows_block, n - i);
      pack_rows(a + k * n + i, n, rows, depth, shape.rows, left.data());
      multiply_blocks(shape, left.data(), right.data(), c + i, n, rows, n, depth);
    }
  }
}

bool is_product(std::size_t n, const double* a, const double* b, const double* c) {
  std::vector<double> x(n), bx(n, 0), abx(n, 0), cx(n, 0), size(n, 0);
  std::uint64_t random = 1;
  for (double& each : x) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    each = static_cast<double>(random >> 11) * 0x1p-53 - 0.5;
  }
  const auto add_product = [&](const double* matrix, const std::vector<double>& by, std::vector<double>& to) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) to[i] += matrix[j * n + i] * by[j];
    }
  };
  add_product(b, x, bx);
  add_product(a, bx, abx);
  add_product(c, x, cx);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) size[i] += std::abs(a[j * n + i] * bx[j]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double rounding = 1e-15 * static_cast<double>(n) * (size[i] + std::abs(cx[i]));
    if (!(std::abs(abx[i] - cx[i]) <= rounding + 1e-300)) return false;
  }
  return true;
}

}  // namespace gable::bench

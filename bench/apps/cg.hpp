#pragma once

// A conjugate gradient solver for a 27-point operator on a box, like that of HPCCG: 27 on the diagonal, -1
// for each neighbour, and a right-hand side for which the solution is 1 everywhere. The box may be one slab
// of a larger one that is cut along z: vectors then have a plane of the neighbour's values above or below.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace gable::bench {

struct CgBox {
  int nx = 0, ny = 0, nz = 0;         ///< points of this slab
  bool below = false, above = false;  ///< slabs of others follow at z = -1 and z = nz

  std::size_t plane() const { return static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny); }
  std::size_t rows() const { return plane() * static_cast<std::size_t>(nz); }
  /// A vector that is multiplied has its own values, then the plane from below, then the plane from above.
  std::size_t columns() const { return rows() + plane() * ((below ? 1u : 0u) + (above ? 1u : 0u)); }
};

/// The operator in compressed rows.
class CgMatrix {
 public:
  explicit CgMatrix(const CgBox& box);

  /// y = A x: x has columns() values, y has rows().
  void multiply(std::span<const double> x, std::span<double> y) const;
  /// The right-hand side whose solution is 1 everywhere.
  std::vector<double> right_side() const;
  std::uint64_t nonzeros() const { return values_.size(); }
  const CgBox& box() const { return box_; }

 private:
  CgBox box_;
  std::vector<std::uint32_t> begin_;  // of each row
  std::vector<std::uint32_t> columns_;
  std::vector<double> values_;
};

/// Exchanges values between the slabs of several processes; without these functions the box is not a slab.
struct CgParts {
  std::function<void(std::span<double>)> exchange;  ///< fills the neighbours' planes of a vector
  std::function<double(double)> sum;                ///< over all processes
};

struct CgResult {
  int iterations = 0;
  std::vector<double> seconds;  ///< of each iteration
  double flops = 0;             ///< of one iteration, of this slab
  double residual = 0;          ///< |b - A x| / |b|, computed anew from the solution
  double recurrence = 0;        ///< the same as the iteration itself has it
  double error = 0;             ///< largest |x - 1| of this slab
  /// Whether the residual is the one that the iteration computed, and the solution is right: see cg.cpp.
  bool verified = false;
};

/// `iterations` steps from x = 0, fewer only if the residual becomes 0 or `stop` returns true.
CgResult conjugate_gradient(const CgMatrix& matrix, int iterations, const CgParts& parts = {},
                            const std::function<bool()>& stop = {});

}  // namespace gable::bench

#include "mpi/hpccg.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "mpi/world.hpp"

namespace gable::mpi {
namespace {

// A box with a layer of neighbours' points below and above it.
class Box {
 public:
  Box(MPI_Comm group, int nx, int ny, int nz) : group_(group), nx_(nx), ny_(ny), nz_(nz) {
    MPI_Comm_rank(group, &rank_);
    MPI_Comm_size(group, &size_);
    begin_.push_back(0);
    for (int z = 0; z < nz_; ++z)
      for (int y = 0; y < ny_; ++y)
        for (int x = 0; x < nx_; ++x) add_row(x, y, z);
  }

  std::size_t layer() const { return static_cast<std::size_t>(nx_) * static_cast<std::size_t>(ny_); }
  std::size_t points() const { return layer() * static_cast<std::size_t>(nz_); }
  std::vector<double> vector() const { return std::vector<double>(points() + 2 * layer()); }

  // y = A x. Returns the multiplications and additions.
  double apply(std::vector<double>& x, std::vector<double>& y) const {
    exchange(x);
    for (std::size_t row = 0; row < points(); ++row) {
      double sum = 0;
      for (std::uint32_t i = begin_[row]; i < begin_[row + 1]; ++i) sum += values_[i] * x[columns_[i]];
      y[layer() + row] = sum;
    }
    return 2 * static_cast<double>(values_.size());
  }

  double dot(const std::vector<double>& a, const std::vector<double>& b) const {
    double own = 0, all = 0;
    for (std::size_t i = layer(); i < layer() + points(); ++i) own += a[i] * b[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, group_);
    return all;
  }

  // x = a x + y
  void scale_add(double a, std::vector<double>& x, const std::vector<double>& y) const {
    for (std::size_t i = layer(); i < layer() + points(); ++i) x[i] = a * x[i] + y[i];
  }
  // x += a y
  void add(std::vector<double>& x, double a, const std::vector<double>& y) const {
    for (std::size_t i = layer(); i < layer() + points(); ++i) x[i] += a * y[i];
  }

 private:
  // Compressed rows: 27 on the diagonal, -1 for each of up to 26 neighbours.
  void add_row(int x, int y, int z) {
    const bool below = rank_ > 0, above = rank_ + 1 < size_;
    for (int k = z - 1; k <= z + 1; ++k)
      for (int j = std::max(0, y - 1); j <= std::min(ny_ - 1, y + 1); ++j)
        for (int i = std::max(0, x - 1); i <= std::min(nx_ - 1, x + 1); ++i) {
          if ((k < 0 && !below) || (k >= nz_ && !above)) continue;
          columns_.push_back(static_cast<std::uint32_t>(((k + 1) * ny_ + j) * nx_ + i));
          values_.push_back(i == x && j == y && k == z ? 27 : -1);
        }
    begin_.push_back(static_cast<std::uint32_t>(values_.size()));
  }

  void exchange(std::vector<double>& x) const {
    constexpr int upwards = 1, downwards = 2;
    const int below = rank_ > 0 ? rank_ - 1 : MPI_PROC_NULL,
              above = rank_ + 1 < size_ ? rank_ + 1 : MPI_PROC_NULL;
    const int count = static_cast<int>(layer());
    double* const data = x.data();
    MPI_Sendrecv(data + points(), count, MPI_DOUBLE, above, upwards, data, count, MPI_DOUBLE, below, upwards,
                 group_, MPI_STATUS_IGNORE);
    MPI_Sendrecv(data + layer(), count, MPI_DOUBLE, below, downwards, data + layer() + points(), count,
                 MPI_DOUBLE, above, downwards, group_, MPI_STATUS_IGNORE);
  }

  MPI_Comm group_;
  int nx_, ny_, nz_, rank_ = 0, size_ = 1;
  std::vector<std::uint32_t> begin_, columns_;
  std::vector<double> values_;
};

}  // namespace

CgResult solve(MPI_Comm group, int nx, int ny, int nz, int iterations) {
  const Box box(group, nx, ny, nz);
  std::vector<double> ones = box.vector(), x = ones, r = ones, p = ones, q = ones;
  std::fill(ones.begin() + static_cast<std::ptrdiff_t>(box.layer()),
            ones.end() - static_cast<std::ptrdiff_t>(box.layer()), 1.0);
  box.apply(ones, r);  // the right side: x is 0, so it is the residual too
  p = r;
  double flops = 0, rho = box.dot(r, r);
  MPI_Barrier(group);
  const long before = switches();
  const double begin = now();
  for (int i = 0; i < iterations && rho > 0; ++i) {
    flops += box.apply(p, q);
    const double alpha = rho / box.dot(p, q);
    box.add(x, alpha, p);
    box.add(r, -alpha, q);
    const double next = box.dot(r, r);
    box.scale_add(next / std::exchange(rho, next), p, r);
    flops += 10 * static_cast<double>(box.points());
  }
  double own[2] = {now() - begin, 0}, all[2] = {};
  for (std::size_t i = box.layer(); i < box.layer() + box.points(); ++i)
    own[1] = std::max(own[1], std::abs(x[i] - 1));
  const int descheduled = switches() != before ? 1 : 0;
  CgResult result;
  MPI_Allreduce(own, all, 2, MPI_DOUBLE, MPI_MAX, group);
  MPI_Allreduce(&flops, &result.flops, 1, MPI_DOUBLE, MPI_SUM, group);
  MPI_Allreduce(&descheduled, &result.disturbed, 1, MPI_INT, MPI_SUM, group);
  result.seconds = all[0];
  result.error = all[1];
  return result;
}

}  // namespace gable::mpi

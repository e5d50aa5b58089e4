// The programs of the virtualization set are right, and notice what is wrong.

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <vector>

#include "bench/apps/cg.hpp"
#include "bench/apps/dgemm.hpp"
#include "bench/apps/gups.hpp"
#include "bench/virt/programs.hpp"
#include "bench/virt/virt_cells.hpp"

namespace {

using namespace gable::bench;

const std::atomic<bool> programs_go_on{false};

TEST(VirtPrograms, RandomAccessFollowsTheRules) {
  std::uint64_t x = 1;
  for (std::int64_t i = 0; i < 5000; ++i) {
    if (i % 37 == 0) {
      ASSERT_EQ(random_access_number(i), x) << i;
    }
    x = (x << 1) ^ (x >> 63 != 0 ? 7 : 0);
  }
  EXPECT_EQ(random_access_number(1317624576693539401), 1u);  // the period
  std::vector<std::uint64_t> table(1 << 12);
  const GupsResult result = random_access(table, programs_go_on);
  EXPECT_EQ(result.updates, 4.0 * (1 << 12));
  EXPECT_EQ(result.wrong, 0u);
  EXPECT_TRUE((GupsResult{1, 1, 40}.verified(1 << 12)));
  EXPECT_FALSE((GupsResult{1, 1, 41}.verified(1 << 12)));
  const GupsResult brief = random_access(table, programs_go_on, 1e-9);  // time for a single update at most
  EXPECT_EQ(brief.updates, 128);
  EXPECT_EQ(brief.wrong, 0u);
  const std::atomic<bool> stop{true};
  EXPECT_EQ(random_access(table, stop).updates, 0);
}

TEST(VirtPrograms, DgemmIsAProductAndSabotageIsNoticed) {
  for (const std::size_t n : {1u, 7u, 24u, 61u, 300u}) {
    std::vector<double> a(n * n), b(n * n), c(n * n, 0);
    for (std::size_t i = 0; i < n * n; ++i) {
      a[i] = std::sin(static_cast<double>(i));
      b[i] = std::cos(static_cast<double>(3 * i));
    }
    dgemm(n, a.data(), b.data(), c.data());
    double plain = 0;
    for (std::size_t k = 0; k < n; ++k) plain += a[k * n + n - 1] * b[(n / 2) * n + k];
    EXPECT_NEAR(c[(n / 2) * n + n - 1], plain, 1e-11);
    EXPECT_TRUE(is_product(n, a.data(), b.data(), c.data()));
    c[n * n / 2] += 1e-6;
    EXPECT_FALSE(is_product(n, a.data(), b.data(), c.data())) << n;
  }
}

TEST(VirtPrograms, ConjugateGradientsSolve) {
  const CgMatrix matrix(CgBox{9, 7, 8});
  const CgResult result = conjugate_gradient(matrix, 60);
  EXPECT_TRUE(result.verified);
  EXPECT_LT(result.error, 1e-10);
  EXPECT_EQ(result.seconds.size(), static_cast<std::size_t>(result.iterations));
  EXPECT_EQ(CgMatrix(CgBox{3, 3, 3}).nonzeros(), 343u);  // (2 + 3 + 2)^3
  // Few iterations do not solve it, and the residual says so.
  const CgResult early = conjugate_gradient(matrix, 2);
  EXPECT_GT(early.residual, 1e-6);
  EXPECT_TRUE(early.verified);
  EXPECT_NEAR(early.residual, early.recurrence, 1e-12);
}

TEST(VirtPrograms, SlabsMultiplyAsTheWholeBox) {
  const CgBox whole{5, 4, 6};
  std::vector<double> x(whole.rows());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<double>(i));
  std::vector<double> y(whole.rows()), y_slabs;
  CgMatrix(whole).multiply(x, y);
  const auto plane = static_cast<std::ptrdiff_t>(whole.plane());
  auto from = x.begin();
  for (const CgBox& slab :
       {CgBox{5, 4, 2, false, true}, CgBox{5, 4, 3, true, true}, CgBox{5, 4, 1, true, false}}) {
    const auto to = from + plane * slab.nz;
    std::vector<double> x_slab(from, to), y_slab(slab.rows());
    if (slab.below) x_slab.insert(x_slab.end(), from - plane, from);
    if (slab.above) x_slab.insert(x_slab.end(), to, to + plane);
    ASSERT_EQ(x_slab.size(), slab.columns());
    CgMatrix(slab).multiply(x_slab, y_slab);
    y_slabs.insert(y_slabs.end(), y_slab.begin(), y_slab.end());
    from = to;
  }
  ASSERT_EQ(y_slabs.size(), y.size());
  for (std::size_t i = 0; i < y.size(); ++i) ASSERT_DOUBLE_EQ(y_slabs[i], y[i]) << i;
}

// HPC Challenge's table is the largest power of two within half of the memory; `standard` has a smaller one,
// beyond the reach of the TLB.
TEST(VirtPrograms, TheTableOfGupsIsThatOfItsRulesInFull) {
  constexpr std::uint64_t MiB = 1 << 20, GiB = 1 << 30;
  EXPECT_EQ(random_access_bytes(24 * GiB), 8 * GiB);
  EXPECT_EQ(random_access_bytes(16 * GiB), 8 * GiB);
  EXPECT_EQ(random_access_bytes(16 * GiB - 1), 4 * GiB);
  const auto machine = gable::machines::from_synthetic("core:1 pu:1");
  const auto tables = [&](const gable::machines::Host& host, int level) {
    std::vector<VirtCell> gups;
    for (const VirtCell& cell : virt_cells(machine, host, {level, {gable::model::VirtKind::program}})) {
      if (cell.spec.what == "gups") gups.push_back(cell);
    }
    return gups;
  };
  gable::machines::Host host;
  host.memory_bytes = 24 * GiB - 300 * MiB;
  host.memory_available_bytes = 22 * GiB;
  for (const int level : {1, 2}) {
    const std::vector<VirtCell> gups = tables(host, level);
    ASSERT_EQ(gups.size(), 2u);
    for (const VirtCell& cell : gups) EXPECT_EQ(cell.spec.bytes, level == 1 ? 256 * MiB : 8 * GiB);
    EXPECT_EQ(gups.front().rounds, level == 1 ? 2 : 1) << "a visit takes minutes";
    EXPECT_LE(gups.front().seconds, 3 * gable::bench::random_access_seconds);
  }
  host.memory_available_bytes = 5 * GiB;
  EXPECT_EQ(tables(host, 2).front().spec.bytes, 4 * GiB) << "the rest is in use";
  host.memory_limit_bytes = 4 * GiB;  // of a container
  EXPECT_EQ(gups_bytes_by_rules(host), 2 * GiB);
  EXPECT_EQ(tables(host, 2).front().spec.bytes, 2 * GiB);
  host.memory_limit_bytes = 0;
  host.memory_bytes = host.memory_available_bytes.emplace(1024 * GiB);
  EXPECT_EQ(tables(host, 2).front().spec.bytes, 512 * GiB);
  EXPECT_EQ(tables(host, 2).front().rounds, 1);
}

TEST(VirtPrograms, EachRunsAndIsVerified) {
  for (const char* what : {"gups", "triad", "dgemm", "cg"}) {
    const ProgramRun run = run_program(what, gable::model::VirtPages::small, 1 << 18, programs_go_on);
    EXPECT_FALSE(run.seconds.empty()) << what;
    EXPECT_EQ(run.seconds.size(), run.work.size());
    EXPECT_FALSE(run.verified.empty());
    EXPECT_EQ(run.wrong, "") << what;
  }
}

}  // namespace

// Equations 1 to 4 by hand, and compared with a second implementation that stores every access.

#include "kmaf/traces/metrics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "random.hpp"

namespace gable::kmaf {
namespace {

TEST(Equations, OneAndTwoByHand) {
  // Rows with means 4/2 = 2: differences 2 and -2, twice.
  EXPECT_DOUBLE_EQ(heterogeneity({{0, 4}, {4, 0}}), (4 + 4 + 4 + 4) / 4.0);
  EXPECT_DOUBLE_EQ(sharing_amount({{0, 4}, {4, 0}}), 2);
  // Means 1, 2, 1: (1 0 1) (1 ... : 1+1+... by row: {0,3,0} 1+4+1, {3,0,3} 1+4+1, {0,3,0} 1+4+1.
  EXPECT_DOUBLE_EQ(heterogeneity({{0, 3, 0}, {3, 0, 3}, {0, 3, 0}}), 18 / 9.0);
  EXPECT_DOUBLE_EQ(sharing_amount({{0, 3, 0}, {3, 0, 3}, {0, 3, 0}}), 12 / 9.0);
  EXPECT_DOUBLE_EQ(heterogeneity({{5, 5}, {5, 5}}), 0) << "all share alike";
  EXPECT_DOUBLE_EQ(heterogeneity({{0}}), 0);
  EXPECT_DOUBLE_EQ(heterogeneity({}), 0);
}

TEST(Equations, ThreeByHand) {
  EXPECT_DOUBLE_EQ(page_exclusivity({1, 1, 1, 1}), 0.25) << "minimal: 1/N";
  EXPECT_DOUBLE_EQ(page_exclusivity({0, 7, 0}), 1);
  EXPECT_DOUBLE_EQ(page_exclusivity({6, 2}), 0.75);
  EXPECT_DOUBLE_EQ(page_exclusivity({0, 0}), 0);
}

TEST(Metrics, SharingByHand) {
  Metrics metrics({0, 0, 1});
  metrics.add({0, 70, 8, true});     // thread 0, line 0
  metrics.add({32, 50, 8, false});   // thread 1, line 0, which 0 had: +1
  metrics.add({8, 50, 8, false});    // again: +1
  metrics.add({0, 70, 8, false});    // thread 0, line 0, which 1 had: +1
  metrics.add({100, 60, 8, false});  // thread 2, line 1: new
  metrics.add({60, 60, 8, false});   // thread 2, lines 0 and 1: 0 and 1 had line 0
  const SharingMatrix expected = {{0, 3, 1}, {3, 0, 1}, {1, 1, 0}};
  EXPECT_EQ(metrics.figures().matrix, expected);
  // One page: 4 accesses from node 0, 2 from node 1.
  EXPECT_DOUBLE_EQ(metrics.figures().small.exclusivity, 4 / 6.0);
}

TEST(Metrics, ExclusivityByHand) {
  Metrics metrics({0, 1});
  for (int i = 0; i < 3; ++i) metrics.add({0, 1, 8, false});
  metrics.add({8, 2, 8, false});                                          // page 0: 3 to 1
  for (int i = 0; i < 4; ++i) metrics.add({4096, 2, 8, false});           // page 1: 0 to 4
  metrics.add({2 * 4096 - 4, 1, 8, false});                               // both pages 1 and 2 from node 0
  for (int i = 0; i < 2; ++i) metrics.add({(2 << 20) + 5, 1, 8, false});  // another 2 MiB page: 2 to 0
  // Pages: {3,1} {1,4} {1,0} {2,0}: (3 + 4 + 1 + 2) / (4 + 5 + 1 + 2).
  EXPECT_DOUBLE_EQ(metrics.figures().small.exclusivity, 10 / 12.0);
  // 2 MiB: {4,5} and {2,0}; the access across 4 KiB pages stays in one.
  EXPECT_DOUBLE_EQ(metrics.figures().large.exclusivity, 7 / 11.0);
  const auto groups = metrics.figures().small.groups;
  EXPECT_EQ(groups[8].pages, 2u) << "75 % rounds to 80, and 80";
  EXPECT_EQ(groups[10].pages, 2u);
  EXPECT_EQ(groups[8].accesses, 9u);
}

// The same from a list of all accesses, without tables, masks or running sums.
struct Brute {
  std::vector<Access> all;
  std::vector<std::uint32_t> threads;

  explicit Brute(std::vector<Access> accesses) : all(std::move(accesses)) {
    for (const Access& access : all) {
      if (std::find(threads.begin(), threads.end(), access.tid) == threads.end())
        threads.push_back(access.tid);
    }
  }
  SharingMatrix matrix() const {
    SharingMatrix matrix(threads.size(), std::vector<double>(threads.size()));
    for (std::size_t i = 0; i < threads.size(); ++i) {
      for (std::size_t j = 0; j < threads.size(); ++j) {
        if (i != j) matrix[i][j] = one_way(threads[i], threads[j]) + one_way(threads[j], threads[i]);
      }
    }
    return matrix;
  }
  // Accesses by `one` to lines that `other` had before.
  double one_way(std::uint32_t one, std::uint32_t other) const {
    double count = 0;
    std::set<std::uint64_t> had;
    for (const Access& access : all) {
      for (std::uint64_t byte = 0; byte < access.bytes; ++byte) {
        const std::uint64_t line = (access.address + byte) / 64;
        if (byte > 0 && (access.address + byte) % 64 != 0) continue;
        if (access.tid == other) had.insert(line);
        if (access.tid == one) count += had.contains(line) ? 1 : 0;
      }
    }
    return count;
  }
  double exclusivity(const std::vector<int>& nodes, std::uint64_t page_bytes) const {
    std::map<std::uint64_t, std::map<int, double>> pages;
    for (const Access& access : all) {
      const auto thread = std::find(threads.begin(), threads.end(), access.tid) - threads.begin();
      std::set<std::uint64_t> touched = {access.address / page_bytes,
                                         (access.address + access.bytes - 1) / page_bytes};
      for (const std::uint64_t page : touched) ++pages[page][nodes[static_cast<std::size_t>(thread)]];
    }
    double most = 0, sum = 0;
    for (const auto& [page, accesses] : pages) {
      double largest = 0;
      for (const auto& [node, count] : accesses) {
        largest = std::max(largest, count);
        sum += count;
      }
      most += largest;
    }
    return most / sum;
  }
};

TEST(Metrics, EqualABruteForceOnRandomTraces) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    test::Random random(seed);
    const std::uint64_t threads = seed < 9 ? 1 + seed : 8 * seed;  // beyond 64
    const int accesses = threads > 64 ? 500 : 1500;
    std::vector<Access> trace;
    for (int i = 0; i < accesses; ++i) {
      trace.push_back({random.below(5) * 4096 + random.below(3) * (2 << 20) + random.below(400),
                       static_cast<std::uint32_t>(1000 + 7 * random.below(threads)),
                       static_cast<std::uint32_t>(1 + random.below(130)), random.chance(30)});
    }
    const Brute brute(trace);
    std::vector<int> nodes;
    for (std::size_t i = 0; i < brute.threads.size(); ++i) nodes.push_back(static_cast<int>(random.below(4)));
    Metrics metrics(nodes);
    for (const Access& access : trace) metrics.add(access);
    EXPECT_EQ(metrics.threads(), static_cast<int>(brute.threads.size()));
    EXPECT_EQ(metrics.figures().matrix, brute.matrix()) << seed;
    EXPECT_NEAR(metrics.figures().small.exclusivity, brute.exclusivity(nodes, 4096), 1e-12);
    EXPECT_NEAR(metrics.figures().large.exclusivity, brute.exclusivity(nodes, 2 << 20), 1e-12);
  }
}

}  // namespace
}  // namespace gable::kmaf

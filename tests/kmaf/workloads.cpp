// Who shares with whom in the traced kernels, from the page that each access goes to and the thread that
// touched it first.

#include "kmaf/traces/workloads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace gable::kmaf {
namespace {

using Threads = std::set<std::uint32_t>;
using Accesses = std::map<std::uint32_t, int>;

// How often this thread of 64 accesses, or writes, pages of each thread.
Accesses accesses_of(std::uint32_t thread, const std::string& kernel, bool only_writes = false) {
  const auto found = std::ranges::find(workloads(), kernel, &Workload::name);
  std::map<std::uint64_t, std::uint32_t> owners;
  Accesses accesses;
  found->generate({64, 32, 200000}, [&](const Access& access) {
    if (access.event != Event::access) return;
    const std::uint32_t owner = owners.try_emplace(access.address >> 12, access.tid).first->second;
    if (access.tid == thread && (access.write || !only_writes)) ++accesses[owner];
  });
  return accesses;
}

Threads partners_of(std::uint32_t thread, const std::string& kernel) {
  Threads partners;
  for (const auto& [owner, count] : accesses_of(thread, kernel)) partners.insert(owner);
  partners.erase(thread);
  return partners;
}

TEST(Workloads, AStencilReadsFourNeighboursInASquare) {
  EXPECT_EQ(partners_of(9, "stencil"), Threads({1, 8, 10, 17}));
  EXPECT_EQ(partners_of(0, "stencil"), Threads({1, 7, 8, 56}));
}

TEST(Workloads, AProductReadsItsRowAndItsColumn) {
  Threads cross;
  for (std::uint32_t i = 0; i < 8; ++i) cross.insert({8 + i, 8 * i + 1});
  cross.erase(9);
  EXPECT_EQ(partners_of(9, "product"), cross);
}

TEST(Workloads, PhasesChangePartnersAndThenData) {
  EXPECT_EQ(partners_of(0, "phases"), Threads({1, 16, 17, 32}));
  EXPECT_EQ(partners_of(63, "phases"), Threads({62, 31, 15, 14}));
  Accesses all = accesses_of(32, "phases"), own = accesses_of(32, "phases", true);
  EXPECT_NEAR(all[0], own[32] / 4, own[32] / 40) << "every second element, in the second of three phases";
  Accesses writes = accesses_of(0, "phases", true);  // to the data of the last third
  EXPECT_NEAR(writes[16], writes[0] / 2, writes[0] / 10);
}

// A replay repeats what lies between barriers. The passes of these two kernels differ, so there are none.
TEST(Workloads, AllThreadsMeetBeforeAndAfterEachPassThatIsLikeTheOthers) {
  for (const Workload& workload : workloads()) {
    std::map<std::uint32_t, std::uint64_t> passes;  // accesses of each thread since the previous barrier
    std::set<std::uint32_t> waiting;
    int barriers = 0;
    workload.generate({8, 16, 20000}, [&](const Access& access) {
      ASSERT_FALSE(waiting.contains(access.tid)) << workload.name;
      if (access.event == Event::wait) {
        waiting.insert(access.tid);
      } else if (access.event == Event::wake_all) {
        EXPECT_EQ(waiting.size(), 7u) << workload.name;
        EXPECT_TRUE(barriers++ == 0 || passes.size() == 8) << workload.name;
        waiting.clear();
        passes.clear();
      } else {
        ++passes[access.tid];
      }
    });
    EXPECT_TRUE(waiting.empty());
    const bool changes =
        workload.name == std::string("phases") || workload.name == std::string("alternating");
    EXPECT_EQ(barriers == 0, changes) << workload.name;
    if (!changes) {
      EXPECT_TRUE(passes.empty()) << "the trace ends with a barrier";
    }
  }
}

}  // namespace
}  // namespace gable::kmaf

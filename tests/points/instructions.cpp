// Instructions that are easily miscounted, one by one, each executed three times. Expected counts follow the
// Intel SDM and the definition of a flop in docs/programs/counters.md.

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/files.hpp"
#include "base/temporary_folder.hpp"
#include "tests/points/programs.hpp"

namespace gable::points::tests {
namespace {

constexpr std::uint64_t times = 3;

struct Expected {
  const char* name;
  std::uint64_t load_bytes, store_bytes;
  std::vector<Flops> flops;
};

constexpr auto sp = Precision::sp, dp = Precision::dp, x87 = Precision::x87;

const std::vector<Expected> instructions = {
    {"addsubpd_sse3", 0, 0, {{Op::add, dp, 128, 2}}},
    {"addsubps_sse3", 0, 0, {{Op::add, sp, 128, 4}}},
    {"vaddsubpd_ymm", 0, 0, {{Op::add, dp, 256, 4}}},
    {"vaddsubps_ymm", 0, 0, {{Op::add, sp, 256, 8}}},
    {"haddpd_sse3", 0, 0, {{Op::add, dp, 128, 2}}},
    {"hsubps_sse3", 0, 0, {{Op::add, sp, 128, 4}}},
    {"vhaddpd_ymm", 0, 0, {{Op::add, dp, 256, 4}}},
    {"vhsubpd_ymm", 0, 0, {{Op::add, dp, 256, 4}}},
    {"vhaddps_ymm", 0, 0, {{Op::add, sp, 256, 8}}},
    {"vhsubps_ymm", 0, 0, {{Op::add, sp, 256, 8}}},
    {"dppd_sse4", 0, 0, {{Op::add, dp, 0, 1}, {Op::mul, dp, 128, 2}}},
    {"dpps_sse4", 0, 0, {{Op::add, sp, 128, 3}, {Op::mul, sp, 128, 4}}},
    {"vdpps_ymm", 0, 0, {{Op::add, sp, 256, 6}, {Op::mul, sp, 256, 8}}},
    {"same_twice", 0, 0, {{Op::mul, dp, 128, 6}}},
    {"result_unused", 0, 0, {{Op::add, dp, 128, 2}}},
    {"by_zero", 0, 0, {{Op::mul, dp, 128, 2}}},

    {"fma_sd", 0, 0, {{Op::fma, dp, 0, 2}}},
    {"fma_ss", 4, 0, {{Op::fma, sp, 0, 2}}},
    {"fma_pd", 16, 0, {{Op::fma, dp, 128, 4}}},
    {"fma_ps", 0, 0, {{Op::fma, sp, 128, 8}}},
    {"fma_pd_ymm", 32, 0, {{Op::fma, dp, 256, 8}}},
    {"fma_ps_ymm", 0, 0, {{Op::fma, sp, 256, 16}}},
    {"fmaddsub_pd_ymm", 0, 0, {{Op::fma, dp, 256, 8}}},
    {"fmsubadd_ps", 0, 0, {{Op::fma, sp, 128, 8}}},

    {"x87_load_store", 10, 10, {}},
    {"x87_arithmetic",
     8 + 8 + 4,
     4,
     {{Op::add, x87, 0, 2}, {Op::mul, x87, 0, 1}, {Op::div, x87, 0, 1}, {Op::sqrt, x87, 0, 1}}},
    {"x87_no_flops", 8 + 4, 8, {}},

    {"minimum", 16 + 4, 0, {}},
    {"comparison", 8 + 16, 0, {}},
    {"conversion", 16 + 4 + 8, 0, {}},
    {"rounding", 16, 0, {}},
    {"estimate", 16 + 4, 0, {}},
    {"bitwise", 16 + 16, 0, {}},
    {"integers", 16 + 32 + 8, 0, {}},

    {"parts", 8 + 2, 8 + 1, {}},
    {"broadcast", 8 + 16 + 8, 0, {}},
    {"halves", 16, 16, {}},
    {"widening", 4 + 16 + 8, 0, {}},
    {"non_temporal", 32, 16 + 8, {}},
    {"prefetch", 0, 0, {}},
    {"dead_loads", 8 + 8 + 16 + 16, 0, {}},
    {"known_result", 4 + 8 + 4 + 16, 4 + 8, {}},
    {"condition_false", 8, 0, {}},

    {"modify", 4 + 1 + 8 + 2, 4 + 1 + 8 + 2, {}},
    {"lock_add", 4, 4, {}},
    {"lock_xadd", 8, 8, {}},
    {"exchange", 8, 8, {}},
    {"compare_exchange", 8 + 8, 8 + 8, {}},
    {"compare_exchange_16", 8 + 16, 8 + 16, {}},
    {"bit_test", 0, 0, {}},
    {"bit_test_memory", 4 + 8, 8, {}},
    {"stack", 8 + 8 + 8, 8 + 8 + 8, {}},
    {"nested", 8, 8, {}},
    {"leave_frame", 8, 8, {}},

    {"second_condition", 0, 0, {}},

    {"rep_movs", 100 + 16, 100 + 16, {}},
    {"rep_stos", 8, 800 + 8, {}},
    {"rep_cmps", 2 * 10 * 2 + 16, 16, {}},

    // Masked accesses count the active lanes; maskmovdqu, with 8 active bytes, counts completely.
    {"masked_load_pd", 2 * 8, 0, {}},
    {"masked_load_ps", 4 * 4, 0, {}},
    {"masked_store_pd", 0, 2 * 8, {}},
    {"masked_store_d", 0, 2 * 4, {}},
    {"masked_bytes", 8, 8 + 16, {}},
    {"gather_dpd", 2 * 8, 0, {}},
    {"gather_qps", 2 * 4, 0, {}},
    {"gather_dd", 4 * 4, 0, {}},

    {"control", 2 + 4, 2 + 4, {}},
};

Work times_three(const Expected& expected) {
  Work work{expected.flops, times * expected.load_bytes, times * expected.store_bytes};
  for (Flops& sort : work.flops) sort.count *= times;
  return work;
}

TEST(Instructions, AreCountedAsTheManualSays) {
  SKIP_WITHOUT_VALGRIND();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    GTEST_SKIP() << "this CPU has no AVX2";
  const Counts counts = count({program("instructions"), std::to_string(times)}, true);
  for (const Expected& expected : instructions) {
    EXPECT_EQ(body_of(counts, expected.name, times), times_three(expected)) << expected.name;
  }
}

// fxsave writes 512 bytes minus the 96 reserved for the system (Intel SDM volume 1, table 10-2).
TEST(Instructions, StateIsSavedAndRestoredAlike) {
  SKIP_WITHOUT_VALGRIND();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    GTEST_SKIP() << "this CPU has no AVX2";
  const Work state = body_of(count({program("instructions")}, true), "state");
  EXPECT_EQ(state.load_bytes, state.store_bytes);
  EXPECT_GE(*state.load_bytes, 400u);
  EXPECT_LE(*state.load_bytes, 512u);
}

// The tool computes multiply-adds by the CPU's own instruction instead of VEX's emulation of each lane.
TEST(Instructions, FusedMultiplyAddsHaveTheResultsOfTheCpu) {
  SKIP_WITHOUT_VALGRIND();
  if (!std::filesystem::exists(program("fma"))) GTEST_SKIP() << "another architecture";
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    GTEST_SKIP() << "this CPU has no AVX2";
  const TemporaryFolder folder("fma");
  const std::filesystem::path native = folder.path / "native", counted = folder.path / "counted";
  ASSERT_EQ(std::system((program("fma") + " " + native.string()).c_str()), 0);
  count({program("fma"), counted.string()});
  const std::string expected =
      read_whole(native);  // (4 operations x 6 forms + 2 x 4) x 3 orders x 5 places, and the chain
  EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n'), 2 * (32 * 15 + 1));
  EXPECT_EQ(read_whole(counted), expected);
}

}  // namespace
}  // namespace gable::points::tests

// Which kernels a CPU may run, for CPUs described here.

#include "kernels/isa.hpp"

#include <gtest/gtest.h>

#include "kernels/kernel.hpp"

namespace gable::kernels {
namespace {

// A Skylake server on a system that saves all registers.
constexpr CpuidWords skylake_server = {.leaf1_ecx = 1u << 12,
                                       .leaf1_edx = 1u << 26,
                                       .leaf7_ebx = 1u << 5 | 1u << 16 | 1u << 23 | 1u << 24,
                                       .xcr0 = 0xe7};

using Names = std::vector<std::string>;

TEST(Features, OfACpuWithEverything) {
  EXPECT_EQ(features_of(skylake_server), std::uint32_t{sse2 | avx2 | fma | avx512f | clflushopt | clwb});
}

TEST(Features, NoZmmWhereTheSystemDoesNotSaveIt) {
  CpuidWords words = skylake_server;
  words.xcr0 = 0x07;
  EXPECT_EQ(features_of(words), std::uint32_t{sse2 | avx2 | fma | clflushopt | clwb});
  words.xcr0 = 0x67;  // ZMM16 to ZMM31 are missing
  EXPECT_FALSE(features_of(words) & avx512f);
}

TEST(Features, NoYmmWhereTheSystemDoesNotSaveIt) {
  CpuidWords words = skylake_server;
  words.xcr0 = 0;
  EXPECT_EQ(features_of(words), std::uint32_t{sse2 | clflushopt | clwb});
}

TEST(Features, OfAHaswellAndOfTheFirstX86_64) {
  EXPECT_EQ(features_of({.leaf1_ecx = 1u << 12, .leaf1_edx = 1u << 26, .leaf7_ebx = 1u << 5, .xcr0 = 7}),
            std::uint32_t{sse2 | avx2 | fma});
  EXPECT_EQ(features_of({.leaf1_edx = 1u << 26}), std::uint32_t{sse2});
}

TEST(Isas, WeakestFirst) {
  EXPECT_EQ(isas(sse2), Names{"sse2"});
  EXPECT_EQ(isas(sse2 | avx2 | fma), (Names{"sse2", "avx2"}));
  EXPECT_EQ(isas(sse2 | avx2 | fma | avx512f | clwb), (Names{"sse2", "avx2", "avx512"}));
}

TEST(Runs, OnlyWithEveryFeature) {
  EXPECT_TRUE(runs(*find("load", "avx2"), sse2 | avx2));
  EXPECT_FALSE(runs(*find("triad", "avx2"), sse2 | avx2));
  EXPECT_TRUE(runs(*find("triad", "avx2"), sse2 | avx2 | fma));
  EXPECT_FALSE(runs(*find("load", "avx512"), sse2 | avx2 | fma));
  EXPECT_FALSE(runs(*find("store_clwb", "sse2"), sse2 | clflushopt));
  EXPECT_TRUE(runs(*find("store_clflushopt", "sse2"), sse2 | clflushopt));
  EXPECT_TRUE(runs(*find("chase", "x86"), 0));
}

}  // namespace
}  // namespace gable::kernels

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

TEST(Features, OfACpuWithEverything) {
  EXPECT_EQ(cpu_of(skylake_server).features, std::uint32_t{sse2 | avx2 | fma | avx512f | clflushopt | clwb});
}

TEST(Features, NoZmmWhereTheSystemDoesNotSaveIt) {
  CpuidWords words = skylake_server;
  words.xcr0 = 0x07;
  EXPECT_EQ(cpu_of(words).features, std::uint32_t{sse2 | avx2 | fma | clflushopt | clwb});
  words.xcr0 = 0x67;  // ZMM16 to ZMM31 are missing
  EXPECT_FALSE(cpu_of(words).features & avx512f);
}

TEST(Features, NoYmmWhereTheSystemDoesNotSaveIt) {
  CpuidWords words = skylake_server;
  words.xcr0 = 0;
  EXPECT_EQ(cpu_of(words).features, std::uint32_t{sse2 | clflushopt | clwb});
}

TEST(Features, OfAHaswellAndOfTheFirstX86_64) {
  EXPECT_EQ(cpu_of(CpuidWords{.leaf1_ecx = 1u << 12, .leaf1_edx = 1u << 26, .leaf7_ebx = 1u << 5, .xcr0 = 7})
                .features,
            std::uint32_t{sse2 | avx2 | fma});
  EXPECT_EQ(cpu_of(CpuidWords{.leaf1_edx = 1u << 26}).features, std::uint32_t{sse2});
}

// A Neoverse N1: HWCAP of Linux 5.4, lines of 64 bytes, DC ZVA of 64 bytes.
constexpr Aarch64Words neoverse_n1 = {.hwcap = 1u << 1 | 1u << 16, .ctr = 0x8444c004, .dczid = 4};

TEST(Features, OfAarch64) {
  const Cpu cpu = cpu_of(neoverse_n1);
  EXPECT_EQ(cpu.features, std::uint32_t{neon | cvap | zva});
  EXPECT_EQ(cpu.zva_bytes, 64u);
  EXPECT_EQ(cpu.line_bytes, 64u);
  EXPECT_EQ(cpu.sve_bytes, 0u);
}

// An A64FX: SVE of 512 bits, lines and DC ZVA of 256 bytes, which the kernels for lines of 64 bytes are not
// for.
TEST(Features, OfAnA64fx) {
  const Cpu cpu = cpu_of(
      Aarch64Words{.hwcap = 1u << 1 | 1u << 16 | 1u << 22, .ctr = 0x86668006, .dczid = 6, .sve_bytes = 64});
  EXPECT_EQ(cpu.features, std::uint32_t{neon | sve | zva});
  EXPECT_EQ(cpu.sve_bytes, 64u);
  EXPECT_EQ(cpu.zva_bytes, 256u);
  EXPECT_EQ(cpu.line_bytes, 256u);
}

TEST(Features, NoZvaWhereItIsProhibitedOrTooLarge) {
  Aarch64Words words = neoverse_n1;
  words.dczid = 4 | 1u << 4;
  EXPECT_EQ(cpu_of(words).features, std::uint32_t{neon | cvap});
  EXPECT_EQ(cpu_of(words).zva_bytes, 0u);
  words.dczid = 9;
  EXPECT_FALSE(cpu_of(words).features & zva);
}

TEST(InBytes, CountsGrowWithTheVector) {
  Kernel kernel = {};
  kernel.unit = Unit::sve_vectors;
  kernel.vector_bytes = 16;
  kernel.load_bytes = 64;
  kernel.store_bytes = 32;
  kernel.flops = 8;
  kernel.stream_bytes[0] = 64;
  kernel.stream_bytes[2] = 32;
  kernel.accumulators = 24;
  const Kernel longer = in_bytes(kernel, 64, 256);
  EXPECT_EQ(longer.vector_bytes, 64u);
  EXPECT_EQ(longer.load_bytes, 256u);
  EXPECT_EQ(longer.store_bytes, 128u);
  EXPECT_EQ(longer.flops, 32u);
  EXPECT_EQ(longer.stream_bytes[0], 256u);
  EXPECT_EQ(longer.stream_bytes[2], 128u);
  EXPECT_EQ(longer.accumulators, 24u);
  EXPECT_EQ(in_bytes(kernel, 0, 0).load_bytes, 64u);
  kernel.unit = Unit::zva_blocks;
  EXPECT_EQ(in_bytes(kernel, 64, 256).store_bytes, 512u);
  EXPECT_EQ(in_bytes(kernel, 64, 256).vector_bytes, 16u);
  kernel.unit = Unit::bytes;
  EXPECT_EQ(in_bytes(kernel, 64, 256).load_bytes, 64u);
}

}  // namespace
}  // namespace gable::kernels

// Compares the table with the machine code: the disassembly of each loop must match its entry.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/kernels/check.hpp"
#include "tests/kernels/matched.hpp"
#include "tests/kernels/objdump.hpp"

// The start of the loaded program; the linker defines it.
extern "C" const char __executable_start[];

namespace gable {
namespace {

using kernels::Kernel;
using kernels::Kind;
using tests::Instruction;

const std::vector<Instruction>& code_of(const Kernel& kernel) {
  static const std::vector<Instruction> none;
  const auto found = tests::disassembly().find(kernel.name);
  return found == tests::disassembly().end() ? none : found->second;
}

// How the counted loop differs from the entry; empty if they match.
std::string difference(const Kernel& kernel) {
  const auto loop = tests::loop_of(code_of(kernel));
  if (loop.empty()) return "no loop was found";
  const tests::Counts counts = tests::count(loop);
  std::string text;
  const auto compare = [&](const char* what, std::uint64_t counted, std::uint64_t claimed) {
    if (counted == claimed) return;
    text += std::string(what) + ": " + std::to_string(counted) + " counted, " + std::to_string(claimed) +
            " claimed; ";
  };
  compare("load bytes", counts.load_bytes, kernel.load_bytes);
  compare("store bytes", counts.store_bytes, kernel.store_bytes);
  compare("flops", counts.flops, kernel.flops);
  return text;
}

// Whether every byte that the loop steps over is touched exactly once.
bool touches_everything_once(const Kernel& kernel) {
  tests::Counts counts = tests::count(tests::loop_of(code_of(kernel)));
  for (auto& [pointer, offsets] : counts.offsets) {
    std::sort(offsets.begin(), offsets.end());
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      if (offsets[i] != static_cast<std::int64_t>(i * kernel.vector_bytes)) return false;
    }
    if (counts.steps[pointer] != static_cast<std::int64_t>(offsets.size() * kernel.vector_bytes))
      return false;
  }
  return true;
}

// Whether an iteration touches every byte of its block exactly once.
bool touches_the_block_once(const Kernel& kernel) {
  tests::Counts counts = tests::count(tests::loop_of(code_of(kernel)));
  auto& offsets = counts.offsets["r10"];
  std::sort(offsets.begin(), offsets.end());
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] != static_cast<std::int64_t>(i * kernel.vector_bytes)) return false;
  }
  return counts.offsets.size() == 1 && offsets.size() * kernel.vector_bytes == kernel.store_bytes;
}

class Disassembly : public testing::Test {
 protected:
  void SetUp() override {
    if (tests::disassembly().empty()) GTEST_SKIP() << "objdump is missing (Debian package binutils)";
  }
};

TEST_F(Disassembly, CountsEqualTheTable) {
  for (const Kernel& kernel : kernels::all()) EXPECT_EQ(difference(kernel), "") << kernel.name;
}

TEST_F(Disassembly, StreamsAreTouchedOnceAndWhole) {
  for (const Kernel& kernel : kernels::all()) {
    if (kernel.kind == Kind::stream) {
      EXPECT_TRUE(touches_everything_once(kernel)) << kernel.name;
    }
    if (kernel.kind == Kind::blocks) {
      EXPECT_TRUE(touches_the_block_once(kernel)) << kernel.name;
    }
  }
}

// Every line of a block is written back once, after its stores; except for plain stores, a fence ends the
// iteration.
TEST_F(Disassembly, BlocksAreFencedBeforeTheNextOne) {
  for (const Kernel& kernel : kernels::all()) {
    if (kernel.kind != Kind::blocks) continue;
    const std::string op = kernel.op;
    const bool persists = op.ends_with("_clwb") || op.ends_with("_clflushopt");
    std::set<std::uint64_t> lines;
    std::size_t stores_after = 0, last_store = 0, fence = 0, at = 0;
    for (const Instruction& instruction : tests::loop_of(code_of(kernel))) {
      ++at;
      if (instruction.mnemonic == "sfence") fence = at;
      const auto place = tests::matched(R"((0x([0-9a-f]+))?\(%r10\))", instruction.operands);
      if (place.empty()) continue;
      if (instruction.mnemonic == "clwb" || instruction.mnemonic == "clflushopt") {
        lines.insert(place[2].empty() ? 0 : std::stoull(place[2], nullptr, 16));
      } else {
        last_store = at;
        stores_after += !lines.empty();
      }
    }
    EXPECT_EQ(stores_after, 0u) << kernel.name;
    EXPECT_EQ(lines.size() * 64, persists ? kernel.store_bytes : 0) << kernel.name;
    if (persists) {
      EXPECT_EQ(*lines.rbegin(), kernel.store_bytes - 64) << kernel.name;
    }
    EXPECT_EQ(fence > last_store, persists || op.ends_with("_nt")) << kernel.name;
  }
}

TEST_F(Disassembly, NoticesFalseCounts) {
  const std::map<std::string, std::string> expected = {
      {"nothing", ""},
      {"claims_load", "load bytes: 128 counted, 160 claimed; "},
      {"claims_flop", "flops: 0 counted, 4 claimed; "}};
  for (const Kernel& kernel : tests::sabotaged()) {
    if (const auto found = expected.find(kernel.isa); found != expected.end()) {
      EXPECT_EQ(difference(kernel), found->second) << kernel.name;
    }
    if (kernel.isa == std::string("overreads")) {
      EXPECT_FALSE(touches_everything_once(kernel));
    }
  }
}

// A kernel uses the registers of its ISA, and no wider ones.
TEST_F(Disassembly, RegistersAreThoseOfTheIsa) {
  const std::map<std::string, std::pair<const char*, const char*>> uses = {{"x86", {"%r", "%[xyz]mm"}},
                                                                           {"sse2", {"%xmm", "%[yz]mm"}},
                                                                           {"avx2", {"%ymm", "%zmm"}},
                                                                           {"avx512", {"%zmm", "%ymm"}}};
  for (const Kernel& kernel : kernels::all()) {
    const auto [own, foreign] = uses.at(kernel.isa);
    bool used = false;
    for (const Instruction& instruction : code_of(kernel)) {
      used = used || !tests::matched(own, instruction.operands).empty();
      EXPECT_TRUE(tests::matched(foreign, instruction.operands).empty()) << kernel.name;
      const bool vex = instruction.mnemonic[0] == 'v';
      EXPECT_FALSE(vex && (kernel.vector_bytes < 32)) << kernel.name << ": " << instruction.mnemonic;
    }
    EXPECT_TRUE(used) << kernel.name;
  }
}

TEST_F(Disassembly, NonTemporalOnesAreNonTemporal) {
  for (const Kernel& kernel : kernels::all()) {
    const std::string op = kernel.op;
    const bool nt = op.size() > 3 && op.ends_with("_nt");
    const bool flushes = op.ends_with("_clwb") || op.ends_with("_clflushopt");
    int nt_accesses = 0, fences = 0, line_flushes = 0;
    for (const Instruction& instruction : code_of(kernel)) {
      nt_accesses += instruction.mnemonic.find("movnt") != std::string::npos;
      fences += instruction.mnemonic == "sfence";
      line_flushes += instruction.mnemonic == "clwb" || instruction.mnemonic == "clflushopt";
    }
    const std::uint32_t bytes = op == "load_nt" ? kernel.load_bytes : nt ? kernel.store_bytes : 0;
    EXPECT_EQ(nt_accesses * kernel.vector_bytes, bytes) << kernel.name;
    EXPECT_EQ(line_flushes * 64u, flushes ? kernel.store_bytes : 0) << kernel.name;
    EXPECT_EQ(fences, (nt && kernel.store_bytes > 0) || flushes ? 1 : 0) << kernel.name;
  }
}

// The entry's code address is that of the symbol with this name.
TEST_F(Disassembly, EveryEntryCallsItsOwnCode) {
  const auto& first = kernels::all().front();
  const auto address = [](const Kernel& kernel) { return reinterpret_cast<std::uintptr_t>(kernel.code); };
  ASSERT_FALSE(code_of(first).empty());
  const std::uint64_t shift = address(first) - code_of(first).front().address;
  EXPECT_TRUE(shift == 0 || shift == reinterpret_cast<std::uintptr_t>(__executable_start));
  for (const Kernel& kernel : kernels::all()) {
    ASSERT_FALSE(code_of(kernel).empty()) << kernel.name;
    EXPECT_EQ(address(kernel), code_of(kernel).front().address + shift) << kernel.name;
  }
}

}  // namespace
}  // namespace gable

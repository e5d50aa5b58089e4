// Compares the table with the machine code: the disassembly of each loop must match its entry.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/kernels/check.hpp"
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

// A string instruction moves what a register says. The reference and the guard pages show that it moves the
// streams, from which the entry must then count.
bool moves_strings(const Kernel& kernel) {
  return std::ranges::any_of(code_of(kernel), [](const Instruction& each) {
    return each.mnemonic == "rep" && each.operands.starts_with("movsb");
  });
}

// How the counted loop differs from the entry; empty if they match.
std::string difference(const Kernel& kernel) {
  const auto loop = tests::loop_of(code_of(kernel));
  if (loop.empty()) return "no loop was found";
  tests::Counts counts = tests::count(loop);
  if (moves_strings(kernel)) {
    counts.load_bytes = kernel.stream_bytes[0];
    counts.store_bytes = kernel.stream_bytes[2];
  }
  std::string text;
  const auto compare = [&](const char* what, std::uint64_t counted, std::uint64_t claimed) {
    if (counted == claimed) return;
    text += std::string(what) + ": " + std::to_string(counted) + " counted, " + std::to_string(claimed) +
            " claimed; ";
  };
  compare("load bytes", counts.load_bytes, kernel.load_bytes);
  compare("store bytes", counts.store_bytes, kernel.store_bytes);
  compare("flops", counts.flops, kernel.flops);
  if (kernel.kind == Kind::random && kernel.additions > 0 && kernel.store_bytes == 0)
    compare("instructions", loop.size(), kernel.additions);
  return text;
}

// Whether accesses cover a piece of memory from its start, without gaps and overlaps; its size, or 0 if not.
std::int64_t covered(std::vector<tests::Access> accesses) {
  std::sort(accesses.begin(), accesses.end(), [](auto& a, auto& b) { return a.offset < b.offset; });
  std::int64_t end = 0;
  for (const auto& [offset, bytes] : accesses) {
    if (offset != end) return 0;
    end += bytes;
  }
  return end;
}

// Whether every byte that the loop steps over is touched exactly once.
bool touches_everything_once(const Kernel& kernel) {
  const tests::Counts counts = tests::count(tests::loop_of(code_of(kernel)));
  return std::ranges::all_of(counts.accesses, [&](const auto& of_pointer) {
    const std::int64_t bytes = covered(of_pointer.second);
    return bytes > 0 && bytes == counts.steps.at(of_pointer.first);
  });
}

// Whether an iteration touches every byte of its block exactly once.
bool touches_the_block_once(const Kernel& kernel) {
  const tests::Counts counts = tests::count(tests::loop_of(code_of(kernel)));
  return counts.accesses.size() == 1 &&
         covered(counts.accesses.begin()->second) == kernel.load_bytes + kernel.store_bytes;
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
    if (kernel.kind == Kind::stream && !moves_strings(kernel)) {
      EXPECT_TRUE(touches_everything_once(kernel)) << kernel.name;
    }
    if (kernel.kind == Kind::blocks || kernel.kind == Kind::reads) {
      EXPECT_TRUE(touches_the_block_once(kernel)) << kernel.name;
    }
  }
}

bool writes_back(std::string_view op) {
  return op.ends_with("_clwb") || op.ends_with("_clflushopt") || op.ends_with("_cvap");
}

// Every line of a block is written back once, after its stores; except for plain stores, a fence ends the
// iteration.
TEST_F(Disassembly, BlocksAreFencedBeforeTheNextOne) {
  for (const Kernel& kernel : kernels::all()) {
    if (kernel.kind != Kind::blocks) continue;
    const std::string op = kernel.op;
    const tests::Counts counts = tests::count(tests::loop_of(code_of(kernel)));
    const std::set<std::int64_t> lines(counts.written_back.begin(), counts.written_back.end());
    EXPECT_EQ(counts.stores_after_write_back, 0) << kernel.name;
    EXPECT_EQ(lines.size() * 64, writes_back(op) ? kernel.store_bytes : 0) << kernel.name;
    if (!lines.empty()) {
      EXPECT_EQ(*lines.rbegin(), kernel.store_bytes - 64) << kernel.name;
    }
    EXPECT_EQ(counts.fenced_last, writes_back(op) || op.ends_with("_nt")) << kernel.name;
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

TEST_F(Disassembly, RegistersAreThoseOfTheIsa) {
  for (const Kernel& kernel : kernels::all())
    EXPECT_EQ(tests::foreign_registers(kernel, code_of(kernel)), "") << kernel.name;
}

TEST_F(Disassembly, NonTemporalOnesAreNonTemporal) {
  for (const Kernel& kernel : kernels::all()) {
    const std::string op = kernel.op;
    const bool nt = op.size() > 3 && op.ends_with("_nt");
    const tests::Counts counts = tests::count(code_of(kernel));
    EXPECT_EQ(counts.non_temporal_bytes, op == "load_nt" ? kernel.load_bytes
                                         : nt            ? kernel.store_bytes
                                                         : 0)
        << kernel.name;
    EXPECT_EQ(counts.written_back.size() * 64, writes_back(op) ? kernel.store_bytes : 0) << kernel.name;
    EXPECT_EQ(counts.fences, (nt && kernel.store_bytes > 0) || writes_back(op) ? 1 : 0) << kernel.name;
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

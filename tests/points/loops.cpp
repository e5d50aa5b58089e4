// Ten loops with known flops and bytes, in every ISA and precision, with scalar tails, in one thread and in
// four: the counts are exact. Expected counts are computed here from the definition of each loop.

#include <map>
#include <tuple>

#include "tests/points/programs.hpp"

namespace gable::points::tests {
namespace {

constexpr std::uint64_t
    n1 = 61,
    n2 = 101;  // both have a remainder of 5 for every vector length, so the tails are equal
const std::vector<std::string> all_loops = {"copy", "scale", "add",    "triad",   "dot",
                                            "gemm", "axpy",  "divide", "integer", "gather"};

struct Variant {
  std::string isa, precision;
  bool is_double() const { return precision == "dp"; }
  bool has_fma() const { return isa == "avx2"; }
  int bits() const { return isa == "sse2" ? 128 : 256; }
  std::uint64_t element() const { return is_double() ? 8 : 4; }
  std::uint64_t lanes() const { return bits() / 8 / element(); }
};

// Elements read and written in each pass over the data, and operations on each element.
struct Meaning {
  std::uint64_t loads, stores;
  std::vector<Op> operations;
};

const std::map<std::string, Meaning> meanings = {
    {"copy", {1, 1, {}}},
    {"scale", {1, 1, {Op::mul}}},
    {"add", {2, 1, {Op::add}}},
    {"triad", {2, 1, {Op::mul, Op::add}}},
    {"dot", {2, 0, {Op::mul, Op::add}}},
    {"gemm", {2, 1, {Op::mul, Op::add}}},
    {"axpy", {2, 1, {Op::mul, Op::add}}},
    {"divide", {2, 1, {Op::div, Op::sqrt}}},
    {"integer", {2, 1, {}}},
    {"gather", {1, 1, {}}},
};

bool is_multiply_add(const Meaning& meaning) {
  return meaning.operations == std::vector{Op::mul, Op::add};
}

// Adds `passes` passes of n elements each: whole vectors, then single elements.
void add_flops(Work& work, const Variant& variant, const Meaning& meaning, std::uint64_t passes,
               std::uint64_t n) {
  const Precision precision = variant.is_double() ? Precision::dp : Precision::sp;
  const std::uint64_t tail = passes * (n % variant.lanes()), whole = passes * n - tail;
  const auto add = [&](Op operation, std::uint64_t flops_each) {
    work += Work{{{operation, precision, variant.bits(), flops_each * whole}}, 0, 0};
    work += Work{{{operation, precision, 0, flops_each * tail}}, 0, 0};
  };
  if (is_multiply_add(meaning) && variant.has_fma()) return add(Op::fma, 2);
  for (const Op operation : meaning.operations) add(operation, 1);
}

// The work of one call of a loop of loops.S; n leaves a tail.
Work expected(const std::string& loop, const Variant& variant, std::uint64_t n) {
  const Meaning& meaning = meanings.at(loop);
  const std::uint64_t passes = loop == "gemm" ? n * n : 1, e = variant.element();
  Work work{{}, meaning.loads * passes * n * e, meaning.stores * passes * n * e};
  if (loop == "gather") *work.load_bytes += 8 * n;                 // the indices
  if (loop == "gemm") *work.load_bytes += n * n * e;               // a[i][k], once per pass
  if (loop == "dot") *work.store_bytes += variant.bits() / 8 + e;  // the sums
  add_flops(work, variant, meaning, passes, n);
  return work;
}

std::uint64_t flops_of_all(const Variant& variant, std::uint64_t n) {
  std::uint64_t flops = 0;
  for (const std::string& loop : all_loops) flops += expected(loop, variant, n).flop_count();
  return flops;
}

bool runs_here(const Variant& variant) {
  if (variant.isa == "avx") return __builtin_cpu_supports("avx");
  if (variant.isa == "avx2") return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return true;
}

class Loops : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_VALGRIND();
    if (!runs_here(variant())) GTEST_SKIP() << "this CPU has no " << variant().isa;
  }
  Variant variant() const { return {std::get<0>(GetParam()), std::get<1>(GetParam())}; }
  Counts run(const std::string& source, std::uint64_t n, int threads) const {
    const std::string name = "loops_" + source + "_" + variant().isa + "_" + variant().precision;
    return count({program(name), std::to_string(n), std::to_string(threads)}, true);
  }
};

TEST_P(Loops, AssemblyIsCountedExactly) {
  for (const std::uint64_t n : {n1, n2}) {
    const Counts counts = run("asm", n, 1);
    for (const std::string& loop : all_loops) {
      EXPECT_EQ(body_of(counts, loop + "_loop"), expected(loop, variant(), n)) << loop << " of " << n;
    }
    EXPECT_EQ(counts.total.flop_count(), flops_of_all(variant(), n));
  }
}

TEST_P(Loops, FourThreadsDoFourTimesAsMuch) {
  const Counts counts = run("asm", n1, 4);
  for (const std::string& loop : all_loops) {
    Work four{{}, 0, 0};
    for (int i = 0; i < 4; ++i) four += expected(loop, variant(), n1);
    EXPECT_EQ(body_of(counts, loop + "_loop", 4), four) << loop;
  }
  ASSERT_EQ(counts.processes.size(), 1u);
  ASSERT_EQ(counts.processes[0].threads.size(), 4u);
  for (const Work& thread : counts.processes[0].threads) {
    EXPECT_EQ(thread.flop_count(), flops_of_all(variant(), n1));
  }
}

// Functions and threads are counted separately and must agree.
TEST_P(Loops, FunctionsSumToTheWhole) {
  const Counts counts = run("asm", n1, 4);
  Work sum{{}, 0, 0};
  for (const FunctionCounts& function : counts.functions) sum += function.work;
  EXPECT_EQ(sum, counts.total);
}

// The compiler chooses the instructions, but the source determines the number of elements and operations. In
// the difference between two n, the code around the loops cancels. gemm's bytes depend on the compiler's use
// of registers.
TEST_P(Loops, CompiledLoopsDoWhatTheirSourceSays) {
  const Counts fewer = run("c", n1, 1), more = run("c", n2, 1);
  for (const std::string& loop : all_loops) {
    const Work before = body_of(fewer, loop + "_loop"), after = body_of(more, loop + "_loop");
    const Work low = expected(loop, variant(), n1), high = expected(loop, variant(), n2);
    EXPECT_EQ(after.flop_count() - before.flop_count(), high.flop_count() - low.flop_count()) << loop;
    if (loop == "gemm") continue;
    EXPECT_EQ(*after.load_bytes - *before.load_bytes, *high.load_bytes - *low.load_bytes) << loop;
    EXPECT_EQ(*after.store_bytes - *before.store_bytes, *high.store_bytes - *low.store_bytes) << loop;
  }
  EXPECT_EQ(more.total.flop_count(), flops_of_all(variant(), n2));
}

INSTANTIATE_TEST_SUITE_P(
    Each, Loops, testing::Combine(testing::Values("sse2", "avx", "avx2"), testing::Values("dp", "sp")),
    [](const auto& info) { return std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param); });

}  // namespace
}  // namespace gable::points::tests

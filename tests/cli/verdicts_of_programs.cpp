// Verdicts of programs whose answer is known: they run under the Valgrind tool, and their profiles are read
// for recorded roofs and caches, with the time that the part which binds them takes. The caches are small, so
// that small problems are in the same relation to them as large ones are to real caches.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/temporary_folder.hpp"
#include "cli/point/measured_point.hpp"
#include "cli/point/run/parts.hpp"
#include "model/points/binding.hpp"
#include "model/points/needs/needs.hpp"
#include "points/profile/record.hpp"
#include "tests/points/programs.hpp"

namespace gable::cli {
namespace {

using model::Limit;
using model::Point;
using model::Roof;
using model::Roofs;

constexpr double dram = 45e9, random_lines = 200e6;            // per second
constexpr double adds = 12e9, divisions = 8e9, roots = 5.2e9;  // scalar ones, per second
constexpr double core_ghz = 9, adds_per_cycle = 6;

// One core that is as fast as two of Zen 5, with caches of 8 KiB, 32 KiB and 256 KiB.
const std::string machine =
    R"({"schema":1,"name":"small","cpu_model":"one core","clusters":[{"index":0,"cores":1,"pus":[0],)"
    R"("nodes":[0],"core_pus":[[0]],"caches":[{"level":1,"bytes":8192,"count":1,"pus_sharing":1,)"
    R"("cores_sharing":1},{"level":2,"bytes":32768,"count":1,"pus_sharing":1,"cores_sharing":1},)"
    R"({"level":3,"bytes":262144,"count":1,"pus_sharing":1,"cores_sharing":1}]}],"nodes":[{"os_index":0,)"
    R"("tier":"DRAM","bytes":0,"cpuless":false,"memory_side_cache_bytes":0,"local_to":[0]}],"caches":[]})";

Roof roof_of(model::Kind kind, const char* level, const char* pattern, const char* op, double value,
             const char* unit) {
  Roof roof;
  roof.spec.kind = kind;
  roof.spec.cluster = 0;
  roof.spec.level = model::Level(level);
  roof.spec.pattern = *model::named<model::Pattern>(pattern);
  roof.spec.node = is_memory(roof.spec.level) ? 0 : -1;
  if (is_memory(roof.spec.level)) roof.spec.tier = model::Tier::dram;
  roof.spec.op = model::Operation(op);
  roof.spec.threads = 1;
  roof.value = value;
  roof.lo = 0.98 * value;
  roof.hi = 1.02 * value;
  roof.unit = unit;
  return roof;
}

// Every level gives as many bytes of any mix of loads and stores, each of which also fetches its line.
Roofs roofs() {
  Roofs all;
  for (const auto& [op, part] : {std::pair("load", 1.0), {"copy", 2.0 / 3}, {"store", 0.5}}) {
    for (const auto& [level, rate] : {std::pair("L1", 400e9), {"L2", 200e9}, {"L3", 150e9}})
      all.roofs.push_back(roof_of(model::Kind::bandwidth, level, "cache", op, part * rate / 1e9, "GB/s"));
    all.roofs.push_back(roof_of(model::Kind::bandwidth, "memory", "local", op, part * dram / 1e9, "GB/s"));
  }
  all.roofs.push_back(roof_of(model::Kind::random, "memory", "local", "random", random_lines / 1e6, "M/s"));
  for (const auto& [op, rate] : {std::pair("add", adds), {"div", divisions}, {"sqrt", roots}}) {
    Roof peak = roof_of(model::Kind::flops, "core", "core", (std::string(op) + "_scalar").c_str(), rate / 1e9,
                        "GFlop/s");
    peak.spec.precision = model::Precision::dp;
    peak.spec.kernel = std::string(op) + "_scalar_dp_avx2";
    peak.adds_per_cycle = adds_per_cycle;
    peak.clock_ghz = core_ghz;
    all.roofs.push_back(peak);
  }
  return all;
}

// A program, and the region of its name, as `gable point run --regions` has it.
class KnownProgram {
 public:
  explicit KnownProgram(std::vector<std::string> command)
      : name_(command.front()), counts_(counts_of(std::move(command))) {
    write_whole(folder_.path / "machine.json", machine);
  }

  Point region(double seconds) const {
    points::MarkedRegion timed;
    timed.name = name_;
    timed.seconds = seconds;
    timed.threads = 1;
    timed.by_one = true;
    timed.calls = 1;
    Point point = region_points(whole_, {{timed}}, counts_, 0).front();
    set_levels(point, counts_, folder_.path, {});
    return point;
  }

  // All of it, with its functions.
  Point program(double seconds) const {
    Point point = whole_;
    set_flops(point, counts_);
    set_functions(point, counts_);
    set_bytes(point, counts_.total);
    set_seconds(point, {seconds});
    set_levels(point, counts_, folder_.path, {});
    return point;
  }

 private:
  static points::Counts counts_of(std::vector<std::string> command) {
    command.front() = points::tests::program(command.front());
    return points::count_with_profile({std::move(command), true});
  }

  static Point one_thread() {
    Point point;
    point.name = "app";
    point.cluster = 0;
    point.alone = true;
    point.threads = 1;
    point.node_bytes = {{0, 1}};
    return point;
  }

  const TemporaryFolder folder_{"verdict"};
  const std::string name_;
  const points::Counts counts_;
  const Point whole_ = one_thread();
};

double memory_bytes(const Point& point) {
  return point.levels.back().read + point.levels.back().written;
}

model::Reading read(const Point& point) {
  return read_point(roofs(), point, 0, {});
}

std::string in_words(const Point& point) {
  std::string text = read(point).verdict.text();
  for (const model::LevelBytes& level : point.levels)
    text += fmt::format("; {} {:.4g} + {:.4g}", level.level.name(), level.read, level.written);
  for (const model::Need& need : needs_of(roofs(), point, 0, {}))
    text += fmt::format("; {} {:.3f} ({:.3f} to {:.3f})", need.limit.name(), need.share, need.lo, need.hi);
  return text;
}

// The verdict of `point` is that this binds it, with so much headroom; and it depends on the bytes by level:
// it is another one if all levels have the bytes of instructions, and there is none without the bytes by
// level.
void expect_bound(const Point& point, Limit::Kind kind, double headroom) {
  const model::Reading reading = read(point);
  ASSERT_FALSE(reading.roof.empty()) << in_words(point);
  EXPECT_FALSE(reading.contradictory) << in_words(point);
  EXPECT_EQ(reading.limit.kind, kind) << in_words(point);
  EXPECT_GE(reading.reached_percent, model::bound_from_percent) << in_words(point);
  EXPECT_NEAR(reading.headroom_percent, headroom, 4) << in_words(point);
  // It is never more than the largest need allows.
  const double largest = needs_of(roofs(), point, 0, {}).front().share;
  EXPECT_LE(reading.headroom_percent, std::max(0.0, 100 / largest - 100) + 1e-9);

  Point by_instructions = point;
  for (model::LevelBytes& bytes : by_instructions.levels)
    bytes = {bytes.level, std::max(point.load_bytes, point.store_bytes), point.store_bytes};
  const model::Reading other = read(by_instructions);
  EXPECT_TRUE(other.contradictory || other.limit.kind != kind || other.headroom_percent < headroom - 8)
      << in_words(by_instructions);
  by_instructions.levels.clear();
  EXPECT_NE(read(by_instructions).roof, reading.roof) << in_words(by_instructions);
}

// 12 bytes for each entry of the matrix, 8 for each row's start, 88 that are read and 32 that are written of
// the four vectors. They take 15 % more time than the memory needs.
TEST(VerdictsOfPrograms, TheMemoryBindsConjugateGradients) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int side = 40, iterations = 2;
  constexpr double rows = side * side * side, entries = 7 * rows - 6 * side * side;
  constexpr double bytes = iterations * (12 * entries + (8 + 88 + 32) * rows);
  const KnownProgram cg({"cg", std::to_string(side), std::to_string(iterations)});
  const Point point = cg.region(1.15 * bytes / dram);
  EXPECT_NEAR(memory_bytes(point) / bytes, 1, 0.03);
  EXPECT_GT((point.load_bytes + point.store_bytes) / bytes, 1.1);
  expect_bound(point, Limit::Kind::memory, 15);

  const Point whole = cg.program(10 * bytes / dram);
  const auto functions = read(whole).functions;
  const auto multiply = std::ranges::find(functions, "multiply", [&](const model::FunctionReading& each) {
    return whole.functions[each.function].function;
  });
  ASSERT_NE(multiply, functions.end());
  EXPECT_TRUE(multiply->level && is_memory(*multiply->level)) << multiply->what;
}

// 24 bytes a point, at the roof.
TEST(VerdictsOfPrograms, TheMemoryBindsAStencilOf24BytesAPoint) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int side = 64, sweeps = 3;
  constexpr double inner = side * side * side, planes = side + 2;
  // Rows are read with their ends, and planes of one array with those around the inner points.
  constexpr double bytes = sweeps * (8 * planes * planes * planes + 16 * inner);
  const KnownProgram stencil({"stencil", std::to_string(side), std::to_string(sweeps)});
  const Point point = stencil.region(bytes / dram);
  EXPECT_NEAR(memory_bytes(point) / (sweeps * inner), 24, 1.5);
  expect_bound(point, Limit::Kind::memory, 0);
}

// The bytes of instructions are more than the memory gives, and the data may be in L3 or in L2: it takes as
// long.
TEST(VerdictsOfPrograms, TheDividerBindsDivisionsAndRootsInAnyCache) {
  SKIP_WITHOUT_VALGRIND();
  for (const auto& [elements, sweeps] : {std::pair(20000, 20), {2500, 160}}) {
    const double all = 1.0 * elements * sweeps, seconds = all * (1 / divisions + 1 / roots) / 0.92;
    const KnownProgram heat({"heat", std::to_string(elements), std::to_string(sweeps)});
    const Point point = heat.region(seconds);
    EXPECT_LT(memory_bytes(point), 0.1 * (point.load_bytes + point.store_bytes)) << elements;
    expect_bound(point, Limit::Kind::flops, 100 / 0.92 - 100);
    EXPECT_TRUE(read(point).limit.op == model::Operation("sqrt_scalar")) << in_words(point);
  }
}

// A line for each probe, which nothing finds before.
TEST(VerdictsOfPrograms, RandomLinesBindAHashJoin) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int bits = 17, probes_bits = 18;
  const KnownProgram join({"hash_join", std::to_string(bits), std::to_string(probes_bits)});
  constexpr double probes = (1 << bits) + (1 << probes_bits);
  const double lines = join.region(1).levels.back().irregular / 64;
  EXPECT_NEAR(lines / probes, 1, 0.1);
  const Point point = join.region(lines / (0.92 * random_lines));
  expect_bound(point, Limit::Kind::irregular, 100 / 0.92 - 100);
}

// What it loads is in the caches.
TEST(VerdictsOfPrograms, ArithmeticBindsAMatrixProductInBlocks) {
  SKIP_WITHOUT_VALGRIND();
  constexpr int rows = 96, times = 3;
  constexpr double flops = 2.0 * times * rows * rows * rows;
  const KnownProgram dgemm({"dgemm", std::to_string(rows), std::to_string(times)});
  const Point point = dgemm.region(flops / adds / 0.92);
  EXPECT_NEAR(point.flops / flops, 1, 0.01);
  EXPECT_LT(memory_bytes(point), 3 * 8 * rows * rows);
  expect_bound(point, Limit::Kind::flops, 100 / 0.92 - 100);
}

}  // namespace
}  // namespace gable::cli

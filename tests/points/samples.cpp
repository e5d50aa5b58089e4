// Samples of instructions: where they lie, and the functions that they belong to.

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "base/perf/ring.hpp"
#include "base/temporary_folder.hpp"
#include "model/points/function_time.hpp"
#include "points/profile/build_id.hpp"
#include "points/samples/by_function.hpp"
#include "points/samples/code_records.hpp"
#include "points/samples/code_sampler.hpp"
#include "points/samples/spin_loops.hpp"
#include "tests/points/programs.hpp"

namespace gable::points::tests {
namespace {

using Kind = CodeEvent::Kind;

TEST(MappedCode, FollowsProcesses) {
  MappedCode code;
  code.take({Kind::mapped, 1, 0, 0x1000, 0x2000, 0x400, "/bin/app", 0});
  code.take({Kind::mapped, 1, 0, 0x9000, 0x1000, 0, "[vdso]", 0});
  ASSERT_TRUE(code.place_of(1, 0x1800));
  EXPECT_EQ(code.place_of(1, 0x1800)->file, "/bin/app");
  EXPECT_EQ(code.place_of(1, 0x1800)->offset, 0xc00u);
  EXPECT_FALSE(code.place_of(1, 0x3000)) << "behind its end";
  EXPECT_FALSE(code.place_of(1, 0x9100)) << "no file";
  EXPECT_FALSE(code.place_of(2, 0x1800)) << "another process";
  code.take({Kind::forked, 2, 1, 0, 0, 0, "", 0});
  EXPECT_EQ(code.place_of(2, 0x1800)->file, "/bin/app");
  code.take({Kind::replaced, 2, 0, 0, 0, 0, "", 0});
  EXPECT_FALSE(code.place_of(2, 0x1800));
  code.take({Kind::mapped, 1, 0, 0x1000, 0x2000, 0, "/lib/other", 0});
  EXPECT_EQ(code.place_of(1, 0x1800)->file, "/lib/other");
}

template <typename... Parts>
void put(std::vector<std::byte>& bytes, std::uint32_t type, std::uint16_t misc, const std::string& text,
         const Parts&... parts) {
  std::vector<std::byte> body;
  const auto add = [&](const auto& part) {
    const auto* const begin = reinterpret_cast<const std::byte*>(&part);
    body.insert(body.end(), begin, begin + sizeof part);
  };
  (add(parts), ...);
  if (!text.empty()) {  // before the trailer
    const auto* const begin = reinterpret_cast<const std::byte*>(text.c_str());
    body.insert(body.end() - 16, begin, begin + 16);
  }
  const perf_event_header header{type, misc, static_cast<std::uint16_t>(sizeof header + body.size())};
  const auto* const begin = reinterpret_cast<const std::byte*>(&header);
  bytes.insert(bytes.end(), begin, begin + sizeof header);
  bytes.insert(bytes.end(), body.begin(), body.end());
}

TEST(CodeRecords, AreParsed) {
  constexpr std::uint32_t pid = 7, tid = 8, none = 0;
  constexpr std::uint64_t time = 123, address = 0x1234, zero = 0;
  std::vector<std::byte> bytes;
  put(bytes, PERF_RECORD_MMAP2, 0, "/bin/app", pid, tid, address, std::uint64_t{0x100}, std::uint64_t{0x40},
      none, none, zero, zero, none, none, pid, tid, time);
  put(bytes, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, "", address, pid, tid, time + 1);
  put(bytes, PERF_RECORD_LOST, 0, "", zero, std::uint64_t{5}, pid, tid, time);
  CodeRecords records;
  parse_code_records(std::span(bytes).first(bytes.size() - 1), records);
  ASSERT_EQ(records.events.size(), 2u);
  EXPECT_EQ(records.lost, 0u) << "the last record is truncated";
  EXPECT_EQ(records.events[0].kind, Kind::mapped);
  EXPECT_EQ(records.events[0].file, "/bin/app");
  EXPECT_EQ(records.events[0].offset, 0x40u);
  EXPECT_EQ(records.events[0].time, time);
  EXPECT_EQ(records.events[1].address, address);
  EXPECT_EQ(records.events[1].pid, 7);
  parse_code_records(bytes, records);
  EXPECT_EQ(records.lost, 5u);
}

Counts counted() {
  Counts counts;
  counts.functions = {{"solve", "/bin/app", {}, {{0x100, 0x180}, {0x400, 0x410}}},
                      {"other", "/bin/app", {}, {{0x180, 0x1a0}}},
                      {"", "/lib/stripped.so", {}, {}}};
  counts.builds = {{"/bin/app", "aa"}, {"/lib/stripped.so", "bb"}};
  return counts;
}

CodeSamples sampled() {
  CodeSamples samples;
  samples.all = 100;
  samples.seconds = 1e-3;
  samples.kernel = 10;
  samples.in_files = {{"/bin/app", {{0x100, 20}, {0x17f, 30}, {0x180, 5}, {0x3ff, 4}, {0x405, 1}}},
                      {"/lib/stripped.so", {{0x77, 8}}},
                      {"/lib/unseen.so", {{0x77, 2}}}};
  samples.without_file = 20;
  samples.builds = {{"/bin/app", "aa"}, {"/lib/stripped.so", "bb"}, {"/lib/unseen.so", "cc"}};
  return samples;
}

TEST(FunctionSamples, EachAddressHasOneOwner) {
  const FunctionSamples found = by_function(sampled(), counted());
  EXPECT_EQ(found.of.at({"solve", "/bin/app", 0}), 51);
  EXPECT_EQ(found.of.at({"other", "/bin/app", 0}), 5);
  EXPECT_EQ(found.of.at({"", "/lib/stripped.so", 0}), 8) << "a file without symbols is one function";
  EXPECT_EQ(found.samples.elsewhere.at("/bin/app"), 4) << "between functions";
  EXPECT_EQ(found.samples.elsewhere.at("/lib/unseen.so"), 2);
  EXPECT_EQ(found.samples.elsewhere.at(""), 20);
  double sum = found.samples.kernel;
  for (const auto& [name, count] : found.of) sum += count;
  for (const auto& [file, count] : found.samples.elsewhere) sum += count;
  EXPECT_EQ(sum, found.samples.all);
}

TEST(FunctionSamples, CodeThatWasNotExecutedWhenItWasCountedIsOther) {
  Counts counts = counted();
  counts.functions.back().code = {{0x60, 0x70}, {0x80, 0x90}};
  CodeSamples samples = sampled();
  samples.in_files["/lib/stripped.so"] = {{0x6f, 3}, {0x77, 8}, {0x80, 1}};
  const FunctionSamples found = by_function(samples, counts);
  EXPECT_EQ(found.of.at({"", "/lib/stripped.so", 0}), 4);
  EXPECT_EQ(found.samples.elsewhere.at("/lib/stripped.so"), 8);
}

TEST(FunctionSamples, AnotherBuildIsRefused) {
  CodeSamples samples = sampled();
  samples.builds["/bin/app"] = "ab";
  const FunctionSamples found = by_function(samples, counted());
  EXPECT_EQ(found.samples.missing, (model::Note{model::NoteCode::sampled_other_build, {"/bin/app"}}));
  EXPECT_TRUE(found.of.empty());
  EXPECT_EQ(found.samples.all, 0);
}

TEST(FunctionSamples, AProgramWithoutASampleHasAReason) {
  const FunctionSamples found = by_function({}, counted());
  EXPECT_EQ(found.samples.missing, model::Note(model::NoteCode::sampled_never));
  EXPECT_TRUE(found.of.empty());
}

TEST(FunctionSamples, TheIdentityOfCodeIsItsBuildOrItsContent) {
  const TemporaryFolder folder("identity");
  const std::string path = folder.path / "script";
  const auto identity_of = [&](const char* text) {
    std::ofstream(path) << text;
    return code_identity(path);
  };
  const std::string one = identity_of("one");
  EXPECT_NE(one, identity_of("other"));
  EXPECT_EQ(one, identity_of("one"));
  EXPECT_EQ(code_identity(folder.path / "none"), "");
  EXPECT_EQ(code_identity(program("shares")), build_id(program("shares")));
}

TEST(SpinLoops, AreFoundByTheirInstruction) {
  const TemporaryFolder folder("spin");
  const std::string path = folder.path / "code";
  const auto write = [&](Elf64_Half machine, const std::string& instruction, std::size_t at) {
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_machine = machine;
    std::string code(reinterpret_cast<const char*>(&header), sizeof header);
    code.resize(200);
    code.replace(at, instruction.size(), instruction);
    std::ofstream(path) << code;
  };
  write(EM_X86_64, "\xf3\x90", 131);
  EXPECT_TRUE(SpinLoops(path).contain(131));
  EXPECT_TRUE(SpinLoops(path).contain(133)) << "the next instruction";
  EXPECT_TRUE(SpinLoops(path).contain(125));
  EXPECT_FALSE(SpinLoops(path).contain(160));
  EXPECT_FALSE(SpinLoops(path).contain(100));
  EXPECT_FALSE(SpinLoops(path).contain(0));
  EXPECT_FALSE(SpinLoops(path).contain(1 << 20)) << "behind its end";
  write(EM_AARCH64, "\xf3\x90", 132);
  EXPECT_FALSE(SpinLoops(path).contain(132)) << "of another architecture";
  const std::string yield = "\x3f\x20\x03\xd5";
  write(EM_AARCH64, yield, 132);
  EXPECT_TRUE(SpinLoops(path).contain(136));
  write(EM_AARCH64, yield, 133);
  EXPECT_FALSE(SpinLoops(path).contain(136)) << "no instruction begins there";
  std::ofstream(path) << std::string(200, '\x90') + "\xf3\x90";
  EXPECT_FALSE(SpinLoops(path).contain(200)) << "no ELF file";
  EXPECT_FALSE(SpinLoops(folder.path / "none").contain(0));
}

// A loop lies in its function, and a loop in the loop; their order does not matter.
TEST(FunctionSamples, OfALoopAreNotItsFunctions) {
  const FunctionCounts loop{"solve", "/bin/app", {}, {{0xf0, 0x180}}, 0xf0};
  const FunctionCounts inner{"solve", "/bin/app", {}, {{0x170, 0x180}}, 0x170};
  for (const auto& loops : {std::vector{loop, inner}, std::vector{inner, loop}}) {
    Counts counts = counted();
    counts.functions[0].code[0].from = 0xe0;
    counts.functions.insert(counts.functions.begin(), loops.begin(), loops.end());
    const FunctionSamples found = by_function(sampled(), counts);
    EXPECT_EQ(found.of.at({"solve", "/bin/app", 0}), 1) << "outside of the loops";
    EXPECT_EQ(found.of.at({"solve", "/bin/app", 0xf0}), 20) << "before the inner one";
    EXPECT_EQ(found.of.at({"solve", "/bin/app", 0x170}), 30);
    EXPECT_EQ(found.of.at({"other", "/bin/app", 0}), 5);
  }
}

TEST(FunctionSamples, OfSeveralRunsAddUp) {
  CodeSamples sum = sampled();
  sum.spinning["/bin/app"] = 4;
  CodeSamples more = sampled();
  more.spinning["/bin/app"] = 3;
  sum += more;
  EXPECT_EQ(sum.all, 200);
  EXPECT_EQ(sum.spinning.at("/bin/app"), 7);
  EXPECT_EQ(sum.in_files.at("/bin/app").at(0x17f), 60);
  CodeSamples none;
  none.missing = model::NoteCode::sampled_other_program;
  sum += none;
  EXPECT_EQ(sum.all, 0);
  EXPECT_FALSE(sum.missing.empty());
}

// Whether `share` lies in an interval that is two and a half times as wide as the measured one of 95 %.
bool shows(const FunctionSamples& found, const std::string& function, double share) {
  constexpr double wider = 2.5;
  const double once = found.of.at({"once", program("shares"), 0}),
               thrice = found.of.at({"thrice", program("shares"), 0});
  model::Samples both;
  both.all = once + thrice;
  const auto time = model::time_share(both, function == "once" ? once : thrice);
  return share >= time->value - wider * (time->value - time->lo) &&
         share <= time->value + wider * (time->hi - time->value);
}

TEST(FunctionSamples, ShareTimeAsTheFunctionsShareWork) {
  SKIP_WITHOUT_VALGRIND();
  const Counts counts = count({program("shares"), "1"}, true);
  bool once = false, thrice = false;
  FunctionSamples found;
  for (int i = 0; i < 3 && !(once && thrice); ++i) {  // a busy machine may slow one of them down
    const SampledRun run = run_sampled({program("shares"), "2000"}, {});
    EXPECT_EQ(run.ending.status, 0);
    if (!run.samples.missing.empty()) GTEST_SKIP() << sentence(run.samples.missing);
    found = by_function(run.samples, counts);
    ASSERT_TRUE(found.of.contains({"once", program("shares"), 0})) << "no function was sampled";
    once = shows(found, "once", 0.25);
    thrice = shows(found, "thrice", 0.75);
  }
  EXPECT_TRUE(once) << found.of.at({"once", program("shares"), 0}) << " of " << found.samples.all;
  EXPECT_TRUE(thrice) << found.of.at({"thrice", program("shares"), 0}) << " of " << found.samples.all;
  EXPECT_GT(found.samples.kernel, 0);
}

}  // namespace
}  // namespace gable::points::tests

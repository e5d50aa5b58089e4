// Bytes by level that other tools counted or simulated.

#include "tests/points/importing.hpp"

namespace gable::points {
namespace {

using model::Level;
using tests::expect_error;
using tests::with;

void expect_level(const ImportedRegion& region, std::size_t index, const Level& level, double read,
                  double written) {
  ASSERT_LT(index, region.levels.size());
  EXPECT_EQ(region.levels[index].level.name(), level.name());
  EXPECT_DOUBLE_EQ(region.levels[index].read, read);
  EXPECT_DOUBLE_EQ(region.levels[index].written, written);
}

bool has_note(const ImportedRegion& region, model::NoteCode code) {
  return std::ranges::any_of(region.notes, [&](const model::Note& note) { return note.code == code; });
}

// A group of likwid with its metrics, of two hardware threads.
std::string group(int number, const std::string& seconds, const std::string& metrics) {
  const std::string table = "TABLE,Group " + std::to_string(number);
  return table + " Raw,G,1\nEvent,Counter,HWThread 0,HWThread 1\nRETIRED_SSE_AVX_FLOPS_ALL,PMC2,5,7\n" +
         table + " Metric,G,1\nMetric,HWThread 0,HWThread 1\nRuntime (RDTSC) [s]," + seconds + "," + seconds +
         "\n" + metrics;
}

// Counters of the memory belong to the first thread of a socket.
TEST(ImportLevels, OfLikwidAreTheVolumesOfAllThreads) {
  const std::string text =
      group(1, "2",
            "Memory read bandwidth [MBytes/s],16850,0\nMemory read data volume [GBytes],33.7,0\n"
            "Memory write data volume [GBytes],0.8,-\nMemory data volume [GBytes],34.5,0\n"
            "L2D load data volume [GBytes],20,25\nL2D evict data volume [GBytes],1,2\n");
  const ImportedRegion region = import_likwid(text, "f").front();
  EXPECT_EQ(region.levels.size(), 2u);
  expect_level(region, 0, Level("L2"), 45e9, 3e9);
  expect_level(region, 1, Level::memory(), 33.7e9, 0.8e9);
  EXPECT_FALSE(has_note(region, model::NoteCode::level_bytes_together));
  expect_error([&] { import_likwid(with(text, "33.7,0", "33.7,x"), "f"); }, "'x' of Memory read data volume");
  EXPECT_TRUE(import_likwid(group(1, "2", "Clock [MHz],1,2\n"), "f").front().levels.empty());
}

// Of two groups that took turns, each counted for a part of the time; each has half of the channels.
TEST(ImportLevels, OfGroupsThatTookTurnsAreScaled) {
  const ImportedRegion region =
      import_likwid(
          group(1, "1", "Memory data volume (channels 0-3) [GBytes],3,0\n") +
              group(2, "3", "Memory data volume (channels 4-7) [GBytes],9,0\nL3 data volume [GBytes],1,1\n"),
          "f")
          .front();
  ASSERT_EQ(region.levels.size(), 2u);
  expect_level(region, 1, Level::memory(), 4 * 3e9 + 4.0 / 3 * 9e9, 0);
  EXPECT_TRUE(has_note(region, model::NoteCode::level_bytes_together));
}

TEST(ImportLevels, OfAdvisorAreThoseOfItsSimulation) {
  const std::string text =
      "Function Call Sites and Loops,Self Elapsed Time,Self GFLOP,Self Loaded GB,Self Stored GB,Self L2 "
      "Loaded GB,"
      "Self L2 Stored GB,Self DRAM Loaded GB,Self DRAM Stored GB\n"
      "a,0.5s,2,24,8,20,5,10,4\nb,0.5s,2,24,8,0,0,0,0\n";
  const auto regions = import_advisor(text, "f");
  ASSERT_EQ(regions.size(), 2u);
  expect_level(regions[0], 0, Level("L2"), 20e9, 5e9);
  expect_level(regions[0], 1, Level::memory(), 10e9, 4e9);
  EXPECT_TRUE(regions[1].levels.empty()) << "without a simulation all are 0";
}

// As cachegrind 3.19 writes it; callgrind has another order of events.
constexpr const char* cachegrind =
    "desc: I1 cache:         32768 B, 64 B, 8-way associative\n"
    "desc: D1 cache:         32768 B, 64 B, 8-way associative\n"
    "desc: LL cache:         1048576 B, 64 B, 16-way associative\n"
    "cmd: ./triad 100000 20\nevents: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw \nfl=triad.c\nfn=main\n"
    "9 20 1 1 8 2 1 4 1 1\nsummary: 20 1 1 8000 200 100 4000 90 80 \n";

TEST(ImportLevels, OfCachegrindAreMissesTimesTheLine) {
  EXPECT_EQ(import_format(cachegrind, "f"), "cachegrind");
  const auto regions = import_cachegrind(cachegrind, "f");
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].loads, 8000);
  EXPECT_EQ(regions[0].stores, 4000);
  expect_level(regions[0], 0, Level("L2"), 290 * 64, 90 * 64);
  expect_level(regions[0], 1, Level::memory(), 180 * 64, 80 * 64);
  EXPECT_TRUE(has_note(regions[0], model::NoteCode::write_backs_not_counted));
  const std::string lines = "\nevents: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw\nsummary: 20 8 4 1 3 2 1 2\n";
  const std::string caches = std::string(cachegrind).substr(0, std::string(cachegrind).find("cmd:"));
  expect_level(import_cachegrind("version: 1\n" + caches + lines, "f")[0], 1, Level::memory(), 2 * 64, 0);
}

TEST(ImportLevels, DamageIsNamed) {
  const std::string whole = cachegrind;
  const auto of = [](const std::string& text) { return [text] { import_cachegrind(text, "f"); }; };
  expect_error(of(whole.substr(0, whole.find("summary"))), "no summary");
  expect_error(of(with(whole, "8000 200", "8000 many")), "f:9: 'many' of D1mr");
  expect_error(of(with(whole, "80 \n", "80 1\n")), "f:9: more sums than events");
  expect_error(of(with(whole, "DLmr", "Other")), "no event DLmr");
  expect_error(of(with(whole, "1048576 B, 64 B", "1048576 B, 0 B")), "f:3: no size of a cache line");
  expect_error(of(with(whole, "LL cache", "L3 cache")), "no 'desc: LL cache:'");
}

}  // namespace
}  // namespace gable::points

// Noise with known sources: their periods, lengths and shares are found.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/json/lines.hpp"
#include "model/records/virt.hpp"
#include "model/virt/noise.hpp"
#include "model/virt/random.hpp"
#include "model/virt/summary.hpp"

namespace {

using gable::model::Detour;
using gable::model::Noise;
using gable::model::noise_of;
using gable::model::NoiseSource;
using gable::model::NoteCode;
using gable::model::Random;
using gable::model::Status;
using gable::model::VirtSample;

struct Injected {
  double period_us, length_us, jitter_us;
};

// A record with these sources, and `random_per_second` exponential detours of 3 us besides.
VirtSample record(const std::vector<Injected>& sources, double seconds, double random_per_second, int round) {
  Random random(100 + static_cast<std::uint64_t>(round));
  VirtSample sample;
  sample.spec.kind = gable::model::VirtKind::noise;
  sample.spec.what = "detours";
  sample.spec.cpu = 3;
  sample.round = round;
  sample.seconds = {seconds};
  sample.work = {seconds * 4e7};
  sample.threshold_us = 0.2;
  std::vector<Detour> all;
  for (const Injected& source : sources) {
    for (double at = source.period_us * random.uniform(); at < seconds * 1e6 - 2000; at += source.period_us)
      all.push_back({at + std::abs(source.jitter_us * random.normal()),
                     source.length_us * (1 + 0.05 * random.normal())});
  }
  for (double at = 0; random_per_second > 0;) {
    at += random.exponential(1e6 / random_per_second);
    if (at > seconds * 1e6 - 2000) break;
    all.push_back({at, 0.2 + random.exponential(3)});
  }
  std::ranges::sort(all, {}, &Detour::begin_us);
  double end = 0;
  for (Detour detour : all) {
    detour.begin_us = std::max(detour.begin_us, end + 0.01);
    end = detour.begin_us + detour.length_us;
    sample.detours.push_back(detour);
  }
  sample.interrupts = {{"LOC Local timer interrupts", 250 * seconds}, {"RES Rescheduling interrupts", 3}};
  sample.started = "2026-01-01T00:00:00Z";
  return sample;
}

const NoiseSource* near(const Noise& noise, double period_us) {
  for (const NoiseSource& source : noise.sources) {
    if (std::abs(source.period_us / period_us - 1) < 0.05) return &source;
  }
  return nullptr;
}

TEST(VirtNoise, NotesOfVisitsAreCounted) {
  std::vector<VirtSample> samples;
  for (int round = 0; round < 4; ++round) samples.push_back(record({{4000, 2.5, 5}}, 1, 0, round));
  EXPECT_TRUE(virt_summary(samples).notes.empty());
  samples[0].notes = {{NoteCode::others_busy, {0.6}}, NoteCode::record_full};
  samples[2].notes = {{NoteCode::others_busy, {1.9}}};
  samples[3].notes = {{NoteCode::others_busy, {3.1}}};
  samples[3].status = Status::skipped;
  const auto notes = virt_summary(samples).notes.at(gable::model::VirtKind::noise);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0],
            "2 of 3 visits: other processes kept 0.6 to 1.9 CPUs busy; measure again on an idle machine.");
  EXPECT_EQ(notes[1], "1 of 3 visits: the record ended early, at its largest number of detours.");
}

TEST(VirtNoise, FindsPeriodsAndLengthsWithinFivePercent) {
  const std::vector<Injected> sources = {{4000, 2.5, 5}, {37'300, 420, 40}, {1013, 12, 3}};
  std::vector<VirtSample> samples;
  for (int round = 0; round < 3; ++round) samples.push_back(record(sources, 1, 50, round));
  const std::vector<Noise> noises = noise_of(samples);
  ASSERT_EQ(noises.size(), 1u);
  double share = 0;
  for (const Injected& source : sources) {
    const NoiseSource* const found = near(noises[0], source.period_us);
    ASSERT_NE(found, nullptr) << source.period_us;
    EXPECT_NEAR(found->period_us / source.period_us, 1, 0.005);
    EXPECT_NEAR(found->length_us / source.length_us, 1, 0.05);
    EXPECT_GT(found->seen, 0.8);
    share += source.length_us / source.period_us;
  }
  EXPECT_EQ(noises[0].sources.size(), sources.size());
  EXPECT_EQ(near(noises[0], 4000)->name, "LOC Local timer interrupts");
  EXPECT_EQ(near(noises[0], 1013)->name, "");
  EXPECT_NEAR(noises[0].share.value, share + 50 * 3.2e-6, 0.1 * share);
  EXPECT_LE(noises[0].share.lo, noises[0].share.value);
  int in_bins = 0;
  for (const auto& bin : noises[0].histogram) in_bins += bin.detours;
  EXPECT_EQ(in_bins, noises[0].detours);
}

// Whenever the records began.
TEST(VirtNoise, AFewDetoursInManyRecordsTellTheirPeriod) {
  constexpr double period_us = 100'000;
  for (double first_us = 1000; first_us < period_us; first_us += 7000) {
    std::vector<VirtSample> samples(10, record({}, 0.8, 0, 0));
    for (VirtSample& sample : samples) {
      for (int i = 0; i < 8; ++i) sample.detours.push_back({first_us + i * period_us, 20});
    }
    const Noise noise = noise_of(samples).front();
    ASSERT_EQ(noise.sources.size(), 1u) << first_us;
    EXPECT_NEAR(noise.sources.front().period_us / period_us, 1, 0.001) << first_us;
  }
}

TEST(VirtNoise, FindsNoPeriodInNoise) {
  int found = 0;
  for (int round = 0; round < 10; ++round)
    found += noise_of({record({}, 1, 300, round)}).front().sources.empty() ? 0 : 1;
  EXPECT_LE(found, 1);
}

TEST(VirtNoise, AQuietCpuLosesNothing) {
  const Noise quiet = noise_of({record({}, 1, 0, 0)}).front();
  EXPECT_EQ(quiet.detours, 0);
  EXPECT_EQ(quiet.share.value, 0);
  EXPECT_TRUE(quiet.histogram.empty());
}

TEST(VirtNoise, RecordsAreReadAsTheyWereWritten) {
  const VirtSample written = record({{4000, 2.5, 5}}, 0.1, 20, 1);
  const VirtSample read = gable::model::from_line<VirtSample>(gable::model::to_line(written), "x:1");
  ASSERT_EQ(read.detours.size(), written.detours.size());
  for (std::size_t i = 0; i < read.detours.size(); ++i) {
    EXPECT_NEAR(read.detours[i].begin_us, written.detours[i].begin_us, 2e-4);
    EXPECT_NEAR(read.detours[i].length_us, written.detours[i].length_us, 2e-4);
  }
  EXPECT_EQ(read.interrupts, written.interrupts);
  EXPECT_EQ(key(read.spec), key(written.spec));
  // What contradicts itself is refused: detours out of order, a CPU without noise, no reason.
  VirtSample bad = written;
  std::swap(bad.detours.front(), bad.detours.back());
  bad.spec.kind = gable::model::VirtKind::walk;
  EXPECT_ANY_THROW(gable::model::to_line(bad));
  bad = written;
  bad.status = gable::model::Status::skipped;
  EXPECT_ANY_THROW(gable::model::to_line(bad));
}

}  // namespace

// Times of programs behind a memory-side cache.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "model/predict/forecast.hpp"
#include "model/predict/parameters.hpp"
#include "tests/model/forecast_machines.hpp"

namespace gable::model {
namespace {

using namespace invented;

constexpr double side_bytes = 4.0 * (1 << 30), faster = 4;
constexpr double lines = 40e9 / 64;  // a second of the memory
// What the caches of the cores add to it.
const double of_caches =
    PredictParameters().exposed * (40.0 / 200 + 40.0 / 400 + PredictParameters().core * 40.0 / 800);

ProfileCache side_cache(double bytes = side_bytes, bool by_chance = true) {
  ProfileCache cache{"MCDRAM", bytes, true, cores, by_chance ? 1 : 0};
  cache.by_chance = by_chance;
  return cache;
}

// The side cache is `faster` times as fast as the memory; chases and random loads were measured in it alone.
Roofs cached_roofs() {
  Roofs made = roofs();
  std::vector<Roof> side;
  for (const Roof& each : made.roofs) {
    if (!is_memory(each.spec.level)) continue;
    side.push_back(each);
    side.back().spec.level = Level("MCDRAM");
    side.back().spec.tier = Tier::hbm;
    if (each.spec.kind != Kind::bandwidth) continue;
    for (double* value : {&side.back().value, &side.back().lo, &side.back().hi}) *value *= faster;
  }
  std::erase_if(made.roofs, [](const Roof& each) {
    return is_memory(each.spec.level) && each.spec.kind != Kind::bandwidth;
  });
  made.roofs.insert(made.roofs.end(), side.begin(), side.end());
  return made;
}

Setting cached(const Roofs& on, double bytes = side_bytes) {
  Setting made = setting(on);
  made.claimed = made.caches;
  made.caches.push_back(side_cache(bytes));
  made.claimed.push_back(side_cache(bytes, false));
  return made;
}

Forecast of_uses(const Uses& uses, double bytes = side_bytes) {
  const Roofs on = cached_roofs();
  const Profile of = profile({uses});
  return forecast(program(of), cached(on, bytes), nullptr);
}

double need_of(const Forecast& found, const std::string& what) {
  double seconds = 0;
  for (const PartNeeds& part : found.parts) {
    for (const NeedTime& need : part.needs) seconds += need.what == what ? need.seconds.front() : 0;
  }
  return seconds;
}

TEST(ForecastSideCache, ServesDataThatFitsIntoIt) {
  const Forecast found = of_uses({64 << 20, lines});
  EXPECT_NEAR(need_of(found, "MCDRAM"), 1 / faster, 1e-9);
  EXPECT_LT(need_of(found, "local memory"), 0.03);
  EXPECT_NEAR(found.seconds, 1 / faster + of_caches, 0.03);
  EXPECT_EQ(found.binds.front().what, "MCDRAM");
}

TEST(ForecastSideCache, DoesNotServeLongStreams) {
  const Forecast found = of_uses({64 * side_bytes, lines});
  EXPECT_NEAR(need_of(found, "local memory"), 1, 1e-6);
  EXPECT_EQ(found.binds.front().what, "local memory");
  EXPECT_NEAR(found.seconds, 1 + of_caches + PredictParameters().exposed / faster, 1e-3);
}

TEST(ForecastSideCache, MoreDataNeverTakesLessTime) {
  double before = 0;
  for (double bytes = 1 << 26; bytes < 1e12; bytes *= 1.5) {
    const double now = of_uses({bytes, lines}).seconds;
    EXPECT_GE(now, before * (1 - 1e-9)) << bytes;
    before = now;
  }
  before = 1e300;
  for (double side = 1 << 26; side < 1e12; side *= 1.5) {
    const double now = of_uses({1 << 30, lines}, side).seconds;
    EXPECT_LE(now, before * (1 + 1e-9)) << side;
    before = now;
  }
}

// Half of the cache: pages that lie side by side in the memory do not evict each other, others do.
TEST(ForecastSideCache, TheIntervalContainsACacheWithoutConflicts) {
  const Roofs on = cached_roofs();
  const Profile of = profile({{side_bytes / 2, lines}});
  Setting without = setting(on);
  without.caches.push_back(side_cache(side_bytes, false));
  const Forecast likely = forecast(program(of), cached(on), nullptr);
  const Forecast best = forecast(program(of), without, nullptr);
  EXPECT_LT(best.seconds, 0.9 * likely.seconds);
  EXPECT_LT(likely.lo, best.seconds);
  const auto doubt = std::ranges::find(likely.doubts, "sizes of caches", &Forecast::Doubt::what);
  EXPECT_NEAR(std::exp(-doubt->down) * likely.seconds, best.seconds, 1e-9);
}

// Pages at random places of the memory, in a direct-mapped cache that is simulated: rounds over all data.
TEST(ForecastSideCache, IsLikeADirectMappedCacheOfRandomPages) {
  constexpr int page = 64, slots = 512;
  std::mt19937 random(5);
  for (const int pages : {32, 128, 256, 512, 1024}) {
    double hits = 0;
    constexpr int tries = 20;
    for (int i = 0; i < tries; ++i) {
      std::map<unsigned, int> in_slot;
      for (int p = 0; p < pages; ++p) ++in_slot[random() % slots];
      for (const auto& [slot, count] : in_slot) hits += count == 1 ? 1.0 / pages / tries : 0;
    }
    const Profile of = profile({{static_cast<double>(pages) * page * profile_line_bytes, 1e6}});
    const ProfileCache cache = side_cache(static_cast<double>(slots) * page * profile_line_bytes);
    const double fetched = traffic_behind(of, of.uses.front(), cache).fetched();
    EXPECT_NEAR(1 - fetched / 64e6, hits, 0.05) << pages << " pages";
  }
}

// Chains follow the latency of the cache while it holds the data. That of the memory was not measured.
TEST(ForecastSideCache, ChainsBehindItAreARange) {
  const Forecast held = of_uses({40 << 20, 4 * 1e7, AccessOrder::chained});
  EXPECT_EQ(held.status, Status::ok);
  EXPECT_NEAR(held.seconds, 1, 0.2);
  const Forecast beyond = of_uses({64 * side_bytes, 4 * 1e7, AccessOrder::chained});
  ASSERT_EQ(beyond.status, Status::ok) << beyond.reason;
  EXPECT_NE(std::ranges::find(beyond.missing, Note(NoteCode::missing_behind, {"latency", "MCDRAM"})),
            beyond.missing.end());
  EXPECT_GT(beyond.seconds, 1.5);
  EXPECT_GT(beyond.hi, 10);
}

TEST(ForecastSideCache, LinesWithoutAnOrderHaveItsRate) {
  const Forecast held = of_uses({40 << 20, 200e6, AccessOrder::independent});
  EXPECT_NEAR(need_of(held, "irregular access to memory"), 1, 0.05);
}

TEST(ForecastSideCache, MemoryBehindItWithoutARoofIsARange) {
  Roofs on = cached_roofs();
  std::erase_if(on.roofs, [](const Roof& each) { return is_memory(each.spec.level); });
  const Profile of = profile({{64 * side_bytes, lines}});
  const Forecast found = forecast(program(of), cached(on), nullptr);
  ASSERT_EQ(found.status, Status::ok) << found.reason;
  EXPECT_EQ(sentences(found.missing), std::vector<std::string>{"the bandwidth of the memory behind MCDRAM"});
  EXPECT_LT(found.lo, 1);
  EXPECT_GT(found.hi, 1);
}

}  // namespace
}  // namespace gable::model

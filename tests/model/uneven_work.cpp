// Programs of which one thread does more than the others.

#include "model/predict/uneven_work.hpp"

#include <gtest/gtest.h>

#include "model/predict/parameters.hpp"
#include "model/profile/bounded.hpp"
#include "model/records/add_profile.hpp"
#include "tests/model/forecast_machines.hpp"

namespace gable::model {
namespace {

using namespace invented;

// Its roofs are also those of one thread.
Roofs with_one_thread() {
  Roofs of = roofs();
  for (Roof one : std::vector<Roof>(of.roofs)) {
    if (one.spec.threads == 1) continue;
    one.spec.threads = 1;
    one.value = one.lo = one.hi = one.value / cores;
    of.roofs.push_back(one);
  }
  return of;
}

Program divided(const Profile& of, double busiest) {
  Program made = program(of);
  made.busiest_thread = busiest;
  return made;
}

double seconds(const Program& of, const Setting& at) {
  return forecast(of, at, nullptr).seconds;
}

TEST(UnevenWork, TheLonePartIsThatOfTheBusiestThreadBesideItsShare) {
  for (const int threads : {2, 3, 8}) {
    for (const double lone : {0.0, 0.2, 0.9, 1.0})
      EXPECT_NEAR(lone_part(lone + (1 - lone) / threads, threads, threads), lone, 1e-12);
  }
  EXPECT_EQ(lone_part(0, 4, 4), 0) << "it is not known";
  EXPECT_EQ(lone_part(1, 1, 4), 0) << "one thread shares with nobody";
  EXPECT_EQ(lone_part(0.4, 5, 2), 0) << "two cores may each do half";
  EXPECT_NEAR(lone_part(0.7, 5, 2), 0.4, 1e-12) << "one core does at least as much as this thread";
}

// Amdahl's law, for what cores share and what each has for itself.
TEST(UnevenWork, TakesTheTimeOfOneThreadForTheLonePart) {
  const Roofs of = with_one_thread();
  for (const Uses& uses : {Uses{1024, 1e6, AccessOrder::sequential, 100e9}, Uses{1 << 30, 1e9}}) {
    const Profile work = profile({uses});
    const Setting all = setting(of);
    Setting one = all;
    one.like.threads = 1;
    Profile lone = work;  // its caches are not divided
    lone.threads = 1;
    const double together = seconds(divided(work, 0), all), alone = seconds(divided(lone, 0), one);
    EXPECT_GT(alone, 2 * together);
    EXPECT_NEAR(seconds(divided(work, 1.0 / cores), all), together, 1e-9);
    EXPECT_NEAR(seconds(divided(work, 1), all), alone, 1e-6 * alone);
    const double part = 0.25, busiest = part + (1 - part) / cores;
    EXPECT_NEAR(seconds(divided(work, busiest), all), part * alone + (1 - part) * together, 1e-6 * alone);
  }
}

// The same from a profile of one thread, which tells what is in no parallel region.
TEST(UnevenWork, SerialPartsStaySerialWithMoreThreads) {
  const Roofs of = with_one_thread();
  Profile work = profile({{1024, 1e6, AccessOrder::sequential, 100e9}});
  work.threads = 1;
  Setting one = setting(of);
  one.like.threads = 1;
  const auto serial = [&](double part) {
    Program made = program(work);
    made.serial = part;
    return made;
  };
  const double alone = seconds(serial(0.25), one), together = seconds(serial(0), setting(of));
  EXPECT_GT(alone, 2 * together);
  EXPECT_NEAR(seconds(serial(0), one), alone, 1e-9) << "one thread does all of it anyway";
  EXPECT_NEAR(seconds(serial(0.25), setting(of)), 0.25 * alone + 0.75 * together, 1e-6 * alone);
}

// Each loop of a function is mixed with itself.
TEST(UnevenWork, OfLoopsIsThatOfFunctions) {
  const Profile functions = profile({{1024, 1e6, AccessOrder::sequential, 100e9}, {1 << 30, 1e9}});
  Profile loops = functions;
  loops.functions[1].function = loops.places[1].function = loops.functions[0].function;
  loops.functions[1].loop = loops.places[1].loop = 4096;
  const Roofs of = with_one_thread();
  const double even = seconds(divided(functions, 0), setting(of)),
               uneven = seconds(divided(functions, 0.7), setting(of));
  EXPECT_GT(uneven, 1.5 * even);
  EXPECT_NEAR(seconds(divided(loops, 0.7), setting(of)), uneven, 1e-9 * uneven);
}

TEST(UnevenWork, TakesAllLinesFromOtherCoresTogether) {
  const auto part = [](NeedTime::Group group, double time) {
    return PartNeeds{"f", {{group, "what", "what", {time, time, time, time, time}}}, 0};
  };
  const auto mixed = mixed_needs({part(NeedTime::Group::cores, 3)}, {part(NeedTime::Group::core, 8)}, 0.25);
  ASSERT_EQ(mixed.size(), 1u);
  ASSERT_EQ(mixed[0].needs.size(), 2u);
  EXPECT_EQ(mixed[0].needs[0].seconds.front(), 3);
  EXPECT_EQ(mixed[0].needs[1].seconds.front(), 2);
}

// What the roofs do not explain scales with the cores in the same way.
TEST(UnevenWork, FromATimeFewerThreadsCostLittleWhereOneDoesMost) {
  const Roofs of = with_one_thread();
  const Profile work = profile({{1024, 1e6, AccessOrder::sequential, 100e9}});
  const Setting all = timed(setting(of), 20);
  Setting one = setting(of);
  one.like.threads = 1;
  EXPECT_NEAR(forecast(divided(work, 1), one, &all).ratio, 1, 1e-6);
  EXPECT_NEAR(forecast(divided(work, 1.0 / cores), one, &all).ratio, cores, 1e-6);
}

TEST(UnevenWork, OfSeveralProcessesItIsNotKnown) {
  Profile first = profile({{1024, 1e6}});
  first.busiest_thread = 0.8;
  const Profile second = first;
  add_profile(first, second);
  EXPECT_EQ(first.busiest_thread, 0);
  EXPECT_EQ(bounded(second, 1).busiest_thread, 0.8) << "a smaller profile of the same process";
}

}  // namespace
}  // namespace gable::model

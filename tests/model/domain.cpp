// The types of the domain and their tables.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "model/domain/kind.hpp"
#include "model/domain/latency_class.hpp"
#include "model/domain/level.hpp"
#include "model/domain/pages.hpp"
#include "model/domain/pattern.hpp"
#include "model/domain/precision.hpp"
#include "model/domain/status.hpp"
#include "model/domain/tier.hpp"
#include "model/domain/virt_measure.hpp"
#include "model/domain/virt_pages.hpp"

namespace gable::model {
namespace {

// Every word is read as the member that wrote it, and no other word is read.
template <typename T>
void expect_words() {
  std::set<std::string> words;
  for (const auto& row : table(T())) {
    EXPECT_TRUE(words.insert(name_of(row.value)).second) << row.name;
    if (is_in_records(row)) {
      EXPECT_EQ(named<T>(row.name), row.value);
    }
  }
  EXPECT_FALSE(named<T>("unheard of"));
  EXPECT_FALSE(named<T>("LOCAL"));
}

TEST(Domain, WordsAreReadAsTheMembersThatWroteThem) {
  expect_words<Kind>();
  expect_words<Work>();
  expect_words<LatencyClass>();
  expect_words<Pattern>();
  expect_words<Precision>();
  expect_words<Status>();
  expect_words<Tier>();
  expect_words<VirtKind>();
  expect_words<VirtPages>();
}

TEST(Domain, WhatIsComputedIsNoWordOfRecords) {
  EXPECT_EQ(name_of(Pattern::mix), "mix");
  EXPECT_FALSE(named<Pattern>("mix"));
  EXPECT_EQ(std::ranges::count(all_names<Pattern>(), "mix"), 0);
}

TEST(Domain, LatenciesAreTimes) {
  for (const KindRow& kind : kind_rows) {
    EXPECT_EQ(is_latency(kind.value), unit_of(kind.value) == "ns") << kind.name;
    EXPECT_TRUE(is_latency(kind.value) || !has_load(kind.value)) << kind.name;
  }
}

// A cluster shares memory with others where all run at once, and its own part of the machine with none.
TEST(Domain, WhatIsOwnIsNotBusyEverywhere) {
  for (const PatternRow& pattern : pattern_rows) {
    if (is_own(pattern.value)) {
      EXPECT_FALSE(busy_everywhere(pattern.value)) << pattern.name;
    }
    if (is_one_to_one(pattern.value)) {
      EXPECT_FALSE(busy_everywhere(pattern.value)) << pattern.name;
      EXPECT_TRUE(is_in_memory(pattern.value)) << pattern.name;
    }
  }
}

TEST(Domain, TiersAreNamedInTheirOrder) {
  for (const char* name : {"", "DRAM", "DRAM+HBM", "HBM+DRAM", "CXL+DRAM+GPU+HBM+NVM"}) {
    const auto tiers = tiers_named(name);
    ASSERT_TRUE(tiers) << name;
    EXPECT_EQ(name_of(*tiers), name);
  }
  for (const char* name : {"PMEM", "dram", "DRAM+", "+DRAM", "DRAM++HBM", "DRAM+DRAM", "DRAM HBM", "file"})
    EXPECT_FALSE(tiers_named(name)) << name;
}

TEST(Domain, TiersContainWhatWasAdded) {
  Tiers tiers = Tier::dram;
  EXPECT_EQ(tiers.single(), Tier::dram);
  tiers.add(Tier::hbm);
  tiers.add(Tier::dram);
  EXPECT_EQ(name_of(tiers), "DRAM+HBM");
  EXPECT_FALSE(tiers.single());
  EXPECT_TRUE(tiers.contains(Tier::hbm));
  EXPECT_TRUE(tiers.contains(Tiers(Tier::hbm)));
  EXPECT_FALSE(tiers.contains(Tier::nvm));
  EXPECT_FALSE(tiers.contains(Tiers()));
  EXPECT_NE(*tiers_named("HBM+DRAM"), tiers);
}

TEST(Domain, PagesAreNamedByTheirSize) {
  for (const char* name : {"", "4k", "16k", "64k", "2m", "32m", "512m", "1g", "16g"}) {
    const auto pages = pages_named(name);
    ASSERT_TRUE(pages) << name;
    EXPECT_EQ(name_of(*pages), name);
  }
  for (const char* name : {"thp", "4K", "0k", "04k", "1024k", "2 m", "4"})
    EXPECT_FALSE(pages_named(name)) << name;
}

TEST(Domain, LevelsLieFromTheInsideOut) {
  std::vector<Level> levels = {Level::memory(), Level("HBM"), Level("L10"), Level::core(), Level("L2")};
  std::ranges::sort(levels);
  EXPECT_EQ(levels, (std::vector<Level>{Level::core(), Level::cache(2), Level::cache(10), Level("HBM"),
                                        Level::memory()}));
}

TEST(Domain, OtherWordsAreMemorySideCaches) {
  for (const char* name : {"MCDRAM", "HBM", "MSC", "L", "L0", "L01", "Lx", "L3x", "l1", "Memory"})
    EXPECT_TRUE(is_side_cache(Level(name))) << name;
  EXPECT_TRUE(is_cache(Level("L3")));
  EXPECT_EQ(Level("L3").number(), 3);
  EXPECT_TRUE(is_memory(Level("memory")));
  for (const char* name : {"core", "ladder"}) EXPECT_FALSE(is_side_cache(Level(name))) << name;
}

}  // namespace
}  // namespace gable::model

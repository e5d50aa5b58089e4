// The affinity table on literal arrays, and compared with a simple second implementation.

#include "kmaf/engine/affinity_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <stdexcept>

#include "random.hpp"

namespace gable::kmaf {
namespace {

AffinityTable with_vector(const std::vector<int>& counts, int bits = 8) {
  Config config;
  config.counter_bits = bits;
  AffinityTable table(config, static_cast<int>(counts.size()));
  const std::size_t entry = table.entry({0, 0});
  for (std::size_t node = 0; node < counts.size(); ++node) {
    for (int i = 0; i < counts[node]; ++i) table.count(entry, static_cast<int>(node));
  }
  return table;
}

TEST(AffinityTable, Equation6) {
  struct Row {
    std::vector<int> counts;
    int to;
  };
  const Row rows[] = {
      {{0, 0, 0, 0}, -1}, {{1, 0, 0, 0}, -1},                      // 1 is not more than 2*0 + 1
      {{2, 0, 0, 0}, 0},  {{0, 0, 0, 2}, 3},  {{3, 1, 0, 0}, -1},  // 3 is not more than 2*1 + 1
      {{4, 1, 0, 0}, 0},  {{1, 4, 1, 1}, 1},  {{10, 9}, -1},      {{9, 10}, -1},
      {{0, 5, 5, 0}, -1}, {{21, 10}, -1},     {{22, 10}, 0},      {{10, 22}, 1},
      {{2}, 0},           {{5, 12, 5, 5}, 1}, {{5, 11, 5, 5}, -1}};
  for (const Row& row : rows) {
    EXPECT_EQ(with_vector(row.counts).exclusive_node(0), row.to) << testing::PrintToString(row.counts);
  }
}

TEST(AffinityTable, CountersSaturateAtTheirWidth) {
  for (const int bits : {1, 3, 8, 9, 16}) {
    AffinityTable table = with_vector({70000, 3}, bits);
    EXPECT_EQ(table.counter(0, 0), (1u << bits) - 1) << bits;
    EXPECT_FALSE(table.count(0, 0));
    EXPECT_EQ(table.counter(0, 1), std::min(3u, (1u << bits) - 1)) << bits;
  }
}

TEST(AffinityTable, Halves) {
  AffinityTable table = with_vector({9, 4, 1, 0});
  table.halve(0);
  const std::vector<std::uint32_t> expected = {4, 2, 0, 0};
  for (int node = 0; node < 4; ++node)
    EXPECT_EQ(table.counter(0, node), expected[static_cast<std::size_t>(node)]);
}

// Figure 5's example: thread 0 accessed the sub-block, thread 3 does now.
TEST(AffinityTable, MruToLru) {
  AffinityTable table(Config{}, 4);
  const std::size_t entry = table.entry({0, 7});
  const auto sharers = [&](unsigned offset) {
    return std::vector<int>{table.sharer(entry, offset, 0), table.sharer(entry, offset, 1)};
  };
  const int none = AffinityTable::no_thread;
  EXPECT_EQ(sharers(0), (std::vector<int>{none, none}));
  table.touch(entry, 1024, 0);
  table.touch(entry, 2047, 3);
  EXPECT_EQ(sharers(1500), (std::vector<int>{3, 0}));
  EXPECT_EQ(sharers(1023), (std::vector<int>{none, none})) << "another sub-block";
  table.touch(entry, 1100, 3);
  EXPECT_EQ(sharers(1024), (std::vector<int>{3, 0})) << "the MRU again changes nothing";
  table.touch(entry, 1100, 0);
  EXPECT_EQ(sharers(1024), (std::vector<int>{0, 3}));
  table.touch(entry, 1100, 5);
  EXPECT_EQ(sharers(1024), (std::vector<int>{5, 0})) << "the LRU is pushed out";
}

// Any number of sharers and sub-blocks behaves like lists whose accessed thread moves to the front.
TEST(AffinityTable, EqualsListsOnRandomAccesses) {
  test::Random random(1);
  for (const int sharers : {2, 3, 5}) {
    Config config;
    config.sharers = sharers;
    config.sub_block_bytes = 512;
    AffinityTable table(config, 2);
    std::map<std::pair<std::uint64_t, unsigned>, std::vector<int>> lists;
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t page = random.below(6);
      const auto offset = static_cast<unsigned>(random.below(4096));
      const int thread = static_cast<int>(random.below(7));
      table.touch(table.entry({1, page}), offset, static_cast<AffinityTable::Thread>(thread));
      std::vector<int>& list = lists[{page, offset / 512}];
      std::erase(list, thread);
      list.insert(list.begin(), thread);
      if (static_cast<int>(list.size()) > sharers) list.pop_back();
      for (int position = 0; position < sharers; ++position) {
        const int expected = position < static_cast<int>(list.size())
                                 ? list[static_cast<std::size_t>(position)]
                                 : AffinityTable::no_thread;
        ASSERT_EQ(table.sharer(table.entry({1, page}), offset, position), expected);
      }
    }
  }
}

TEST(AffinityTable, PagesOfDifferentObjectsAreDifferent) {
  AffinityTable table(Config{}, 1);
  EXPECT_NE(table.entry({0, 5}), table.entry({1, 5}));
  EXPECT_EQ(table.entry({1, 5}), table.entry({1, 5}));
  EXPECT_EQ(table.entries(), 2u);
}

// The paper's text uses 2 bytes per counter and gives 20 bytes. Its equation gives 24 for these, and 20
// for the 1-byte counters of its table 2: 0.49 % of the memory.
TEST(AffinityTable, Equations7And8) {
  Config config;
  EXPECT_EQ(entry_bytes(config, 4), 20u);
  EXPECT_NEAR(100.0 * 20 / 4096, 0.49, 0.005);
  config.counter_bits = 16;
  EXPECT_EQ(entry_bytes(config, 4), 24u);
  config = {};
  config.page_bytes = 2 << 20;
  EXPECT_EQ(entry_bytes(config, 8), 8u + 2048 * 2 * 2);
  config = {};
  config.sharers = 4;
  AffinityTable table(config, 3);
  for (std::uint64_t page = 0; page < 1000; ++page) table.entry({0, page * page});
  EXPECT_EQ(table.bytes(), 1000 * entry_bytes(config, 3));
  EXPECT_GT(table.index_bytes(), 0u);
}

TEST(AffinityTable, ForgetsDeadThreads) {
  AffinityTable table(Config{}, 1);
  const std::size_t entry = table.entry({0, 0});
  table.touch(entry, 0, 1);
  table.touch(entry, 0, 2);
  table.touch(entry, 3000, 4);
  table.forget({false, false, true});
  EXPECT_EQ(table.sharer(entry, 0, 0), 1);
  EXPECT_EQ(table.sharer(entry, 0, 1), AffinityTable::no_thread);
  EXPECT_EQ(table.sharer(entry, 3000, 0), 4);
}

// Only a few entries of a thousand short processes remain; other entries do not change.
TEST(AffinityTable, DropsWhatIsGone) {
  AffinityTable table(Config(), 4);
  const std::size_t kept = table.entry({0, 7});
  table.count(kept, 2);
  table.touch(kept, 0, 5);
  table.set_home(kept, 3);
  std::size_t most = 0;
  for (std::uint64_t object = 1; object <= 1000; ++object) {
    for (std::uint64_t page = 0; page < 50; ++page) table.count(table.entry({object, page}), 1);
    most = std::max(most, table.bytes());
    table.drop(object);
  }
  EXPECT_LE(most, 3 * 51 * entry_bytes(Config(), 4));
  table.drop(77);  // a second time
  const auto found = table.find({0, 7});
  ASSERT_TRUE(found);
  EXPECT_EQ(table.counter(*found, 2), 1u);
  EXPECT_EQ(table.sharer(*found, 0, 0), 5);
  EXPECT_EQ(table.home(*found), 3);
  EXPECT_EQ(table.page(*found), (Page{0, 7}));
  EXPECT_LT(table.index_bytes(), 20u * 1024);
  table.drop(0);
  EXPECT_EQ(table.entries(), 0u);
  EXPECT_EQ(table.bytes(), 0u);
  const std::size_t anew = table.entry({0, 7});
  EXPECT_EQ(table.counter(anew, 2), 0u);
  EXPECT_EQ(table.home(anew), -1);
}

TEST(AffinityTable, DroppedEntriesStayUntilTheyAreHalf) {
  AffinityTable table(Config(), 2);
  for (std::uint64_t object = 0; object < 3; ++object) {
    for (std::uint64_t page = 0; page < 10; ++page) table.entry({object, page});
  }
  const std::size_t last = *table.find({2, 9});
  table.drop(0);
  EXPECT_EQ(table.find({2, 9}), last);
  EXPECT_EQ(table.entries(), 30u);
  table.drop(1);
  EXPECT_EQ(table.entries(), 10u);
  EXPECT_TRUE(table.find({2, 9}));
}

// Each sub-block keeps the order of its own living threads, also where all of its places were taken.
TEST(AffinityTable, DeadThreadsAreForgottenInTheirSubBlockAlone) {
  Config config;
  config.sub_block_bytes = 1024;
  AffinityTable table(config, 1);
  const std::size_t entry = table.entry({0, 0});
  const int places = table.sharers();
  for (unsigned block = 0; block < 4; ++block) {
    for (int i = 0; i < places; ++i)
      table.touch(entry, 1024 * block,
                  static_cast<AffinityTable::Thread>(10 * block + static_cast<unsigned>(i)));
  }
  std::vector<bool> dead(40);
  dead[0] = dead[11] = true;
  table.forget(dead);
  for (unsigned block = 0; block < 4; ++block) {
    std::vector<int> expected;
    for (int i = places - 1; i >= 0; --i) {
      const int thread = 10 * static_cast<int>(block) + i;
      if (!dead[static_cast<std::size_t>(thread)]) expected.push_back(thread);
    }
    expected.resize(static_cast<std::size_t>(places), AffinityTable::no_thread);
    for (int i = 0; i < places; ++i)
      EXPECT_EQ(table.sharer(entry, 1024 * block, i), expected[static_cast<std::size_t>(i)])
          << block << " " << i;
  }
}

// Dropping objects does not change the entries of others.
TEST(AffinityTable, DroppingKeepsOtherEntries) {
  AffinityTable table(Config(), 4), undisturbed(Config(), 4);
  std::mt19937 random(7);
  for (int step = 0; step < 20000; ++step) {
    const Page page{random() % 40, random() % 30};
    const auto thread = static_cast<AffinityTable::Thread>(random() % 9);
    if (page.object % 2 == 1) {
      table.touch(table.entry(page), 0, thread);
      if (random() % 20 == 0) table.drop(page.object);
      continue;
    }
    for (AffinityTable* const one : {&table, &undisturbed}) {
      const std::size_t entry = one->entry(page);
      one->touch(entry, 1024, thread);
      one->count(entry, thread % 4);
      one->set_home(entry, thread % 3);
    }
  }
  for (std::size_t entry = 0; entry < undisturbed.entries(); ++entry) {
    const auto found = table.find(undisturbed.page(entry));
    ASSERT_TRUE(found);
    EXPECT_EQ(table.home(*found), undisturbed.home(entry));
    for (int node = 0; node < 4; ++node)
      EXPECT_EQ(table.counter(*found, node), undisturbed.counter(entry, node));
    for (int i = 0; i < table.sharers(); ++i)
      EXPECT_EQ(table.sharer(*found, 1024, i), undisturbed.sharer(entry, 1024, i));
  }
}

TEST(AffinityTable, RefusesInvalidConfigurations) {
  const auto make = [](auto change) {
    Config config;
    change(config);
    return AffinityTable(config, 1);
  };
  EXPECT_THROW(make([](Config& c) { c.page_bytes = 5000; }), std::invalid_argument);
  EXPECT_THROW(make([](Config& c) { c.sub_block_bytes = 8192; }), std::invalid_argument);
  EXPECT_THROW(make([](Config& c) { c.counter_bits = 0; }), std::invalid_argument);
  EXPECT_THROW(make([](Config& c) { c.counter_bits = 33; }), std::invalid_argument);
  EXPECT_THROW(make([](Config& c) { c.sharers = 1; }), std::invalid_argument);
  EXPECT_THROW(AffinityTable(Config{}, 0), std::invalid_argument);
}

}  // namespace
}  // namespace gable::kmaf

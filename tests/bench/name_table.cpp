// A table filled by many threads assigns each name one number, consecutively from 0.

#include "bench/apps/graphs/name_table.hpp"

#include <map>
#include <random>

#include "graphs.hpp"

namespace {

using namespace gable::bench;
using namespace gable::bench::tests;

TEST(NameTable, OneNumberForEachName) {
  Team team;
  Crew crew = crew_of(team);
  NameTable table;
  for (int round = 0; round < 2; ++round) {  // after clear() as well
    // Names of all sizes; each is given by several threads, often in the same batch.
    std::mt19937_64 engine(5);
    std::vector<std::uint64_t> names;
    for (int i = 0; i < 300'000; ++i) names.push_back(engine() >> engine() % 64);
    names.insert(names.end(), {0, 0, ~std::uint64_t{0}, std::uint64_t{1} << 32});
    std::vector<std::vector<Vertex>> numbers(crew.threads(), std::vector<Vertex>(names.size()));
    crew.run([&](std::size_t thread) { EXPECT_TRUE(table.number(names, numbers[thread])); });

    std::map<std::uint64_t, Vertex> expected;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto [known, added] = expected.try_emplace(names[i], numbers[0][i]);
      ASSERT_EQ(known->second, numbers[0][i]) << names[i];
    }
    for (const auto& of_thread : numbers) EXPECT_EQ(of_thread, numbers[0]);
    ASSERT_EQ(table.size(), expected.size());
    const Array<std::uint64_t> all = table.names();
    for (const auto& [name, number] : expected) {
      ASSERT_LT(number, expected.size());
      ASSERT_EQ(all[number], name);
    }
    table.clear();
    EXPECT_EQ(table.size(), 0u);
  }
}

}  // namespace

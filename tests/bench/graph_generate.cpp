// Generated graphs are the same whatever generates them.

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "bench/apps/graphs/generate.hpp"
#include "graphs.hpp"

namespace {

using namespace gable::bench;
using namespace gable::bench::tests;

TEST(Generate, TheSameWithAnyNumberOfThreads) {
  Team team;
  Crew all = crew_of(team);
  Crew one(team, {all.cpus().front()});
  for (const std::string name : {"kron:10", "uniform:9:40", "kron:epinions"}) {
    const Graph a = generate_graph(name, one), b = generate_graph(name, all);
    EXPECT_EQ(named(a, a.view().out), named(b, b.view().out)) << name;
  }
  const Graph facebook = generate_graph("uniform:facebook", all);
  EXPECT_EQ(facebook.vertices(), 4039u);
  EXPECT_EQ(facebook.edges + facebook.duplicates, 88'234u);
  EXPECT_FALSE(facebook.directed);
}

TEST(Generate, OnlyDescriptionsAreGenerated) {
  for (const char* name : {"kron:20", "kron:20:8", "kron:pokec", "uniform:20", "uniform:facebook"})
    EXPECT_TRUE(is_generated(name)) << name;
  for (const char* name : {"kron", "uniform.txt", "graphs/kron:20", "pokec.mtx", "20"})
    EXPECT_FALSE(is_generated(name)) << name << " is a file";
}

TEST(Generate, InvalidRecipesAreRefused) {
  Team team;
  Crew crew = crew_of(team);
  for (const char* name : {"kron:", "kron:0", "kron:32", "kron:x", "uniform:5:0", "uniform:5:", "kron:5:6:7"})
    EXPECT_THROW(generate_graph(name, crew), gable::Error) << name;
}

}  // namespace

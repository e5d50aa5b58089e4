// Working sets are sized to the memory nodes, or skipped with the reason, already in the plan.

#include "bench/plan/node_room.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/error.hpp"
#include "bench/single/single.hpp"
#include "machines.hpp"

namespace {

using namespace gable::bench;
using gable::bench::tests::MiB;
using gable::bench::tests::options_of;
using gable::machines::Machine;
using gable::model::Case;

Machine two_sockets(std::uint64_t node_bytes, std::uint64_t l3_bytes) {
  Machine machine = tests::sockets(2, 4);
  for (auto& node : machine.nodes) node.bytes = node_bytes;
  for (auto& cluster : machine.clusters) cluster.caches.back().bytes = l3_bytes;
  for (auto& cluster : machine.clusters) cluster.caches.back().largest_bytes = l3_bytes;
  return machine;
}

std::uint64_t set_of(const Case& spec) {
  return spec.bytes * static_cast<std::uint64_t>(streams(spec.kind) ? spec.threads : 1);
}

// Whether the note is there once, however many clusters the run has.
bool noted(const gable::bench::Run& run) {
  const auto notes =
      std::ranges::count(run.notes, gable::model::NoteCode::small_set, &gable::model::Note::code);
  EXPECT_LE(notes, 1) << key(run.cases.front());
  return notes > 0;
}

void expect_room(const Machine& machine, const gable::bench::Run& run) {
  std::map<unsigned, double> used;
  for (std::size_t i = 0; i < run.cases.size(); ++i) {
    const MemoryNeed need = need_of(run, i);
    for (const unsigned node : run.shares[i].nodes)
      used[node] += static_cast<double>(need.streams + need.chase) /
                    (run.shares[i].node_percent < 0 ? static_cast<double>(run.shares[i].nodes.size()) : 1);
  }
  for (const auto& node : machine.nodes)
    EXPECT_LE(used[node.os_index], 1.01 * most_of_memory * static_cast<double>(node.bytes))
        << key(run.cases.front());
}

TEST(NodeRoom, NoRunIsLargerThanItsNodes) {
  int measured = 0, small = 0, skipped = 0;
  for (const std::uint64_t node : {64 * MiB, 500 * MiB, 4096 * MiB}) {
    for (const std::uint64_t l3 : {2 * MiB, 16 * MiB, 256 * MiB, MiB << 20}) {
      const Machine machine = two_sockets(node, l3);
      const Plan plan = make_plan(machine, {}, options_of("standard"));
      EXPECT_LT(plan.seconds, 3600) << node << " " << l3;
      for (const auto& run : plan.runs) {
        const Case& spec = run.cases.front();
        if (is_peak(spec.kind) || run.shares.front().nodes.empty()) continue;
        skipped += sentence(run.skip).find("too small") != std::string::npos;
        if (!run.skip.empty()) continue;
        expect_room(machine, run);
        if (!is_memory(spec.level)) continue;
        const auto& cluster = machine.clusters.front();
        EXPECT_GE(set_of(spec), least_memory_set(cluster)) << key(spec);
        EXPECT_EQ(noted(run), set_of(spec) < usual_memory_set(cluster)) << key(spec);
        measured += !noted(run);
        small += noted(run);
      }
    }
  }
  EXPECT_GT(measured, 100);
  EXPECT_GT(small, 100);
  EXPECT_GT(skipped, 100);
}

// Free memory may be less than a node has: a set never shrinks to what the caches hold.
TEST(NodeRoom, ASizedSetStaysBeyondTheCaches) {
  for (const auto& run :
       make_plan(two_sockets(500 * MiB, 64 * MiB), {}, options_of("quick", {"level=memory"})).runs) {
    if (!run.skip.empty() || !noted(run)) continue;
    EXPECT_GE(run.least_share * static_cast<double>(set_of(run.cases.front())), 128 << 20);
  }
}

TEST(NodeRoom, ALimitOfTheProcessCounts) {
  gable::machines::Host host;
  host.memory_limit_bytes = 128 * MiB;
  int small = 0;
  for (const auto& run : make_plan(tests::sockets(1, 4), host, options_of("quick", {"level=memory"})).runs) {
    small += noted(run);
    EXPECT_TRUE(!run.skip.empty() || set_of(run.cases.front()) < 90 * MiB) << key(run.cases.front());
  }
  EXPECT_GT(small, 0);
}

Plan plan_of_loads(std::uint64_t bytes) {
  gable::bench::Options options = options_of("quick");
  options.pages = {gable::model::small_pages()};
  gable::bench::Single single;
  single.op = "load";
  single.bytes = bytes;
  return single_plan(two_sockets(4096 * MiB, 16 * MiB), {}, options, single);
}

// The percentage of a buffer is of what the user asked for, so the plan does not make this smaller first.
TEST(NodeRoom, ASizeThatAUserGaveIsKeptOrRefused) {
  for (const std::uint64_t bytes : {1024 * MiB, 3072 * MiB, 5000 * MiB}) {
    const auto plan = plan_of_loads(bytes);
    ASSERT_FALSE(plan.runs.empty());
    for (const auto& run : plan.runs) {
      EXPECT_EQ(set_of(run.cases.front()), bytes);
      EXPECT_DOUBLE_EQ(run.ample_share, double(256 * MiB) / double(bytes));
    }
  }
  try {
    plan_of_loads(100000ull << 30);
    ADD_FAILURE() << "far more than the node has";
  } catch (const gable::Error& error) {
    EXPECT_NE(std::string(error.what()).find("is too small for this working set"), std::string::npos)
        << error.what();
  }
}

}  // namespace

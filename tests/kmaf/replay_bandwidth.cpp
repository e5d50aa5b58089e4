// The bandwidth that streams reach in replays: what the memories and links carry, or what the buffers of the
// cores request.

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "kmaf/replay/replay.hpp"
#include "replayed.hpp"

namespace gable::kmaf {
namespace {

constexpr double bytes_of_line = 64;
constexpr int memory_bit = 40;  // an address names the memory that its page lies on

// Threads run where `mapping` says, and pages lie on the memory that their address names.
class AsTold : public Policy {
 public:
  using Policy::Policy;
  int first_leaf(int thread) override { return world_.options.mapping[index(thread)]; }
  int first_home(std::uint64_t page, int) override {
    return static_cast<int>(world_.trace.page_number(page) >> (memory_bit - 12));
  }
  void advance(double, double) override {}
};

constexpr PolicyEntry as_told{
    "as told", "", true, true,
    [](const Policy::World& world) -> std::unique_ptr<Policy> { return std::make_unique<AsTold>(world); }};

struct Stream {
  double gb_per_s = 0;
  double error = 0;  // the time slots of the memories at both ends, and the latency of the last lines
};

// Every thread reads lines of its own, all different, from one memory, with a barrier after `loop` lines; 0:
// without barriers. `memory_of` has the memory of the threads of each node.
Stream stream(const SimulatedMachine& machine, const std::vector<int>& leaves,
              const std::vector<int>& memory_of, std::uint64_t lines = 4096, std::uint64_t loop = 0) {
  const auto threads = static_cast<std::uint32_t>(leaves.size());
  ParallelProgram program(threads);
  if (loop > 0) {  // all threads start before the first loop
    for (std::uint32_t thread = 0; thread < threads; ++thread) program.access(thread, 64 * thread, false, 0);
    program.barrier();
  }
  for (std::uint64_t line = 0; line < lines; ++line) {
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      const int node = machine.hierarchy.leaves[index(leaves[thread])].node;
      const auto memory = static_cast<std::uint64_t>(memory_of[index(node)]);
      program.access(thread, (memory << memory_bit) + (std::uint64_t{thread + 1} << 24) + line * 64, false);
    }
    if (loop > 0 && line % loop == loop - 1) program.barrier();
  }
  ReplayOptions options = still();
  options.costs.fault = 0;
  options.mapping = leaves;
  const Outcome outcome = replay(prepared(program, 1), machine, as_told, 1, 1, options);
  EXPECT_EQ(outcome.counts.misses, outcome.counts.accesses);
  const double ns = 1e9 * outcome.seconds;
  return {bytes_of_line * static_cast<double>(lines * threads) / ns, (2 * 500 + 250) / ns};
}

// The first hardware thread of each core, or of the first `most` cores.
std::vector<int> one_thread_a_core(const SimulatedMachine& machine, std::size_t most = 1000) {
  std::vector<int> leaves;
  int last = -1;
  for (std::size_t leaf = 0; leaf < machine.hierarchy.leaves.size() && leaves.size() < most; ++leaf) {
    if (machine.hierarchy.leaves[leaf].core == last) continue;
    last = machine.hierarchy.leaves[leaf].core;
    leaves.push_back(static_cast<int>(leaf));
  }
  return leaves;
}

void expect_rate(const Stream& stream, double gb_per_s, const char* what) {
  EXPECT_NEAR(stream.gb_per_s / gb_per_s, 1, stream.error) << what << ": " << stream.gb_per_s << " GB/s";
  EXPECT_LT(stream.error, 0.03) << what;
}

const std::vector<int> own = {0, 1, 2, 3}, first = {0, 0, 0, 0}, last = {3, 3, 3, 3}, beside = {4, 5, 6, 7};

// With an L3 and without one: the memory and all memories of a tier are busy all the time.
TEST(ReplayBandwidth, EnoughThreadsReachThatOfTheMemory) {
  SimulatedMachine x7550 = kmaf::x7550(), knl = knights_landing();
  const std::vector<int> all = one_thread_a_core(x7550), all_knl = one_thread_a_core(knl);
  expect_rate(stream(x7550, all, own), 4 * 25.6, "every node's memory");
  expect_rate(stream(x7550, all, first), 25.6, "one node's memory");
  x7550.timing.link_gb_per_s = 0.72;  // a line takes 72 bytes of a link
  expect_rate(stream(x7550, {0}, last), 0.64, "a link");
  ASSERT_FALSE(knl.has_l3);
  expect_rate(stream(knl, all_knl, own), 80, "the DRAM of all nodes together");
  expect_rate(stream(knl, all_knl, last), 40, "one node's DRAM");
  knl.pipeline.misses = 20;
  expect_rate(stream(knl, all_knl, beside), 4 * 90, "every node's MCDRAM");
}

// The misses of a core leave none of its buffers free, and each buffer brings a line after a latency. Threads
// of a core share its buffers.
TEST(ReplayBandwidth, FewThreadsReachThatOfTheirBuffers) {
  for (SimulatedMachine machine : {x7550(), knights_landing()}) {
    const double local = machine.memories[0].figures.local_ns, remote = machine.memories[3].figures.remote_ns;
    for (const int buffers : {1, 4, 10}) {
      machine.pipeline.misses = buffers;
      const double lines = bytes_of_line * buffers;
      expect_rate(stream(machine, {0}, own), lines / local, "a thread, its own memory");
      expect_rate(stream(machine, {0}, last), lines / remote, "a thread, another node's memory");
      for (const std::size_t cores : {3, 5})
        expect_rate(stream(machine, one_thread_a_core(machine, cores), own),
                    static_cast<double>(cores) * lines / local, "a few cores");
    }
    expect_rate(stream(machine, {0, 1}, own), bytes_of_line * 10 / local, "two threads of a core");
  }
}

// A loop takes at most the time of the memory for the bytes of all threads and that of a thread alone for its
// own: the threads that are the last to run in the order of the trace may find the memory free.
TEST(ReplayBandwidth, AMissWaitsForMemoryOnce) {
  constexpr std::uint64_t loop = 320;
  for (SimulatedMachine machine : {x7550(), knights_landing()}) {
    const std::vector<int> all = one_thread_a_core(machine);
    for (const int buffers : {1, 10}) {
      for (const double requested : {1.25, 4.0}) {  // times what the memories give
        machine.pipeline.misses = buffers;
        const double most = static_cast<double>(all.size()) * bytes_of_line * buffers /
                            machine.memories[0].figures.local_ns / requested;
        for (Memory& memory : machine.memories) {
          memory.figures.memory_gb_per_s = most / 4;
          memory.figures.all_memory_gb_per_s = 0;
        }
        const double share = stream(machine, all, own, 4 * loop, loop).gb_per_s / most;
        EXPECT_LT(share, 1.01) << buffers << " buffers, " << requested;
        EXPECT_GT(share, requested / (1 + requested)) << buffers << " buffers, " << requested;
      }
    }
  }
}

}  // namespace
}  // namespace gable::kmaf

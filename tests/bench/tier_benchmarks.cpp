// Visits of memory tiers use all memory that they should, and report what is misplaced, skipped or left.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "bench/memory/tier_campaign.hpp"
#include "bench/memory/tier_cells.hpp"

namespace {

using namespace gable::bench;
using gable::model::Status;
using gable::model::TierSample;
namespace kernels = gable::kernels;

// Ordinary memory that reports what a test wants.
class FakeRegion : public Region {
 public:
  // The fault is seen from the look `from` (counted from 0) to before `until`.
  FakeRegion(std::size_t bytes, const std::string& fault, int from, int until)
      : memory_(bytes + 4096), fault_(fault), from_(from), until_(until) {
    auto at = reinterpret_cast<std::uintptr_t>(memory_.data());
    bytes_ = {memory_.data() + ((4096 - at % 4096) % 4096), bytes};
    how_ = "invented";
  }
  std::map<int, std::uint64_t> residence(std::size_t) const override { return {{-2, 4096}, {0, 8192}}; }
  gable::model::Note misplaced(std::size_t) const override {
    const int look = looks_++;
    return look >= from_ && look < until_ ? fault_ : gable::model::Note();
  }

 private:
  std::vector<std::byte> memory_;
  gable::model::Note fault_;
  int from_, until_;
  mutable int looks_ = 0;
};

struct TierFixture {
  explicit TierFixture(std::uint64_t set, const std::string& fault = "", int from = 0, int until = 1 << 20)
      : machine(gable::machines::this_machine()), bench(machine, gable::machines::Host{}, team, stop) {
    cpus = {machine.clusters[0].cores[0].pus[0]};
    tier.tier = {"invented", gable::model::Tier::dram, std::nullopt,
                 [] { return std::optional<std::uint64_t>(); },
                 [=](std::size_t bytes) { return std::make_unique<FakeRegion>(bytes, fault, from, until); }};
    options.threads = 1;
    options.memory_set_bytes = set;
    cells = tier_cells("invented", machine.clusters[0], options, kernels::cpu_features());
    memory = std::make_unique<TierMemory>(tier.tier, tier_bytes(cells), team, cpus, stop);
  }
  std::span<double> numbers() const {
    const auto bytes = memory->region().bytes();
    return {reinterpret_cast<double*>(bytes.data()), bytes.size() / sizeof(double)};
  }

  gable::machines::Machine machine;
  std::atomic<bool> stop{false};
  Team team;
  std::vector<unsigned> cpus;
  TierToMeasure tier;
  TierOptions options;
  std::vector<TierCell> cells;
  TierBench bench;
  std::unique_ptr<TierMemory> memory;
};

// Every way and order overwrites all data of the previous visit: 12 ms are many passes over 2 MiB.
TEST(TierVisit, WritesReachEveryByteOfTheSet) {
  TierFixture fixture(2 << 20);
  for (const TierCell& cell : fixture.cells) {
    if (cell.kernel == nullptr || cell.spec.what != "store") continue;
    if (cell.spec.access_bytes != 0 && cell.spec.access_bytes != 64 && cell.spec.access_bytes != 4096)
      continue;
    std::vector<Work> work(1);
    work[0].cpu = fixture.cpus[0];
    work[0].kernel = cell.kernel;
    fixture.memory->lay(cell, work);
    EXPECT_EQ(work[0].arguments.order.curve != 0, cell.spec.order == "random") << cell.kernel->name;
    std::ranges::fill(fixture.numbers(), 2.0);
    work[0].arguments.iterations = work[0].arguments.iterations_per_pass;
    cell.kernel->code(&work[0].arguments);
    const auto left = static_cast<std::uint64_t>(std::ranges::count(fixture.numbers(), 2.0)) * sizeof(double);
    const auto written =
        work[0].arguments.iterations_per_pass * static_cast<std::uint64_t>(work[0].per_iteration);
    EXPECT_EQ(left + written, fixture.memory->region().bytes().size()) << cell.kernel->name;
    EXPECT_GE(written, fixture.memory->region().bytes().size() * 9 / 10) << cell.kernel->name;
  }
}

// The places of the blocks that a pass of each thread reads: aligned, each once, all of its share, and no
// order that starts alike in two threads.
TEST(TierVisit, RandomReadsReachEveryBlockOfEachShareOnce) {
  TierFixture fixture(2 << 20);
  const std::byte* const begin = fixture.memory->region().bytes().data();
  for (TierCell cell : fixture.cells) {
    if (cell.kernel == nullptr || !is_load(cell.spec) || cell.spec.access_bytes == 0) continue;
    cell.spec.threads = 4;
    std::vector<Work> work(4);
    for (Work& each : work) each.kernel = cell.kernel;
    fixture.memory->lay(cell, work);
    std::set<std::uint64_t> seen, first;
    for (const Work& each : work) {
      const kernels::Arguments& arguments = each.arguments;
      const auto share = static_cast<std::uint64_t>(static_cast<const std::byte*>(arguments.load[0]) - begin);
      EXPECT_EQ(each.per_iteration, static_cast<double>(cell.spec.access_bytes));
      first.insert(arguments.order.place(arguments.position, arguments.iterations_per_pass));
      for (std::uint64_t i = 0; i < arguments.iterations_per_pass; ++i)
        seen.insert(share + cell.spec.access_bytes * arguments.order.place(i, arguments.iterations_per_pass));
    }
    EXPECT_EQ(first.size(), work.size());
    EXPECT_EQ(seen.size() * cell.spec.access_bytes, std::uint64_t{2} << 20);
    EXPECT_EQ(*seen.begin(), 0u);
    EXPECT_EQ(*seen.rbegin(), (2u << 20) - cell.spec.access_bytes);
    for (const std::uint64_t at : seen) ASSERT_EQ(at % cell.spec.access_bytes, 0u);
  }
}

TEST(TierVisit, AddressesOfAChaseAreNoNumbersForTheNextKernel) {
  TierFixture fixture(2 << 20);
  const auto latency =
      std::ranges::find_if(fixture.cells, [](const TierCell& c) { return c.spec.what == "latency"; });
  const auto load =
      std::ranges::find_if(fixture.cells, [](const TierCell& c) { return c.spec.what == "load"; });
  std::vector<Work> work(1);
  work[0].cpu = fixture.cpus[0];
  work[0].kernel = latency->kernel;
  fixture.memory->lay(*latency, work);
  EXPECT_NE(fixture.numbers()[0], 1.0);
  void* at = work[0].arguments.cursor;
  std::set<void*> seen;
  while (seen.insert(at).second) at = *static_cast<void**>(at);
  EXPECT_EQ(seen.size() * 64, latency->spec.bytes);
  work[0].kernel = load->kernel;
  fixture.memory->lay(*load, work);
  EXPECT_TRUE(std::ranges::all_of(fixture.numbers(), [](double v) { return v == 1.0; }));
}

TEST(TierVisit, PagesElsewhereAreInvalidWheneverTheyAreSeen) {
  constexpr int always = 1 << 20;
  for (const auto& [from, until] : {std::pair(0, always), std::pair(1, always), std::pair(0, 1)}) {
    TierFixture fixture(2 << 20, "1.0 MiB are on node 7 instead of 0", from, until);
    const TierSample sample = fixture.bench.visit(fixture.cells.front(), fixture.tier, *fixture.memory, 0);
    EXPECT_EQ(sample.status, Status::invalid);
    EXPECT_EQ(sentence(sample.reason), "1.0 MiB are on node 7 instead of 0");
    EXPECT_EQ(sample.node_bytes, (std::map<int, std::uint64_t>{{0, 8192}}));
  }
}

TEST(TierVisit, AnInterruptionIsNoFigure) {
  TierFixture fixture(2 << 20);
  fixture.stop = true;
  const TierSample sample = fixture.bench.visit(fixture.cells.front(), fixture.tier, *fixture.memory, 0);
  EXPECT_EQ(sample.status, Status::invalid);
}

TEST(TierCampaign, ATierThatCannotBeHadIsSkippedWithItsReason) {
  TierFixture fixture(2 << 20);
  TierToMeasure none = fixture.tier;
  none.tier.name = "none";
  none.tier.take = [](std::size_t) -> std::unique_ptr<Region> {
    throw gable::Error::unavailable("no such memory today");
  };
  fixture.options.runs = 2;
  fixture.options.accesses = {64};
  std::map<std::string, int> seen;
  const TierHooks hooks = {
      [&](const TierSample& sample) {
        ++seen[sample.spec.tier];
        if (sample.spec.tier != "none") return;
        EXPECT_EQ(sample.status, Status::skipped);
        if (sample.spec.smt || sample.reason.code == gable::model::NoteCode::no_instructions) return;
        EXPECT_EQ(sentence(sample.reason), "no such memory today");
      },
      [](const TierProgress&) {}};
  run_tiers(fixture.machine, gable::machines::Host{}, {none}, fixture.options, {}, hooks, fixture.stop);
  EXPECT_EQ(
      seen["none"],
      static_cast<int>(
          tier_cells("none", fixture.machine.clusters[0], fixture.options, kernels::cpu_features()).size()));
}

// The median of the visits so far tells it; nothing is said while most of them prepared memory.
TEST(TierCampaign, TheTimeLeftIsThatOfTheVisitsThatAreLeft) {
  TierFixture fixture(2 << 20);
  fixture.options.runs = 1;
  fixture.options.accesses = {64};
  auto before = std::chrono::steady_clock::now();
  std::vector<double> lengths;
  const TierHooks hooks = {[](const TierSample&) {},
                           [&](const TierProgress& now) {
                             const auto at = std::chrono::steady_clock::now();
                             lengths.push_back(std::chrono::duration<double>(at - before).count());
                             before = at;
                             EXPECT_EQ(now.visits_done, std::ssize(lengths));
                             EXPECT_EQ(now.seconds_left.has_value(), now.visits_done > 4);
                             if (now.seconds_left) {
                               EXPECT_GE(*now.seconds_left, 0);
                               EXPECT_LE(*now.seconds_left,
                                         gable::upper_median(lengths) * (now.visits - now.visits_done));
                             }
                             if (now.visits_done == 10) fixture.stop = true;
                           }};
  run_tiers(fixture.machine, gable::machines::Host{}, {fixture.tier}, fixture.options, {}, hooks,
            fixture.stop);
  EXPECT_EQ(lengths.size(), 10u);
}

TEST(TierCampaign, TiersOfOneNodeOrOneFileSystemShareWhatItHas) {
  TierToMeasure one;
  const auto free = [] { return std::optional<std::uint64_t>(100u << 20); };
  one.tier = {"DRAM", gable::model::Tier::dram, 0u, free, nullptr};
  TierToMeasure other = one;
  other.tier.name = "node:0";
  EXPECT_EQ(too_small({one}, 60u << 20), "");
  EXPECT_NE(too_small({one, other}, 60u << 20).find("120 MiB and a small reserve are needed"),
            std::string::npos);
  one.tier = {"/a", gable::model::Tier::file, std::nullopt, free, nullptr, 7};
  other.tier = {"/b", gable::model::Tier::file, std::nullopt, free, nullptr, 7};
  EXPECT_NE(too_small({one, other}, 60u << 20).find("120 MiB and a small reserve are needed"),
            std::string::npos);
  other.tier.file_system = 8;
  EXPECT_EQ(too_small({one, other}, 60u << 20), "");
}

}  // namespace

// Nested or shadow paging: lengths of walks, break-even, a simulated TLB, and which paging a guest has.

#include <gtest/gtest.h>

#include <cmath>

#include "model/virt/advise.hpp"
#include "model/virt/paging.hpp"

namespace {

using namespace gable::model;

VirtFigure cost(const char* what, VirtPages pages, double us) {
  VirtFigure figure;
  figure.spec = {VirtKind::map, what, pages, -1, 0};
  figure.unit = "us";
  figure.estimate = {us, 0.98 * us, 1.02 * us, 10};
  return figure;
}

WalkLadder ladder(VirtPages pages, double walk_ns) {
  WalkLadder ladder;
  ladder.pages = pages;
  ladder.fit.levels = {{{1 << 18, 1 << 18, 1 << 18, 9}, {3, 2.9, 3.1, 9}},
                       {{1 << 23, 1 << 23, 1 << 23, 9}, {walk_ns, 0.95 * walk_ns, 1.05 * walk_ns, 9}}};
  ladder.fit.beyond = {walk_ns + 3, 0.95 * walk_ns + 3, 1.05 * walk_ns + 3, 9};
  return ladder;
}

VirtSummary environment(Hypervisor hypervisor, double walk_ns, double mapping) {
  VirtSummary summary;
  summary.facts = {{"balloon", "none"}};
  summary.hypervisor = hypervisor;
  summary.figures = {cost("first touch", VirtPages::small, 0.5 * mapping),
                     cost("mprotect", VirtPages::small, 1.2 * mapping),
                     cost("context switch", VirtPages::none, 1.4 * mapping)};
  summary.ladders = {ladder(VirtPages::small, walk_ns)};
  return summary;
}

TEST(VirtAdvise, LengthsOfWalks) {
  EXPECT_EQ(walk_reads(4, 0), 4);
  EXPECT_EQ(walk_reads(4, 4), 24);
  EXPECT_EQ(walk_reads(4, 3), 19);  // the paper says 14
  EXPECT_EQ(walk_reads(3, 3), 15);
}

TEST(VirtAdvise, BothCostTheSameAtTheBreakEven) {
  const VirtSummary native = environment(Hypervisor::none, 20, 1);
  VirtWorkload workload;
  workload.misses_4k = 1e6;
  workload.maps = 1e4;
  workload.switches = 500;
  workload.pages_per_switch = 20;
  const auto choices = paging_choices(native, workload, {});
  ASSERT_EQ(choices.size(), 4u);
  const PagingChoice& small = choices.front();
  EXPECT_EQ(small.reads, 24);
  EXPECT_NEAR(small.nested_walk_ns.value, 120, 1e-9);
  EXPECT_NEAR(small.nested.value, 1e6 * 100e-9, 1e-12);
  EXPECT_NEAR(small.shadow, ((1e4 + 1e4) * 2 + 500) * 0.45e-6, 1e-12);
  EXPECT_LT(small.nested.lo, small.nested.value);
  workload.misses_4k = small.break_even;
  const PagingChoice even = paging_choices(native, workload, {}).front();
  EXPECT_NEAR(even.nested.value, even.shadow, 1e-12);
  EXPECT_TRUE(paging_choices(VirtSummary(), workload, {}).empty());
}

// Walks of 2 MiB pages cost a quarter: each read has the price of its own page size.
TEST(VirtAdvise, EachReadHasThePriceOfItsPageSize) {
  VirtSummary native = environment(Hypervisor::none, 20, 1);
  native.ladders.push_back(ladder(VirtPages::huge, 5));
  const auto choices = paging_choices(native, {}, {});
  ASSERT_EQ(choices.size(), 4u);
  EXPECT_NEAR(choices[0].nested_walk_ns.value, 20 + 5 * 20, 1e-9);
  EXPECT_NEAR(choices[1].nested_walk_ns.value, 20 + 5 * 5, 1e-9);
  EXPECT_NEAR(choices[2].nested_walk_ns.value, 5 + 4 * 20, 1e-9);
  EXPECT_NEAR(choices[3].nested_walk_ns.value, 5 + 4 * 5, 1e-9);
  // The guest of the same machine is held against the same walks.
  VirtSummary guest = environment(Hypervisor::virtualizes, 45, 1.2);
  guest.ladders.push_back(ladder(VirtPages::huge, 85));
  const auto held = held_against_guest(native, guest);
  ASSERT_EQ(held.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(held[i].predicted.value, choices[i].nested_walk_ns.value, 1e-9) << held[i].what;
  EXPECT_TRUE(held[1].agrees() && held[2].agrees());
  EXPECT_FALSE(held[0].agrees() || held[3].agrees());
}

// Huge pages of the guest in small ones of the host walk as often as small pages do.
TEST(VirtAdvise, SmallHostPagesUndoHugeGuestPages) {
  VirtSummary native = environment(Hypervisor::none, 20, 1);
  native.ladders.push_back(ladder(VirtPages::huge, 15));
  VirtWorkload workload;
  workload.misses_4k = 4e6;
  workload.misses_2m = 1e4;
  workload.maps = 2e4;
  workload.switches = 1000;
  const PagingChoice split = paging_choices(native, workload, {}).at(2);
  ASSERT_EQ(name_of(split.guest_pages) + name_of(split.host_pages), "2m4k");
  const double seconds = 1 - 4e6 * 20e-9 + 1e4 * 15e-9;  // natively with 2 MiB pages
  EXPECT_NEAR(split.nested.value, (4e6 * (15 + 4 * 20) - 1e4 * 15) * 1e-9 / seconds, 1e-12);
  EXPECT_NEAR(split.shadow, ((2e4 * 2 + 1000) * 0.45e-6 + (4e6 * 20 - 1e4 * 15) * 1e-9) / seconds, 1e-12);
  EXPECT_LT(split.shadow, split.nested.value);
  workload.misses_4k = split.break_even;
  const PagingChoice even = paging_choices(native, workload, {}).at(2);
  EXPECT_NEAR(even.nested.value, even.shadow, 1e-12);
}

// Walks that take all of the time one after the other leave nothing of a run with huge pages.
TEST(VirtAdvise, OverlappingWalksLeaveTheTimeWithHugePagesUnknown) {
  VirtWorkload workload;
  workload.misses_4k = 0.99 / 20e-9;  // 99 % of the time by the value, more by the end of the interval
  const auto choices = paging_choices(environment(Hypervisor::none, 20, 1), workload, {});
  ASSERT_EQ(choices.size(), 4u);
  EXPECT_TRUE(choices[0].known && choices[1].known);
  EXPECT_FALSE(choices[2].known || choices[3].known);
}

// The share of its native performance that RandomAccess loses by nested paging, in per cent (Palacios paper,
// section 5.2.1): 64 with 4 KiB pages of guest and host, 31 with 2 MiB of the host alone, 19 of both, and 68
// of the guest alone. The first three determine the time in walks and the ratio of their costs.
TEST(VirtAdvise, RandomAccessLosesWhatThePaperMeasured) {
  const auto overhead = [](double lost) { return lost / (1 - lost); };
  const double small_share = overhead(0.64) / 5;  // of the native time, in walks of 4 KiB pages
  const double huge_share = overhead(0.31) / 5;   // as many walks at the price of 2 MiB pages
  const double own_share = overhead(0.19) / 4;    // in walks of 2 MiB pages, of the time with these
  constexpr double small_ns = 40;
  const double huge_ns = small_ns * huge_share / small_share;
  VirtSummary native = environment(Hypervisor::none, small_ns, 1);
  native.ladders.push_back(ladder(VirtPages::huge, huge_ns));
  VirtWorkload workload;
  workload.misses_4k = small_share / (small_ns * 1e-9);
  workload.misses_2m = own_share * (1 - small_share) / (1 - own_share) / (huge_ns * 1e-9);
  const auto choices = paging_choices(native, workload, {});
  ASSERT_EQ(choices.size(), 4u);
  const auto lost_percent = [&](std::size_t i) {
    return 100 * choices[i].nested.value / (1 + choices[i].nested.value);
  };
  EXPECT_NEAR(lost_percent(0), 64, 0.01);
  EXPECT_NEAR(lost_percent(1), 31, 0.01);
  EXPECT_NEAR(lost_percent(3), 19, 0.01);
  EXPECT_NEAR(lost_percent(2), 68, 0.5);
}

TEST(VirtAdvise, PredictionsAreHeldAgainstTheGuest) {
  const VirtSummary native = environment(Hypervisor::none, 20, 1);
  const auto as_predicted = held_against_guest(native, environment(Hypervisor::virtualizes, 119, 1.2));
  ASSERT_FALSE(as_predicted.empty());
  EXPECT_TRUE(as_predicted.front().agrees());
  EXPECT_FALSE(held_against_guest(native, environment(Hypervisor::virtualizes, 50, 1.2)).front().agrees());
}

TEST(VirtAdvise, ATlbKeepsThePagesUsedLast) {
  TlbSimulation tlb(4, 12);
  for (int round = 0; round < 10; ++round) {
    for (std::uint64_t page = 0; page < 4; ++page) tlb.access(page * 4096 + 8);
  }
  EXPECT_EQ(tlb.misses(), 4u);
  EXPECT_EQ(tlb.accesses(), 40u);
  TlbSimulation small(4, 12), huge(4, 21);
  for (int round = 0; round < 10; ++round) {
    for (std::uint64_t page = 0; page < 5; ++page) {
      small.access(page * 4096);
      huge.access(page * 4096);
    }
  }
  EXPECT_EQ(small.misses(), 50u) << "one page too many, in turn: none is found again";
  EXPECT_EQ(huge.misses(), 1u);
}

TEST(VirtPaging, IsInferredAndSaidHowSurely) {
  const VirtSummary native = environment(Hypervisor::none, 20, 1);
  EXPECT_EQ(paging_of(native, nullptr).kind, PagingKind::native);
  const VirtSummary nested = environment(Hypervisor::virtualizes, 60, 1.2),
                    shadow = environment(Hypervisor::virtualizes, 20, 9);
  EXPECT_EQ(paging_of(nested, &native).kind, PagingKind::nested);
  EXPECT_EQ(paging_of(shadow, &native).kind, PagingKind::shadow);
  EXPECT_GT(paging_of(shadow, &native).chance, 0.9);
  EXPECT_GE(paging_of(nested, &native).chance, paging_of(nested, nullptr).chance);
  EXPECT_LE(paging_of(nested, nullptr).chance, 0.95);
  // Costs of a slow machine are no evidence, their ratio to its native ones is.
  const VirtSummary slow = environment(Hypervisor::none, 20, 10);
  EXPECT_EQ(paging_of(environment(Hypervisor::virtualizes, 60, 12), &slow).kind, PagingKind::nested);
  EXPECT_EQ(paging_of(environment(Hypervisor::virtualizes, 60, 12), nullptr).kind, PagingKind::shadow);
  const VirtSummary emulated = environment(Hypervisor::emulates, 60, 9);
  EXPECT_EQ(paging_of(emulated, &native).kind, PagingKind::emulated);
  EXPECT_EQ(paging_of(VirtSummary(), nullptr).kind, PagingKind::unknown);
  EXPECT_NE(paging_text(paging_of(VirtSummary(), nullptr)).find("not known"), std::string::npos);
  EXPECT_EQ(paging_text({PagingKind::nested, 0.6, {}}), "unclear: nested paging is more likely (60 %)");
  EXPECT_EQ(paging_text({PagingKind::shadow, 0.8, {}}), "probably shadow paging, 80 % sure");
}

// With the bandwidth of its table's size, an update takes that much longer; without, as much as a walk does.
TEST(VirtAdvise, AnUpdateOfGupsTakesLongerByItsMisses) {
  VirtSummary native = environment(Hypervisor::none, 20, 1),
              guest = environment(Hypervisor::virtualizes, 119, 1.2);
  const auto figure = [](VirtKind kind, const char* what, double value) {
    VirtFigure figure = cost(what, VirtPages::small, value);
    figure.spec.kind = kind;
    figure.spec.bytes = 1 << 30;
    return figure;
  };
  native.figures.push_back(figure(VirtKind::program, "gups", 0.02));
  guest.figures.push_back(figure(VirtKind::program, "gups", 0.01));
  const double walks = guest.ladders[0].fit.at(1 << 30) - native.ladders[0].fit.at(1 << 30);
  const double spread = std::hypot(0.05 * 20, 0.05 * 119);
  const HeldAgainst plain = held_against_guest(native, guest).back();
  EXPECT_EQ(plain.unit, "ns");
  EXPECT_NEAR(plain.predicted.value, 50 + walks, 1e-9);
  EXPECT_NEAR(plain.predicted.lo, 50 / 1.02 + walks - spread, 1e-9);
  EXPECT_NEAR(plain.predicted.hi, 50 / 0.98 + walks + spread, 1e-9);
  EXPECT_NEAR(plain.measured.value, 100, 1e-9);
  native.ladders[0].bandwidths = {figure(VirtKind::walk, "bandwidth", 6.4)};
  guest.ladders[0].bandwidths = {figure(VirtKind::walk, "bandwidth", 2.56)};
  const HeldAgainst chained = held_against_guest(native, guest).back();
  EXPECT_NEAR(chained.predicted.value, 50 + 25 - 10, 1e-9);
  EXPECT_NEAR(chained.predicted.lo, 50 / 1.02 + 15 - 15 / walks * spread, 1e-9);
  EXPECT_NEAR(chained.predicted.hi, 50 / 0.98 + 15 + 15 / walks * spread, 1e-9);
  // A table larger than every working set, and tables of different sizes.
  native.figures.back().spec.bytes = guest.figures.back().spec.bytes = std::uint64_t{8} << 30;
  EXPECT_NEAR(held_against_guest(native, guest).back().predicted.value, 50 + 25 - 10, 1e-9);
  guest.figures.back().spec.bytes /= 2;
  for (const HeldAgainst& held : held_against_guest(native, guest))
    EXPECT_EQ(held.what.find("GUPS"), std::string::npos);
}

}  // namespace

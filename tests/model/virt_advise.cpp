// Nested or shadow paging: lengths of walks, break-even, a simulated TLB, and which paging a guest has.

#include <gtest/gtest.h>

#include <cmath>

#include "model/virt/advise.hpp"
#include "model/virt/paging.hpp"

namespace {

using namespace gable::model;

VirtFigure cost(const char* what, VirtPages pages, double us) {
  VirtFigure figure;
  figure.asked = {"map", what, pages, -1, 0};
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

VirtSummary environment(const char* hypervisor, double walk_ns, double mapping) {
  VirtSummary summary;
  summary.facts = {{"hypervisor", hypervisor}};
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
  const VirtSummary native = environment("none seen", 20, 1);
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

// Huge pages of the guest in small ones of the host walk as often as small pages do.
TEST(VirtAdvise, SmallHostPagesUndoHugeGuestPages) {
  VirtSummary native = environment("none seen", 20, 1);
  native.ladders.push_back(ladder(VirtPages::huge, 15));
  VirtWorkload workload;
  workload.misses_4k = 4e6;
  workload.misses_2m = 1e4;
  workload.maps = 2e4;
  workload.switches = 1000;
  const PagingChoice split = paging_choices(native, workload, {}).at(2);
  ASSERT_EQ(name_of(split.guest_pages) + name_of(split.host_pages), "2m4k");
  EXPECT_NEAR(split.nested.value, (4e6 * 15 * 19 / 3 - 1e4 * 15) * 1e-9, 1e-12);
  EXPECT_NEAR(split.shadow, (2e4 * 2 + 1000) * 0.45e-6 + (4e6 * 20 - 1e4 * 15) * 1e-9, 1e-12);
  EXPECT_LT(split.shadow, split.nested.value);
  workload.misses_4k = split.break_even;
  const PagingChoice even = paging_choices(native, workload, {}).at(2);
  EXPECT_NEAR(even.nested.value, even.shadow, 1e-12);
  // Walks of huge pages so cheap that a nested one is no dearer than a native one of small pages.
  native.ladders.back() = ladder(VirtPages::huge, 3);
  EXPECT_TRUE(std::isinf(paging_choices(native, workload, {}).at(2).break_even));
}

// What RandomAccess loses by nested paging (Palacios paper, section 5.2.1), in per cent: 64 with small pages
// of guest and host, 31 with huge ones of the host alone, 68 of the guest alone, 19 of both. Its table is as
// large as the memory, so that huge pages miss the TLB too, and the entry that a walk waits for is far away.
TEST(VirtAdvise, RandomAccessLosesInTheOrderOfThePaper) {
  VirtSummary native = environment("none seen", 20, 1);
  native.ladders.push_back(ladder(VirtPages::huge, 18));
  VirtWorkload workload;
  workload.misses_4k = 8e6;
  workload.misses_2m = 3e6;
  const auto choices = paging_choices(native, workload, {});
  ASSERT_EQ(choices.size(), 4u);
  const double small = choices[0].nested.value, huge_host = choices[1].nested.value;
  const double huge_guest = choices[2].nested.value, huge = choices[3].nested.value;
  EXPECT_GT(huge_guest, small);
  EXPECT_GT(small, huge_host);
  EXPECT_GT(huge_host, huge);
  EXPECT_NEAR(huge_guest / small, 68.0 / 64, 0.1);
}

TEST(VirtAdvise, PredictionsAreHeldAgainstTheGuest) {
  const VirtSummary native = environment("none seen", 20, 1);
  const auto as_predicted = held_against_guest(native, environment("kvm", 119, 1.2));
  ASSERT_FALSE(as_predicted.empty());
  EXPECT_TRUE(as_predicted.front().agrees());
  EXPECT_FALSE(held_against_guest(native, environment("kvm", 50, 1.2)).front().agrees());
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
  const VirtSummary native = environment("none seen", 20, 1);
  EXPECT_EQ(paging_of(native, nullptr).kind, "native");
  const VirtSummary nested = environment("kvm", 60, 1.2), shadow = environment("kvm", 20, 9);
  EXPECT_EQ(paging_of(nested, &native).kind, "nested");
  EXPECT_EQ(paging_of(shadow, &native).kind, "shadow");
  EXPECT_GT(paging_of(shadow, &native).chance, 0.9);
  EXPECT_GE(paging_of(nested, &native).chance, paging_of(nested, nullptr).chance);
  EXPECT_LE(paging_of(nested, nullptr).chance, 0.95);
  // Costs of a slow machine are no evidence, their ratio to its native ones is.
  const VirtSummary slow = environment("none seen", 20, 10);
  EXPECT_EQ(paging_of(environment("kvm", 60, 12), &slow).kind, "nested");
  EXPECT_EQ(paging_of(environment("kvm", 60, 12), nullptr).kind, "shadow");
  VirtSummary emulated = environment("qemu, emulated", 60, 9);
  emulated.emulated = true;
  EXPECT_EQ(paging_of(emulated, &native).kind, "emulated");
  EXPECT_EQ(paging_of(VirtSummary(), nullptr).kind, "");
  EXPECT_NE(paging_text(paging_of(VirtSummary(), nullptr)).find("not known"), std::string::npos);
  EXPECT_EQ(paging_text({"nested", 0.6, ""}), "unclear: nested paging is more likely (60 %)");
  EXPECT_EQ(paging_text({"shadow", 0.8, ""}), "probably shadow paging, 80 % sure");
}

// With the bandwidth of its table's size, an update takes that much longer; without, as much as a walk does.
TEST(VirtAdvise, AnUpdateOfGupsTakesLongerByItsMisses) {
  VirtSummary native = environment("none seen", 20, 1), guest = environment("kvm", 119, 1.2);
  const auto figure = [](const char* kind, const char* what, double value) {
    VirtFigure figure = cost(what, VirtPages::small, value);
    figure.asked.kind = kind;
    figure.asked.bytes = 1 << 30;
    return figure;
  };
  native.figures.push_back(figure("program", "gups", 0.02));
  guest.figures.push_back(figure("program", "gups", 0.01));
  const double walks = guest.ladders[0].fit.at(1 << 30) - native.ladders[0].fit.at(1 << 30);
  const double spread = std::hypot(0.05 * 20, 0.05 * 119);
  const HeldAgainst plain = held_against_guest(native, guest).back();
  EXPECT_EQ(plain.unit, "ns");
  EXPECT_NEAR(plain.predicted.value, 50 + walks, 1e-9);
  EXPECT_NEAR(plain.predicted.lo, 50 / 1.02 + walks - spread, 1e-9);
  EXPECT_NEAR(plain.predicted.hi, 50 / 0.98 + walks + spread, 1e-9);
  EXPECT_NEAR(plain.measured.value, 100, 1e-9);
  native.ladders[0].bandwidths = {figure("walk", "bandwidth", 6.4)};
  guest.ladders[0].bandwidths = {figure("walk", "bandwidth", 2.56)};
  const HeldAgainst chained = held_against_guest(native, guest).back();
  EXPECT_NEAR(chained.predicted.value, 50 + 25 - 10, 1e-9);
  EXPECT_NEAR(chained.predicted.lo, 50 / 1.02 + 15 - 15 / walks * spread, 1e-9);
  EXPECT_NEAR(chained.predicted.hi, 50 / 0.98 + 15 + 15 / walks * spread, 1e-9);
}

}  // namespace

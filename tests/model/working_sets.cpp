// Working sets in memory of which the caches may hold a part: a remark says so, and a larger one counts.

#include "model/roofs/visits.hpp"

#include <gtest/gtest.h>

#include <string>

#include "model/roofs/roofs.hpp"

namespace gable::model::working_set_tests {
namespace {

constexpr std::uint64_t MiB = 1u << 20;

Case loads(std::uint64_t bytes) {
  Case spec;
  spec.kind = model::Kind::bandwidth;
  spec.level = model::Level::memory();
  spec.pattern = model::Pattern::local;
  spec.node = 0;
  spec.tier = Tier::dram;
  spec.op = operations::load;
  spec.kernel = "load_avx2";
  spec.pages = *pages_named("4k");
  spec.threads = 2;
  spec.bytes = bytes;
  return spec;
}

Case l3() {
  Case spec = loads(4 * MiB);
  spec.level = model::Level::cache(3);
  spec.pattern = model::Pattern::cache;
  return spec;
}

Case step_of(std::uint64_t bytes) {
  Case spec = loads(bytes);
  spec.level = Level::any();
  spec.pattern = Pattern::ladder;
  return spec;
}

Case validation(std::uint64_t bytes) {
  Case spec = loads(bytes);
  spec.kind = model::Kind::validation;
  spec.op = Operation("load_fma");
  spec.flop_per_byte = 0.25;
  return spec;
}

Sample visit(const Case& spec, double giga_per_second, Notes notes = {}) {
  Sample sample;
  sample.spec = spec;
  sample.seconds = {1e-3, 1e-3};
  sample.work = {giga_per_second * 1e6, giga_per_second * 1e6};
  sample.notes = std::move(notes);
  return sample;
}

Sample skipped(const Case& spec) {
  Sample sample;
  sample.spec = spec;
  sample.status = Status::skipped;
  sample.reason = NoteCode::budget_used;
  return sample;
}

const Note small = {NoteCode::small_set, {"node 0", 95e6, 256e6}};

// Half of a small working set comes from the cache, so it is faster.
TEST(WorkingSets, AFullMeasurementReplacesASmallerWorkingSet) {
  const auto fitted = fit({visit(loads(48 * MiB), 75, {small}), visit(loads(128 * MiB), 55),
                           visit(validation(48 * MiB), 18, {small}), visit(validation(128 * MiB), 14)},
                          {});
  ASSERT_EQ(fitted.roofs.size(), 1u);
  EXPECT_DOUBLE_EQ(fitted.roofs[0].value, 55);
  EXPECT_TRUE(fitted.roofs[0].remarks.empty());
  ASSERT_EQ(fitted.validation.size(), 1u);
  ASSERT_EQ(fitted.validation[0].points.size(), 1u);
  EXPECT_DOUBLE_EQ(fitted.validation[0].points[0].measured.value, 14);
}

TEST(WorkingSets, ASmallerOneAloneHasARemark) {
  for (const Note& note : {small, Note(NoteCode::small_set_asked, {64e6, 256e6}),
                           Note(NoteCode::smaller_buffers, {55.0, " on node 0"})}) {
    const auto fitted =
        fit({visit(loads(48 * MiB), 75, {Note("4 KiB pages"), note}), visit(l3(), 250, {note})}, {});
    ASSERT_EQ(fitted.roofs.size(), 2u);
    EXPECT_NE(joined_sentences(fitted.roofs[0].remarks).find("the last cache may hold a part of the data"),
              std::string::npos)
        << joined_sentences(fitted.roofs[0].remarks);
    EXPECT_TRUE(fitted.roofs[1].remarks.empty()) << "a cache";
  }
}

TEST(WorkingSets, NoLessThanTheDefaultHasNoRemark) {
  const auto fitted =
      fit({visit(loads(4096 * MiB), 75, {{NoteCode::smaller_ample_buffers, {92.0, ""}}})}, {});
  EXPECT_TRUE(fitted.roofs.at(0).remarks.empty());
}

TEST(WorkingSets, BuffersOfSeveralSizesGiveOneRemark) {
  const Sample first = visit(loads(128 * MiB), 75, {{NoteCode::smaller_buffers, {55.0, ""}}}),
               other = visit(loads(128 * MiB), 70, {{NoteCode::smaller_buffers, {61.0, ""}}});
  EXPECT_EQ(remarks_on_caches({&first, &other}).size(), 1u);
}

// A larger one that was not measured replaces nothing; a smaller one that was not measured is not missing.
TEST(WorkingSets, OnlyWhatWasMeasuredReplaces) {
  const auto kept = fit({visit(loads(48 * MiB), 75, {small}), skipped(loads(128 * MiB))}, {});
  ASSERT_EQ(kept.roofs.size(), 2u);
  EXPECT_DOUBLE_EQ(kept.roofs[0].value, 75);
  const auto replaced = fit({skipped(loads(48 * MiB)), visit(loads(128 * MiB), 55)}, {});
  ASSERT_EQ(replaced.roofs.size(), 1u);
  EXPECT_EQ(replaced.roofs[0].status, Status::ok);
}

TEST(WorkingSets, CachesLaddersAndOtherCasesStay) {
  Case other_pages = loads(48 * MiB), alone = loads(32 * MiB);
  other_pages.pages = *gable::model::pages_named("2m");
  alone.threads = 1;
  Case smaller_cache = l3();
  smaller_cache.bytes /= 2;
  const auto fitted =
      fit({visit(loads(128 * MiB), 55), visit(other_pages, 60), visit(alone, 40), visit(l3(), 250),
           visit(smaller_cache, 260), visit(step_of(MiB), 100), visit(step_of(2 * MiB), 90)},
          {});
  EXPECT_EQ(fitted.roofs.size(), 5u);
  EXPECT_EQ(fitted.ladder.size(), 2u);
}

}  // namespace
}  // namespace gable::model::working_set_tests

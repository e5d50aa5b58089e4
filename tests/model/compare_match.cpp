// Which figures of two folders belong together.

#include <gtest/gtest.h>

#include <random>

#include "tests/model/named_figure.hpp"

namespace gable::model {
namespace {

// Every figure is matched or listed once, whatever the folders have.
TEST(CompareMatch, EveryFigureIsInTheResultOnce) {
  std::mt19937_64 random(10);
  std::uniform_int_distribution<int> few(0, 3);
  const auto draw = [&] {
    std::vector<Figure> figures;
    for (int number = 0; number < 8; ++number) {
      for (int variant = few(random); variant > 0; --variant) {
        Figure figure = figure_named(number);
        figure.variant = "variant " + std::to_string(few(random));
        figure.bytes = 1024 * static_cast<std::uint64_t>(few(random));
        figure.estimate = {1.0 + few(random), 0.9, 4.1, 9};
        if (few(random) == 0) figure.status = few(random) % 2 == 0 ? Status::skipped : Status::invalid;
        if (few(random) == 0) figure.no_partner = Note("lies elsewhere");
        figure.reason = Note(figure.status == Status::ok ? "" : "busy");
        figures.push_back(std::move(figure));
      }
    }
    return figures;
  };
  for (int i = 0; i < 500; ++i) {
    const std::vector<Figure> first = draw(), other = draw();
    std::vector<int> firsts(first.size()), others(other.size());
    const Matching matching = match_figures(first, other);
    for (const Matched& matched : matching.matched) {
      const Figure &a = first[matched.first], &b = other[matched.other];
      EXPECT_EQ(a.question, b.question);
      EXPECT_TRUE(a.status == Status::ok && b.status == Status::ok);
      EXPECT_TRUE(a.no_partner.empty() && b.no_partner.empty());
      EXPECT_EQ(matched.note.empty(),
                a.variant == b.variant && (a.bytes == b.bytes || a.bytes * b.bytes == 0));
      ++firsts[matched.first];
      ++others[matched.other];
    }
    for (const Lone& lone : matching.lone) {
      EXPECT_FALSE(lone.reason.empty());
      if (lone.first) ++firsts[*lone.first];
      if (lone.other) ++others[*lone.other];
    }
    // A failed figure stands for its counterpart, which may be listed with its reason.
    for (std::size_t k = 0; k < first.size(); ++k)
      EXPECT_TRUE(firsts[k] == 1 || (firsts[k] == 0 && first[k].status != Status::ok));
    for (std::size_t k = 0; k < other.size(); ++k)
      EXPECT_TRUE(others[k] == 1 || (others[k] == 0 && other[k].status != Status::ok));
  }
}

TEST(CompareMatch, MatchesTheBestWhereKernelsDiffer) {
  std::vector<Figure> first = {figure_named(0), figure_named(0)}, other = first;
  first[0].variant = "load_avx2, 4k pages";
  first[1].variant = "load_avx2, 2m pages";
  other[0].variant = "load_avx512, 4k pages";
  other[1].variant = "load_avx512, 2m pages";
  for (auto* figures : {&first, &other}) {
    (*figures)[0].estimate = {10, 9, 11, 6};
    (*figures)[1].estimate = {12, 11, 13, 6};
  }
  Matching matching = match_figures(first, other);
  ASSERT_EQ(matching.matched.size(), 1U);
  EXPECT_EQ(matching.matched[0].first, 1U);
  EXPECT_EQ(matching.matched[0].other, 1U);
  EXPECT_EQ(matching.matched[0].note, "load_avx2, 2m pages and load_avx512, 2m pages");
  EXPECT_EQ(matching.lone.size(), 2U);
  other[0].variant = first[0].variant;  // an equal one is preferred to the best
  matching = match_figures(first, other);
  ASSERT_EQ(matching.matched.size(), 1U);
  EXPECT_EQ(matching.matched[0].first, 0U);
  EXPECT_EQ(matching.matched[0].note, "");
}

// Of older files the idle latency is not known where that at a small load replaced it.
TEST(CompareMatch, ALatencyAtASmallLoadBesideAnIdleOneHasANote) {
  std::vector<Figure> first = {figure_named(0)}, other = first;
  first[0].estimate = other[0].estimate = {100, 99, 101, 6};
  other[0].at_small_load = true;
  Matching matching = match_figures(first, other);
  ASSERT_EQ(matching.matched.size(), 1U);
  EXPECT_TRUE(matching.matched[0].note.starts_with("the other figure is of a small load"));
  first[0].at_small_load = true;
  matching = match_figures(first, other);
  EXPECT_EQ(matching.matched.at(0).note, "");
}

TEST(CompareMatch, AFigureWithoutACounterpartSaysWhatTheOtherFolderHas) {
  Figure figure = figure_named(0);
  figure.estimate = {10, 9, 11, 6};
  figure.topic = "load";
  figure.threads = "all cores";
  Figure other = figure;
  other.status = Status::invalid;
  other.reason = Note("busy");
  other.variant = "load_avx512";
  for (const bool swapped : {false, true}) {
    const Matching matching = swapped ? match_figures({other}, {figure}) : match_figures({figure}, {other});
    ASSERT_EQ(matching.lone.size(), 1U);
    EXPECT_EQ(matching.lone[0].first.has_value(), !swapped);
    EXPECT_EQ(matching.lone[0].there, Status::invalid);
    EXPECT_EQ(sentence(matching.lone[0].reason), "busy");
  }
  other = figure;
  other.question = "with other threads";
  other.threads = "1 thread";
  const Matching matching = match_figures({figure}, {other});
  ASSERT_EQ(matching.lone.size(), 2U);
  EXPECT_EQ(sentence(matching.lone[0].reason),
            "the other folder has it with other threads: 1 thread instead of all cores");
  EXPECT_EQ(sentence(matching.lone[1].reason),
            "the other folder has it with other threads: all cores instead of 1 thread");
  other.status = Status::skipped;
  EXPECT_EQ(match_figures({figure}, {other}).lone.size(), 1U);
}

}  // namespace
}  // namespace gable::model

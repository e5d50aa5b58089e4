#include "base/sorting.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <ranges>

namespace gable {
namespace {

struct Card {
  int number = 0;
  int place = 0;
  bool operator==(const Card&) const = default;
};

// `count` cards of few different numbers, so that many are equal.
std::vector<Card> shuffled(std::size_t count, std::mt19937& random) {
  std::vector<Card> cards;
  for (int place : std::views::iota(0, static_cast<int>(count)))
    cards.push_back({static_cast<int>(random() % 9), place});
  return cards;
}

TEST(Sorting, SortsAsStableSortDoes) {
  std::mt19937 random(7);
  for (std::size_t count = 0; count < 200; ++count) {
    const std::vector<Card> cards = shuffled(count, random);
    std::vector<Card> up = cards, down = cards, by_parity = cards, expected = cards;
    const auto even_first = [](const Card& a, const Card& b) { return a.number % 2 < b.number % 2; };
    sort_by(up, &Card::number);
    sort_down_by(down, &Card::number);
    sort_with(by_parity, even_first);
    std::ranges::stable_sort(expected, {}, &Card::number);
    EXPECT_EQ(up, expected) << count;
    expected = cards;
    std::ranges::stable_sort(expected, std::greater(), &Card::number);
    EXPECT_EQ(down, expected) << count;
    expected = cards;
    std::ranges::stable_sort(expected, even_first);
    EXPECT_EQ(by_parity, expected) << count;
  }
}

}  // namespace
}  // namespace gable

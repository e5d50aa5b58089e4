#include "bench/c2c/pairs.hpp"

#include <algorithm>
#include <limits>

#include "base/lists.hpp"
#include "base/numbers.hpp"

namespace gable::bench {

namespace {

using machines::Place;

bool is_same(int a, int b) {
  return a >= 0 && a == b;
}

std::string kinds_of(const Place& a, const Place& b) {
  const auto& [first, second] = std::minmax(a.kind, b.kind);
  return first == second ? first : first + " and " + second;
}

// The smallest part of the machine that both share.
model::Relation relation_of(const Place& a, const Place& b) {
  using model::Relation;
  if (a.core == b.core) return Relation::core;
  if (is_same(a.l2, b.l2)) return Relation::l2;
  if (is_same(a.l3, b.l3)) return Relation::l3;
  if (a.package != b.package) return Relation::machine;
  return a.node == b.node ? Relation::node : Relation::package;
}

// How much two pairs have in common: the more, the smaller the parts that their hardware threads share.
int closeness(const std::vector<Place>& places, const PlacePair& a, const PlacePair& b) {
  int sum = 0;
  for (const std::size_t i : {a.first, a.second}) {
    for (const std::size_t j : {b.first, b.second}) {
      const auto apart = static_cast<int>(relation_of(places[i], places[j]));
      const auto most = static_cast<int>(model::Relation::machine);
      sum += (most - apart) * (most - apart);
    }
  }
  return sum;
}

}  // namespace

model::PairClass class_of(const machines::Machine& machine, const Place& a, const Place& b) {
  const auto distance =
      machines::distance_between(machine, static_cast<unsigned>(a.node), static_cast<unsigned>(b.node));
  return {relation_of(a, b), a.node == b.node ? 0 : distance.value_or(0), kinds_of(a, b)};
}

std::map<model::PairClass, std::vector<PlacePair>> pairs_by_class(const machines::Machine& machine,
                                                                  const std::vector<Place>& places) {
  std::map<model::PairClass, std::vector<PlacePair>> classes;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const bool leads = i == 0 || places[i - 1].core != places[i].core;
    for (std::size_t j = i + 1; j < places.size(); ++j) {
      const bool other_leads = places[j - 1].core != places[j].core;
      if (places[i].core == places[j].core || (leads && other_leads))
        classes[class_of(machine, places[i], places[j])].emplace_back(i, j);
    }
  }
  return classes;
}

std::vector<PlacePair> unlike_pairs(const std::vector<Place>& places, const std::vector<PlacePair>& pairs,
                                    std::size_t count) {
  std::vector<PlacePair> chosen;
  std::vector<int> shared(pairs.size(), 0);
  while (chosen.size() < std::min(count, pairs.size())) {
    const auto least = std::ranges::min_element(shared) - shared.begin();
    chosen.push_back(pairs[static_cast<std::size_t>(least)]);
    for (std::size_t p = 0; p < pairs.size(); ++p) shared[p] += closeness(places, pairs[p], chosen.back());
    // A chosen pair is not chosen again, however unlike all others it is.
    shared[static_cast<std::size_t>(least)] = std::numeric_limits<int>::max() / 2;
  }
  return chosen;
}

std::vector<PlacePair> random_pairs(const std::vector<PlacePair>& pairs, const std::set<PlacePair>& known,
                                    std::size_t count, std::uint64_t seed) {
  auto order = those(pairs, [&](const PlacePair& pair) { return !known.contains(pair); });
  for (std::size_t left = order.size(); left > 1; --left, seed += scrambled_step)
    std::swap(order[left - 1], order[scrambled(seed) % left]);
  std::set<std::size_t> seen;
  std::ranges::stable_partition(order, [&](const PlacePair& pair) {
    const bool is_new = seen.insert(pair.first).second;
    return seen.insert(pair.second).second || is_new;
  });
  if (order.size() > count) order.resize(count);
  return order;
}

}  // namespace gable::bench

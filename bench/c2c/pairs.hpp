#pragma once

// Pairs of hardware threads, grouped by what the topology says about them.

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "machines/cores/places.hpp"
#include "machines/machine.hpp"
#include "model/records/c2c.hpp"

namespace gable::bench {

/// Two indices into the places of a machine, the lower one first.
using PlacePair = std::pair<std::size_t, std::size_t>;

model::PairClass class_of(const machines::Machine& machine, const machines::Place& a,
                          const machines::Place& b);

/// All pairs of cores by class, each by the first hardware thread of its core; and, of every core with
/// several hardware threads, all pairs of these.
std::map<model::PairClass, std::vector<PlacePair>> pairs_by_class(const machines::Machine& machine,
                                                                  const std::vector<machines::Place>& places);

/// At most `count` of the pairs: the first one, then each time the one that shares least with those chosen.
std::vector<PlacePair> unlike_pairs(const std::vector<machines::Place>& places,
                                    const std::vector<PlacePair>& pairs, std::size_t count);

/// At most `count` of the pairs, in an order that `seed` shuffles, without those in `known`. Pairs of a core
/// that no earlier one has come first, so that a slow core is found if `count` is at least the number of
/// cores. By symmetry each pair of a class is as probable as any other.
std::vector<PlacePair> random_pairs(const std::vector<PlacePair>& pairs, const std::set<PlacePair>& known,
                                    std::size_t count, std::uint64_t seed);

}  // namespace gable::bench

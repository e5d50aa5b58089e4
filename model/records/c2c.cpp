#include "model/records/c2c.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gable::model {

std::string name_of(const PairClass& between) {
  std::string name(row_of(between.relation).words);
  if (between.distance > 0) name += fmt::format(", distance {}", between.distance);
  if (!between.kinds.empty()) name += ", " + between.kinds;
  return name;
}

std::string key(const C2cCase& spec) {
  return fmt::format("measure={} pus={} node={}", name_of(spec.measure), fmt::join(spec.pus, "-"), spec.node);
}

std::string words_of(const C2cCase& spec) {
  const C2cMeasureRow& row = row_of(spec.measure);
  const std::string place =
      row.of_pairs ? fmt::format("CPU {}", fmt::join(spec.pus, row.has_direction ? " to " : " and "))
                   : fmt::format("{} threads", spec.pus.size());
  return fmt::format("{}, {}{}", row.words, place,
                     spec.node < 0 ? "" : fmt::format(", on node {}", spec.node));
}

}  // namespace gable::model

#include "model/domain/level.hpp"

#include <tuple>
#include <utility>

#include "base/numbers.hpp"

namespace gable::model {

namespace {

// The number in "L1", "L2", ...; 0 for other names.
int number_of(std::string_view name) {
  if (!name.starts_with('L') || name.starts_with("L0")) return 0;
  return read_as<int>(name.substr(1)).value_or(0);
}

Level::Place place_of(std::string_view name, int number) {
  if (number > 0) return Level::Place::cache;
  if (name == "core") return Level::Place::core;
  if (name == "memory") return Level::Place::memory;
  return name == "ladder" ? Level::Place::any : Level::Place::side_cache;
}

}  // namespace

Level::Level(std::string name)
    : name_(std::move(name)), place_(place_of(name_, number_of(name_))), number_(number_of(name_)) {}

Level Level::cache(int number) {
  return Level("L" + std::to_string(number));
}

std::strong_ordering Level::operator<=>(const Level& other) const {
  return std::tie(place_, number_, name_) <=> std::tie(other.place_, other.number_, other.name_);
}

}  // namespace gable::model

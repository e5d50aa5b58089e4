#pragma once

// Levels of the memory hierarchy. Caches have any number, and memory-side caches any name, so that levels are
// values instead of the rows of a table.

#include <compare>
#include <string>

namespace gable::model {

/// A level, by its word in files: "core" (registers), "L1", "L2", ..., "memory", "ladder" (any of them, by
/// the working set), and any other word for a memory-side cache: "MCDRAM", "MSC".
class Level {
 public:
  enum class Place { core, cache, side_cache, memory, any };  ///< from the inside out

  Level() : Level("memory") {}
  explicit Level(std::string name);
  static Level core() { return Level("core"); }
  static Level cache(int number);  ///< "L1" of 1
  static Level memory() { return {}; }
  static Level any() { return Level("ladder"); }

  const std::string& name() const { return name_; }
  Place place() const { return place_; }
  int number() const { return number_; }  ///< of a cache; otherwise 0

  bool operator==(const Level& other) const { return name_ == other.name_; }
  /// Levels are ordered from the inside out: caches by number, memory-side caches by name.
  std::strong_ordering operator<=>(const Level& other) const;

 private:
  std::string name_;
  Place place_ = Place::side_cache;
  int number_ = 0;
};

inline bool is_cache(const Level& level) {
  return level.place() == Level::Place::cache;
}
inline bool is_memory(const Level& level) {
  return level.place() == Level::Place::memory;
}
inline bool is_side_cache(const Level& level) {
  return level.place() == Level::Place::side_cache;
}
/// The first cache, next to the core.
inline bool is_first_cache(const Level& level) {
  return level.number() == 1;
}

}  // namespace gable::model

#pragma once

// Merges reasons that differ only in their numbers: "kept 0.4 to 1.9 CPUs busy".

#include <string>
#include <vector>

namespace gable::cli {

class Reason {
 public:
  /// The reason without its numbers; reasons with the same pattern can be merged.
  static std::string pattern(const std::string& reason);

  /// Adds a reason of the same pattern as those before.
  void add(const std::string& reason);

  /// The reason, with the range of each number that varies.
  std::string text() const;

 private:
  struct Number {
    std::string least, most;
  };
  std::string pattern_;
  std::vector<Number> numbers_;
};

}  // namespace gable::cli

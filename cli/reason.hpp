#pragma once

// Reasons that differ only in their numbers, told as one: "kept 0.4 to 1.9 CPUs busy".

#include <string>
#include <vector>

namespace gable::cli {

class Reason {
 public:
  /// The reason without its numbers: reasons of one pattern can be told as one.
  static std::string pattern(const std::string& reason);

  /// Adds a reason of the same pattern as those before.
  void add(const std::string& reason);

  /// The reason, with the range of each number that is not always the same.
  std::string text() const;

 private:
  struct Number {
    std::string least, most;
  };
  std::string pattern_;
  std::vector<Number> numbers_;
};

}  // namespace gable::cli

#pragma once

// The tables of `gable show`, once while `gable measure` goes on.

#include <chrono>
#include <string>

namespace gable::cli {

class FirstTable {
 public:
  /// Counts the time from now on. A first figure of each kind is expected after `due_after` seconds. No table
  /// is printed for a folder that was fitted before, because `gable show` has its figures.
  explicit FirstTable(std::string folder, double due_after = 10);

  /// Whether it is time for the tables: they were not printed yet, and at least as much time is left as has
  /// passed until they are due. Otherwise the end is near enough.
  bool is_due(double seconds_left) const;

  /// Prints the tables of what the folder's samples tell so far; nothing if they tell of no roof.
  void print();

 private:
  std::string folder_;
  double due_after_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool printed_ = false;  ///< or fitted before
};

}  // namespace gable::cli

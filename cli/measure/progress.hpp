#pragma once

// The progress display of `gable measure`.

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "bench/visit/campaign.hpp"
#include "cli/text/message.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

/// Watches the machine for a fifth of a second, and tells if other processes or the hypervisor take more than
/// figures tolerate, with the processes that do and the `consequence`. Does nothing if the measurement takes
/// so few `seconds` that this is not worth its time.
void warn_if_busy(double seconds, const std::string& consequence);

/// The visit that was made last, with its result. Disturbed visits are repeated, and intervals are narrowed,
/// when all that was planned is done; these visits are extra.
void show(ProgressLine& line, const bench::Progress& progress);

/// The tables of `gable show`, once while `gable measure` goes on.
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

/// What disturbed a measurement, in words for its last line.
class Disturbances {
 public:
  void add(const model::Sample& sample);

  /// ", other hardware threads used the cores in 23 % of the time, 8 invalid (5 of them: other processes kept
  /// 0.5 to 1.2 CPUs busy; `gable fit DIR` shows all reasons)"; empty if nothing did.
  std::string words(const std::string& folder) const;

 private:
  std::string invalid_words(const std::string& folder) const;

  struct Visit {
    double adds_per_cycle, kept, dropped;  // repetitions; dropped: those with crowded cores
  };
  struct Cores {
    double most_adds = 0;
    std::vector<Visit> visits;
  };

  int invalid_ = 0;
  model::NotesByKind reasons_;  // of invalid samples
  std::map<int, Cores> cores_;  // by cluster
};

}  // namespace gable::cli

#pragma once

// Judges other places of the threads by the program's progress there.

#include <optional>
#include <utility>
#include <vector>

namespace gable::kmaf {

/// Trials of other places: the threads are there, or may be after more reports of progress.
enum class Trials { none, expected, running };

class Trial {
 public:
  /// `reports`: how many of each place are compared, at least 1.
  explicit Trial(int reports);

  /// The rate of the program's progress, in any unit, during a time in which no thread moved. During a trial,
  /// returns whether the new places are kept, once this is known: by all reports they must be faster by 1 %
  /// and beyond chance. The trial ends early where three reports are slower beyond chance or one is much
  /// slower than all before. `settled`: hardly any pages moved; otherwise only a much slower report counts,
  /// and as many in a row as are compared end the trial.
  std::optional<bool> report(double rate, bool settled);

  /// Threads moved: earlier rates no longer count.
  void moved() { rates_.clear(); }

  /// The rate at the present places is known, so that others may be tried.
  bool is_ready() const { return !runs() && rates_.size() >= reports_; }

  /// The threads are at other places from now on. Requires is_ready().
  void begin() { before_ = std::exchange(rates_, {}); }

  bool runs() const { return !before_.empty(); }

  /// Ends a trial without a result.
  void drop() { before_.clear(); }

  /// The mean of the latest reports; 0 if there are none.
  double rate() const;

 private:
  double gain() const;
  double chance() const;
  bool is_faster() const;
  bool is_slower() const;

  std::size_t reports_;
  std::size_t unsettled_ = 0;   // reports in a row
  std::vector<double> rates_;   // at the present places, the latest
  std::vector<double> before_;  // before the trial; empty: there is none
};

}  // namespace gable::kmaf

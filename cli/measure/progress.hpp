#pragma once

// The progress display of `gable measure`.

#include <string>

#include "bench/visit/campaign.hpp"

namespace gable::cli {

/// One line for a Case: "L3 load_avx2 2m, cluster 0".
std::string describe(const model::Case& asked);

/// Draws the line of progress on a terminal; on anything else, a line every ten per cent. Visits beyond those
/// of the first call are extra.
class ProgressLine {
 public:
  /// `part` stands before the percentage. The time left includes `seconds_after`, of the parts that follow.
  explicit ProgressLine(bool quiet, std::string part, double seconds_after = 0);
  void show(const bench::Progress& progress);
  /// `last`: what was visited last, in words.
  void show(int visits_done, int visits, double seconds_left, const std::string& last);
  void finish();

 private:
  bool quiet_;
  bool terminal_;
  std::string part_;
  double seconds_after_;
  int planned_ = 0;  // visits
  int last_tenth_ = -1;
  bool drawn_ = false;
};

}  // namespace gable::cli

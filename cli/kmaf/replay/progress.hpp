#pragma once

// The progress of `gable kmaf replay` on a terminal.

#include <chrono>
#include <mutex>
#include <string>

#include "cli/text/progress_line.hpp"

namespace gable::cli {

/// Of the runs for one purpose.
class ReplayProgress {
 public:
  /// `part` stands before the percentage, `purpose` behind it.
  ReplayProgress(const std::string& part, std::string purpose);

  /// `ended` of `all` runs have ended. Several threads may call it.
  void show(int ended, int all);

 private:
  std::mutex guard_;
  ProgressLine line_;
  std::string purpose_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  int ended_ = 0;
};

}  // namespace gable::cli

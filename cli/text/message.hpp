#pragma once

// What a command says beside its results: messages and its progress.

#include <optional>
#include <string>

namespace gable::cli {

/// Prints "gable: TEXT" on standard error, with a newline: in lines that fit a terminal, unchanged into a
/// file or pipe. Control characters become "?". A standard error that cannot be written is no error.
void tell(const std::string& text);

/// Whether standard error is a terminal whose line can be overwritten.
bool can_redraw();

/// Draws the text over that line, cut at the width of the terminal; an empty text erases it.
void redraw(const std::string& text);

/// Draws the line on a terminal; on anything else, a line every ten per cent, or none.
class ProgressLine {
 public:
  struct Options {
    std::string part = {};     ///< stands before the percentage
    double seconds_after = 0;  ///< of the parts that follow; the time left includes them
    std::string goal = {};     ///< what the time leads to: "0:31 to the first chart"; empty: "0:31 left"
    bool terminal_only = false;
  };

  explicit ProgressLine(bool quiet) : ProgressLine(quiet, Options()) {}
  ProgressLine(bool quiet, Options options);
  ~ProgressLine() { finish(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  /// `last`: what was done last, in words. Steps beyond those of the first call are extra visits.
  void show(int done, int all, std::optional<double> seconds_left, const std::string& last);
  /// Erases the line.
  void finish();

 private:
  bool quiet_;
  bool terminal_;
  Options options_;
  int planned_ = 0;
  int last_tenth_ = -1;
  bool drawn_ = false;
};

}  // namespace gable::cli

#pragma once

// A program that runs beside this one, with its outputs as lines.

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace gable::cli {

/// The lines of a text, without their ends and without empty ones.
std::vector<std::string> lines_in(const std::string& text);

class Child {
 public:
  /// Starts the program in a process group of its own, with no input. Throws std::system_error.
  explicit Child(const std::vector<std::string>& command);
  ~Child();  ///< kills its group if it still runs
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits up to so many seconds for output or the end; complete lines are then in `out` and `err`. Returns
  /// early on a signal. Whether it still runs.
  bool wait(double seconds);
  /// To the whole group, or to the program alone.
  void send(int signal, bool group = true);

  std::vector<std::string> out, err;  ///< lines that came; the caller empties them
  bool ended() const { return status_.has_value(); }
  /// As in a shell: exit status, or 128 + signal. Only after the end.
  int status() const { return status_.value_or(-1); }

 private:
  struct Pipe {
    int descriptor = -1;
    std::string rest;
  };
  void read(Pipe& pipe, std::vector<std::string>& lines);
  bool read_within(int milliseconds);

  pid_t pid_ = -1;
  Pipe output_, errors_;
  std::optional<int> status_;
};

struct Captured {
  int status = 0;
  std::string output, errors;
};

/// Runs a short program to its end; status 127 if it cannot be started.
Captured output_of(const std::vector<std::string>& command);

}  // namespace gable::cli

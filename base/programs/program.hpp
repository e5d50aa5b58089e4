#pragma once

// Programs that this process runs: their start, the signals that reach them, their outputs and their end.

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gable {

/// What the kernel says of a program and its children that were waited for.
struct Usage {
  double user_seconds = 0, kernel_seconds = 0;  ///< CPU time
  double page_faults = 0;

  double cpu_seconds() const { return user_seconds + kernel_seconds; }
  Usage& operator+=(const Usage& other);
};

/// The largest resident size of one process of a program, without hugetlb pages.
struct Peak {
  std::uint64_t bytes = 0;  ///< at most this, by the kernel's own count; 0: not known
  /// What `bytes` would be of any smaller program: the resident size of the copy of this process that became
  /// the program, for the kernel keeps the largest size of a process over its programs.
  std::uint64_t copy_bytes = 0;
};

struct Ending {
  pid_t pid = 0;
  int status = 0;      ///< as in a shell: exit status, or 128 + signal
  int signal = 0;      ///< the signal that killed it; 0: none
  double seconds = 0;  ///< wall clock, from just before the start until just after the end
  Usage usage = {};
  Peak peak = {};
};

/// "signal 11 (Segmentation fault)"
std::string signal_text(int signal);

/// "ended with exit status 3", "was killed by signal 11 (Segmentation fault)"
std::string in_words(const Ending& ending);

enum class Outputs {
  inherited,  ///< this process's, with its input and process group
  apart,      ///< read by this process; the program has a process group of its own and no input
  together,   ///< likewise, with the errors between the other output
};

struct ProgramCall {
  std::vector<std::string> command;           ///< the program, and its arguments
  std::string file = {};                      ///< what is executed; empty: what a shell would find
  std::vector<std::string> environment = {};  ///< "NAME=value", added to the inherited one or replacing parts
  std::vector<std::string> without = {};      ///< inherited variables whose names begin so are left out
  std::string folder = {};                    ///< the working folder; empty: this process's
  std::function<void()> prepare = {};         ///< in the new process: may change what the program inherits
  bool waits = false;                         ///< for go(), before `prepare`
  Outputs outputs = Outputs::inherited;
};

class PassedSignals;

/// A program as it runs. Signals that this process handles have their default effect in it; ignored ones stay
/// ignored, and SIGPIPE is as this process inherited it. While a program with inherited outputs runs, signals
/// that would end this process reach it instead; those from keys reach it from the terminal.
class RunningProgram {
 public:
  /// Throws std::system_error with the program's name if it cannot be started.
  explicit RunningProgram(const ProgramCall& call);
  ~RunningProgram();  ///< kills the group of one whose outputs it reads, if it still runs
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  pid_t pid() const { return ending_.pid; }
  /// A descriptor that becomes readable when the program has ended; -1 if the kernel has none.
  int descriptor() const { return pidfd_; }

  /// Lets a program start that waits. Throws as the constructor.
  void go();
  /// How it ended; empty while it runs. A stopped program counts as running.
  std::optional<Ending> ended();
  /// Waits for the end.
  Ending finish();
  /// Waits up to so many seconds for output or the end. Returns early on a signal. Whether it still runs.
  bool wait(double seconds);
  /// Sends the signal to the whole group, or to the program alone.
  void send(int signal, bool group = true);

  std::string out, err;  ///< what came; the caller empties them

 private:
  bool read_within(int milliseconds);
  bool reap(int options);
  void close_all();

  std::string name_;
  std::unique_ptr<PassedSignals> passed_;
  int pidfd_ = -1, go_ = -1, waits_ = -1, report_ = -1, out_ = -1, err_ = -1;
  double began_ = 0;
  bool has_ended_ = false;
  Ending ending_;
};

struct Captured {
  int status = 0;  ///< as in a shell; 127 if it cannot be started
  int error = 0;   ///< errno if it cannot be started
  std::string output, errors;
};

/// Runs a short program to its end. Its outputs are read.
Captured output_of(const ProgramCall& call);
Captured output_of(const std::vector<std::string>& command, Outputs outputs = Outputs::apart);

/// Removes the complete lines of a text and returns them without their ends and without empty ones. With
/// `all` the last one too, which may lack its end.
std::vector<std::string> take_lines(std::string& text, bool all);

}  // namespace gable

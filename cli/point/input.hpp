#pragma once

// Standard input for a program that runs several times: every run reads the same.

#include <sys/types.h>

#include <atomic>
#include <thread>

namespace gable::cli {

/// From construction on, programs that this one starts read from it what stands on standard input: a file
/// from where it was, and what comes through a pipe, which is kept for the later runs as it passes. A
/// terminal stays as it is.
class RepeatedInput {
 public:
  RepeatedInput();
  ~RepeatedInput();
  RepeatedInput(const RepeatedInput&) = delete;
  RepeatedInput& operator=(const RepeatedInput&) = delete;

  /// Before every run but the first.
  void again();

  /// The first run reads a pipe, the later ones a file.
  bool was_pipe() const { return kept_ >= 0; }

 private:
  void pass_on();

  off_t offset_ = -1;               ///< of a file; -1: not a file
  int source_ = -1, sink_ = -1;     ///< of a pipe: where it comes from, where the first run reads
  int kept_ = -1;                   ///< what passed
  std::atomic<bool> done_ = false;  ///< the first run has ended
  std::thread passing_;
};

/// Programs that this one starts die of a closed pipe, as they would under a shell, as long as the object
/// lives; this one itself ignores it.
class PipeSignal {
 public:
  PipeSignal();
  ~PipeSignal();
  PipeSignal(const PipeSignal&) = delete;
  PipeSignal& operator=(const PipeSignal&) = delete;
};

/// Standard output and error of the programs that this one starts go nowhere, as long as the object lives.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  int out_ = -1, error_ = -1;
};

}  // namespace gable::cli
